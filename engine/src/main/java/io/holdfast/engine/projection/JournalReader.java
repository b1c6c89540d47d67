package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Reads journal rows in an order in which none can appear behind what was read.
 *
 * <p>PostgreSQL numbers rows before they are committed, so a reader that remembers the highest number it saw skips what commits later
 * with a lower one. Here a row is read only when its transaction and every older one have ended
 * ({@code xid < pg_snapshot_xmin(...)}), and rows are ordered by transaction first: whatever commits from now on has a higher xid than
 * all that is readable. A transaction that stays open delays the reader; it can't make it miss anything.
 */
final class JournalReader {

    private static final String COLUMNS =
            "e.persistence_id, e.sequence_number, e.xid::text, e.ordering, e.event_ser_manifest, e.event_payload";

    private static final String OF_ENTITY = "select " + COLUMNS
            + " from event_journal e"
            + " where e.persistence_id = ? and e.sequence_number >= ? and (e.xid, e.ordering) <= (cast(? as xid8), ?)"
            + " order by e.sequence_number limit ?";

    /** One writer at a time writes an entity, so its numbers rise in the reader's order. */
    static final String OF_ENTITY_BETWEEN = "select " + COLUMNS
            + " from event_journal e"
            + " where e.persistence_id = ? and (e.xid, e.ordering) > (cast(? as xid8), ?)"
            + " and (e.xid, e.ordering) <= (cast(? as xid8), ?)"
            + " order by e.sequence_number limit ?";

    private JournalReader() {}

    /**
     * The next readable rows of these slices after the offset.
     *
     * @param upTo rows behind this are left
     */
    static List<JournalRow> next(
            Connection connection, List<Slices> slices, Offset after, Optional<Offset> upTo, int limit)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(next(slices, upTo.isPresent()))) {
            int i = 0;
            s.setString(++i, Long.toString(after.xid()));
            s.setLong(++i, after.ordering());
            if (upTo.isPresent()) {
                s.setString(++i, Long.toString(upTo.get().xid()));
                s.setLong(++i, upTo.get().ordering());
            }
            if (!isAll(slices)) {
                for (Slices range : slices) {
                    s.setInt(++i, range.from());
                    s.setInt(++i, range.to());
                }
            }
            s.setInt(++i, limit);
            return rows(s);
        }
    }

    // ORDER BY names the table: an output column of the same name would be sorted as text.
    private static String next(List<Slices> slices, boolean bounded) {
        return "select " + COLUMNS
                + " from event_journal e where (e.xid, e.ordering) > (cast(? as xid8), ?)"
                + (bounded ? " and (e.xid, e.ordering) <= (cast(? as xid8), ?)" : "")
                + (isAll(slices)
                        ? ""
                        : " and ("
                                + String.join(" or ", Collections.nCopies(slices.size(), "e.slice between ? and ?"))
                                + ")")
                + " and e.xid < pg_snapshot_xmin(pg_current_snapshot()) order by e.xid, e.ordering limit ?";
    }

    private static boolean isAll(List<Slices> slices) {
        return slices.size() == 1 && slices.getFirst().equals(Slices.all());
    }

    /** Rows of one entity from a sequence number on, up to and including the offset: what was passed over while it was parked. */
    static List<JournalRow> ofEntity(
            Connection connection, String persistenceId, long fromSequenceNumber, Offset upTo, int limit)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(OF_ENTITY)) {
            s.setString(1, persistenceId);
            s.setLong(2, fromSequenceNumber);
            s.setString(3, Long.toString(upTo.xid()));
            s.setLong(4, upTo.ordering());
            s.setInt(5, limit);
            return rows(s);
        }
    }

    static List<JournalRow> rows(PreparedStatement statement) throws SQLException {
        List<JournalRow> rows = new ArrayList<>();
        try (ResultSet r = statement.executeQuery()) {
            while (r.next()) {
                rows.add(new JournalRow(
                        r.getString(1),
                        r.getLong(2),
                        Long.parseLong(r.getString(3)),
                        r.getLong(4),
                        r.getString(5),
                        r.getBytes(6)));
            }
        }
        return rows;
    }
}
