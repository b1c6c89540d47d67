package io.holdfast.engine.runtime;

import java.util.function.Consumer;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Limits what may wait for an entity while it replays or writes. Whoever asks beyond that is refused at once; what the entity lives by,
 * ends of attempts, alarms and the order to stop, always gets in. Not thread-safe; used on the thread of its actor.
 */
final class Doorkeeper<S, C> extends BehaviorInterceptor<EntityMessage<S, C>, EntityMessage<S, C>> {

    private final int seats;
    private final Consumer<EntityMessage.FromAfar<S, C>> refused;
    private int inside;

    /**
     * A door with as many seats behind it.
     *
     * @param refused told of each message that is not let in
     */
    @SuppressWarnings("unchecked")
    Doorkeeper(int seats, Consumer<EntityMessage.FromAfar<S, C>> refused) {
        super((Class<EntityMessage<S, C>>) (Class<?>) EntityMessage.class);
        this.seats = seats;
        this.refused = refused;
    }

    @Override
    public Behavior<EntityMessage<S, C>> aroundReceive(
            TypedActorContext<EntityMessage<S, C>> context,
            EntityMessage<S, C> message,
            ReceiveTarget<EntityMessage<S, C>> entity) {
        if (message instanceof EntityMessage.FromAfar<S, C> afar) {
            if (inside >= seats) {
                refused.accept(afar);
                return Behaviors.same();
            }
            inside++;
        }
        return entity.apply(context, message);
    }

    /** A message is being handled: it waits no longer. */
    void taken(EntityMessage<S, C> message) {
        if (message instanceof EntityMessage.FromAfar<S, C>) {
            inside--;
        }
    }
}
