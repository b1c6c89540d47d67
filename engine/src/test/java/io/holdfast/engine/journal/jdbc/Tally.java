package io.holdfast.engine.journal.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.persistence.typed.JournalPersistFailed;
import org.apache.pekko.persistence.typed.JournalPersistRejected;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/** The least that can be journaled: an entity that remembers words. */
final class Tally extends EventSourcedBehavior<Tally.Say, String, List<String>> {

    /** Remembers a word, unless it is empty, and tells all it remembers. */
    record Say(String word, ActorRef<Object> replyTo) {}

    private final Set<String> tags;
    private final ActorRef<Object> troubles;

    private Tally(String id, Set<String> tags, ActorRef<Object> troubles) {
        super(PersistenceId.of("tally", id));
        this.tags = tags;
        this.troubles = troubles;
    }

    /** @param troubles told of what the journal could not do */
    static Behavior<Say> of(String id, Set<String> tags, ActorRef<Object> troubles) {
        return new Tally(id, tags, troubles);
    }

    @Override
    public List<String> emptyState() {
        return List.of();
    }

    @Override
    public Set<String> tagsFor(String event) {
        return tags;
    }

    @Override
    public EventHandler<List<String>, String> eventHandler() {
        return (words, word) -> {
            List<String> more = new ArrayList<>(words);
            more.add(word);
            return List.copyOf(more);
        };
    }

    @Override
    public CommandHandler<Say, String, List<String>> commandHandler() {
        return (_, say) -> (say.word().isEmpty() ? Effect().none() : Effect().persist(say.word()))
                .thenRun(words -> say.replyTo().tell(words));
    }

    @Override
    public SignalHandler<List<String>> signalHandler() {
        return newSignalHandlerBuilder()
                .onSignal(JournalPersistFailed.class, (_, failed) -> troubles.tell(failed.getFailure()))
                .onSignal(JournalPersistRejected.class, (_, rejected) -> troubles.tell(rejected.getFailure()))
                .onSignal(RecoveryFailed.class, (_, failed) -> troubles.tell(failed.getFailure()))
                .build();
    }
}
