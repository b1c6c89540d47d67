package io.holdfast.messaging.out;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** What journals hold before the rows that are to be told. Blocking. */
@FunctionalInterface
public interface Past {

    /**
     * Part of an entity's journal.
     *
     * @param above sequence number before the first
     * @param below sequence number behind the last
     */
    record Stretch(String persistenceId, long above, long below) {}

    /** Takes entries. */
    @FunctionalInterface
    interface Each {
        /** One entry; those of an entity come in their order. */
        void entry(String persistenceId, long sequenceNumber, byte[] payload);
    }

    /** Gives all entries of these stretches. */
    void read(List<Stretch> stretches, Each each) throws SQLException;

    /** The journals of this database. */
    static Past in(DataSource database) {
        return (stretches, each) -> {
            try (Connection c = database.getConnection();
                    PreparedStatement s = c.prepareStatement("""
                        select e.persistence_id, e.sequence_number, e.event_payload
                        from unnest(?::text[], ?::bigint[], ?::bigint[]) as wanted (id, above, below)
                        join event_journal e
                          on e.persistence_id = wanted.id
                         and e.sequence_number > wanted.above and e.sequence_number < wanted.below
                        order by e.persistence_id, e.sequence_number
                        """)) {
                s.setArray(
                        1,
                        c.createArrayOf(
                                "text",
                                stretches.stream().map(Stretch::persistenceId).toArray()));
                s.setArray(
                        2,
                        c.createArrayOf(
                                "bigint", stretches.stream().map(Stretch::above).toArray()));
                s.setArray(
                        3,
                        c.createArrayOf(
                                "bigint", stretches.stream().map(Stretch::below).toArray()));
                s.setFetchSize(500);
                try (ResultSet r = s.executeQuery()) {
                    while (r.next()) {
                        each.entry(r.getString(1), r.getLong(2), r.getBytes(3));
                    }
                }
            }
        };
    }
}
