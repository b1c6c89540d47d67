package io.holdfast.engine.runtime;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.apache.pekko.persistence.typed.SnapshotSelectionCriteria;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.Recovery;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/** Reads the journal of nobody, on this node, over the very connections that its entities use: for health checks. */
public final class JournalProbe {

    private static final PersistenceId NOBODY = PersistenceId.of("probe", "nobody");

    private JournalProbe() {}

    /** Completes when the journal has answered; fails if it can't; for as long as it is silent, does neither. */
    public static CompletionStage<Done> read(ActorSystem<?> system) {
        var answer = new CompletableFuture<Done>();
        PersistencePlugins plugins = PersistencePlugins.of(system);
        Behavior<Done> reader = Behaviors.setup(context -> new Reader(context, plugins, answer));
        system.systemActorOf(reader, "journal-probe-" + UUID.randomUUID(), Props.empty());
        return answer;
    }

    private static final class Reader extends EventSourcedBehavior<Done, Object, Done> {

        private final ActorContext<Done> context;
        private final PersistencePlugins plugins;
        private final CompletableFuture<Done> answer;

        Reader(ActorContext<Done> context, PersistencePlugins plugins, CompletableFuture<Done> answer) {
            super(NOBODY);
            this.context = context;
            this.plugins = plugins;
            this.answer = answer;
        }

        @Override
        public Done emptyState() {
            return Done.getInstance();
        }

        @Override
        public EventHandler<Done, Object> eventHandler() {
            return (state, _) -> state;
        }

        @Override
        public CommandHandler<Done, Object, Done> commandHandler() {
            return (_, _) -> Effect().stop();
        }

        @Override
        public SignalHandler<Done> signalHandler() {
            return newSignalHandlerBuilder()
                    .onSignal(RecoveryCompleted.instance(), _ -> {
                        answer.complete(Done.getInstance());
                        context.getSelf().tell(Done.getInstance());
                    })
                    .onSignal(RecoveryFailed.class, (_, failed) -> answer.completeExceptionally(failed.getFailure()))
                    .build();
        }

        @Override
        public Recovery recovery() {
            return Recovery.withSnapshotSelectionCriteria(SnapshotSelectionCriteria.none());
        }

        @Override
        public String journalPluginId() {
            return plugins.journalId();
        }

        @Override
        public String snapshotPluginId() {
            return plugins.snapshotId();
        }

        @Override
        public Optional<com.typesafe.config.Config> journalPluginConfig() {
            return Optional.of(plugins.config());
        }

        @Override
        public Optional<com.typesafe.config.Config> snapshotPluginConfig() {
            return Optional.of(plugins.config());
        }
    }
}
