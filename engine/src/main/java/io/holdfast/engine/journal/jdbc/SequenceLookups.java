package io.holdfast.engine.journal.jdbc;

import java.sql.SQLException;
import java.util.List;

/** The highest sequence numbers of entities that start: one query for all that wait, and no row for an id that is new. */
final class SequenceLookups implements SharedReads.Query<SequenceLookups.Lookup> {

    /** What one entity wants to know. Answered with a {@code Long}, as the plugin has it. */
    static final class Lookup extends SharedReads.Read<Object> {
        private final String persistenceId;

        Lookup(String persistenceId, long deadline) {
            super(deadline);
            this.persistenceId = persistenceId;
        }
    }

    /** Ids in one query. */
    static final int MOST = 1000;

    private final String sql;
    private final JournalListener listener;

    SequenceLookups(String table, JournalListener listener) {
        this.sql = "select k.i, e.sequence_number from unnest(?::varchar[]) with ordinality as k(id, i)"
                + " cross join lateral (select sequence_number from " + table
                + " where persistence_id = k.id order by sequence_number desc limit 1) e";
        this.listener = listener;
    }

    @Override
    public void answer(Session session, List<Lookup> lookups) throws SQLException {
        String[] ids = new String[lookups.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = lookups.get(i).persistenceId;
        }
        long[] highest = session.run(sql, statement -> {
            statement.setArray(1, session.array("varchar", ids));
            long[] found = new long[ids.length];
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found[(int) rows.getLong(1) - 1] = rows.getLong(2);
                }
            }
            return found;
        });
        listener.lookedUp(ids.length);
        for (int i = 0; i < ids.length; i++) {
            lookups.get(i).answer(highest[i]);
        }
    }

    /** As many as go into one query. */
    static GatheringQueue.Load<Lookup> load() {
        return new GatheringQueue.Load<>() {
            private int room = MOST;

            @Override
            public boolean takes(Lookup next) {
                return room-- > 0;
            }
        };
    }
}
