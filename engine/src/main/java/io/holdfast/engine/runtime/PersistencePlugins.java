package io.holdfast.engine.runtime;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Which journal entities write to.
 *
 * @param journalId configuration path of the journal plugin
 * @param snapshotId configuration path of the snapshot store: one that never has any
 * @param config where Pekko looks both up. It merges this with the whole system configuration several times per entity start; a
 *     configuration that takes no fallbacks makes that merge free.
 */
record PersistencePlugins(String journalId, String snapshotId, Config config) {

    private static final String JOURNAL = "pekko.persistence.journal.plugin";
    private static final String NO_SNAPSHOTS = "pekko.persistence.no-snapshot-store";

    static PersistencePlugins of(ActorSystem<?> system) {
        Config all = system.settings().config();
        String journal = all.getString(JOURNAL);
        if (journal.isEmpty()) {
            throw new IllegalStateException("no journal is configured: " + JOURNAL + " is empty");
        }
        // A value that is no object ends the chain: nothing after it is looked at.
        Config closed =
                all.root().withFallback(ConfigValueFactory.fromAnyRef("closed")).toConfig();
        return new PersistencePlugins(journal, NO_SNAPSHOTS, closed);
    }
}
