package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.reservation.domain.StockPoolMachine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The pools there are, as the journal has them. */
final class JournaledPools {

    private static final String PREFIX = StockPoolMachine.NAME + "|";

    private JournaledPools() {}

    /** All of them that were created and are not archived, in the order of their ids. */
    static List<String> of(Settings settings) throws SQLException {
        List<String> pools = new ArrayList<>();
        try (Connection connection = Sessions.single(
                        settings.postgres(), settings.postgres().projector())
                .getConnection()) {
            String last = PREFIX;
            while (true) {
                List<String> more = after(connection, last);
                if (more.isEmpty()) {
                    return pools;
                }
                last = more.getLast();
                more.stream().map(id -> id.substring(PREFIX.length())).forEach(pools::add);
            }
        }
    }

    /** A step from one id to the next for each pool, not for each event. */
    private static List<String> after(Connection connection, String last) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            with recursive pool (id) as (
                (select persistence_id from event_journal where persistence_id > ? order by persistence_id limit 1)
                union all
                select (select j.persistence_id from event_journal j where j.persistence_id > p.id
                        order by j.persistence_id limit 1)
                from pool p where p.id like ?
            )
            select p.id from pool p
            where p.id like ? and exists (select from journal_readable j where j.persistence_id = p.id
                                          and j.type = 'PoolInitialized')
                and not exists (select from journal_readable j where j.persistence_id = p.id
                                and j.type = 'PoolArchived')
            limit 500
            """)) {
            s.setString(1, last);
            s.setString(2, PREFIX + "%");
            s.setString(3, PREFIX + "%");
            try (ResultSet r = s.executeQuery()) {
                List<String> ids = new ArrayList<>();
                while (r.next()) {
                    ids.add(r.getString(1));
                }
                return ids;
            }
        }
    }
}
