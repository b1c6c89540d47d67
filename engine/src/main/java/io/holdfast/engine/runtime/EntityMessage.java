package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import java.time.Duration;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/** What an entity's actor receives. */
sealed interface EntityMessage<S, C> {

    /** What may come from another node. */
    sealed interface FromAfar<S, C> extends EntityMessage<S, C>, ClusterMessage {
        @Override
        String machine();

        String entityId();
    }

    /** What the actor and its shard send on their own node. */
    sealed interface Local<S, C> extends EntityMessage<S, C>, NoSerializationVerificationNeeded {}

    record Ask<S, C>(
            String machine,
            String entityId,
            Cause cause,
            C command,
            Duration patience,
            ActorRef<EntityResponse<S>> replyTo)
            implements FromAfar<S, C> {}

    record Look<S, C>(String machine, String entityId, ActorRef<EntityResponse<S>> replyTo) implements FromAfar<S, C> {}

    /** Nobody waits for an answer. */
    record Wake<S, C>(String machine, String entityId) implements FromAfar<S, C> {}

    /**
     * An attempt ended.
     *
     * @param life which life of the actor started it: it may have been restarted since
     */
    record AttemptEnded<S, C>(long life, String operationId, int attempt, Outcome<C> outcome) implements Local<S, C> {}

    record Alarm<S, C>() implements Local<S, C> {}

    /** Others need the memory. */
    record MakeRoom<S, C>() implements Local<S, C> {}

    record Stop<S, C>() implements Local<S, C> {}
}
