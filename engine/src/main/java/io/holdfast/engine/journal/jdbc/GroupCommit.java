package io.holdfast.engine.journal.jdbc;

import java.util.concurrent.Executor;
import org.apache.pekko.actor.AbstractExtensionId;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Extension;
import org.apache.pekko.actor.ExtensionIdProvider;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.jspecify.annotations.Nullable;

/**
 * The group-committing journal of an actor system: where others listen to it. It runs from the first use of the journal plugin, once per
 * actor system, however often the plugin's actor is made, until the actor system has ended.
 */
public final class GroupCommit implements Extension {

    private static final Id ID = new Id();

    private final ExtendedActorSystem system;
    private final Listeners listeners = new Listeners();
    private @Nullable RunningJournal running;

    private GroupCommit(ExtendedActorSystem system) {
        this.system = system;
    }

    /** That of this actor system; it may be asked for before anything is written. */
    public static GroupCommit of(ActorSystem<?> system) {
        return ID.get(Adapter.toClassic(system));
    }

    static GroupCommit of(org.apache.pekko.actor.ActorSystem system) {
        return ID.get(system);
    }

    /** Tells this one from now on. Whoever wants to know that there are new rows, listens for {@link JournalListener#committed}. */
    public void listen(JournalListener listener) {
        listeners.add(listener);
    }

    /** Tells this one no more. */
    public void forget(JournalListener listener) {
        listeners.remove(listener);
    }

    /** Writes of entities that wait for a batch at this moment. */
    public synchronized int waiting() {
        return running == null ? 0 : running.waiting();
    }

    synchronized RunningJournal running(Executor tellers) {
        var already = running;
        if (already != null) {
            return already;
        }
        var started = new RunningJournal(JournalSettings.from(system.settings().config()), listeners, tellers);
        system.registerOnTermination(started::close);
        running = started;
        return started;
    }

    private static final class Id extends AbstractExtensionId<GroupCommit> implements ExtensionIdProvider {

        @Override
        public GroupCommit createExtension(ExtendedActorSystem system) {
            return new GroupCommit(system);
        }

        @Override
        public Id lookup() {
            return ID;
        }
    }
}
