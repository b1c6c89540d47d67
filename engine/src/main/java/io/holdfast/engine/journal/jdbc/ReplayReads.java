package io.holdfast.engine.journal.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of entities that replay: one query for the next pages of all that wait. */
final class ReplayReads implements SharedReads.Query<ReplayReads.Page> {

    /** The rows {@code from} to {@code to} of an entity that are not deleted, in order, {@code most} of them. */
    static final class Page extends SharedReads.Read<List<Line>> {
        private final String persistenceId;
        private final long from;
        private final long to;
        private final long most;

        Page(String persistenceId, long from, long to, long most, long deadline) {
            super(deadline);
            this.persistenceId = persistenceId;
            this.from = from;
            this.to = to;
            this.most = most;
        }

        /** How many rows it may be. */
        private long size() {
            // The whole range may be wider than a long is.
            return Math.min(most, Math.max(0, to - Math.max(0, from)) + 1);
        }
    }

    /** A row and its place in the journal as a whole. */
    record Line(JournalRow row, long ordering) {}

    /** Rows in one query, so that a thousand long journals do not come at once. */
    static final int MOST_ROWS = 4000;

    private final String sql;
    private final JournalListener listener;

    ReplayReads(String table, JournalListener listener) {
        this.sql = "select k.i, e.* from unnest(?::varchar[], ?::int8[], ?::int8[], ?::int8[])"
                + " with ordinality as k(id, first, last, most, i) cross join lateral (select ordering,"
                + " sequence_number, writer, write_timestamp, adapter_manifest, event_ser_id, event_ser_manifest,"
                + " event_payload, meta_ser_id, meta_ser_manifest, meta_payload from " + table
                + " where persistence_id = k.id and sequence_number between k.first and k.last and not deleted"
                + " order by sequence_number limit k.most) e";
        this.listener = listener;
    }

    @Override
    public void answer(Session session, List<Page> pages) throws SQLException {
        int count = pages.size();
        String[] ids = new String[count];
        long[] from = new long[count];
        long[] to = new long[count];
        long[] most = new long[count];
        List<List<Line>> lines = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Page page = pages.get(i);
            ids[i] = page.persistenceId;
            from[i] = page.from;
            to[i] = page.to;
            most[i] = page.most;
            lines.add(new ArrayList<>());
        }
        int sum = session.run(sql, statement -> {
            statement.setArray(1, session.array("varchar", ids));
            statement.setArray(2, session.array("int8", from));
            statement.setArray(3, session.array("int8", to));
            statement.setArray(4, session.array("int8", most));
            int read = 0;
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    int page = (int) rows.getLong(1) - 1;
                    lines.get(page).add(line(ids[page], rows));
                    read++;
                }
            }
            return read;
        });
        listener.replayed(count, sum);
        for (int i = 0; i < count; i++) {
            pages.get(i).answer(lines.get(i));
        }
    }

    private static Line line(String persistenceId, ResultSet row) throws SQLException {
        byte[] metadata = row.getBytes(12);
        return new Line(
                new JournalRow(
                        persistenceId,
                        row.getLong(3),
                        false,
                        row.getString(4),
                        row.getLong(5),
                        orEmpty(row.getString(6)),
                        new JournalRow.Stored(row.getInt(7), row.getString(8), row.getBytes(9)),
                        metadata == null
                                ? null
                                : new JournalRow.Stored(row.getInt(10), orEmpty(row.getString(11)), metadata)),
                row.getLong(2));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** As many pages as go into one query. */
    static GatheringQueue.Load<Page> load() {
        return new GatheringQueue.Load<>() {
            private long room = MOST_ROWS;

            @Override
            public boolean takes(Page next) {
                room -= next.size();
                return room >= 0;
            }
        };
    }
}
