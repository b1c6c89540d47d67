package io.holdfast.reservation.ledger;

import io.holdfast.engine.projection.Slices;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Rows of {@code stock_book}: what is known of pools' own journals. Few events of a pool are its own. */
final class Baselines {

    private static final String UPSERT = """
        insert into stock_book as b (pool, day, total, sequence_number)
        select u.pool, u.day::date, u.total, u.sequence_number
        from unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) u (pool, day, total, sequence_number)
        on conflict (pool) do update set total = excluded.total, sequence_number = excluded.sequence_number
        where b.sequence_number < excluded.sequence_number
        """;

    private static final String FORGET =
            "delete from stock_book where hashtext('stock-pool|' || pool) & 127 between ? and ?";

    private Baselines() {}

    static Map<String, PoolBaseline> read(Connection connection, Stream<String> pools) throws SQLException {
        Map<String, PoolBaseline> known = new HashMap<>();
        try (PreparedStatement s = connection.prepareStatement(
                "select pool, total, sequence_number from stock_book where pool = any (?)")) {
            s.setArray(1, connection.createArrayOf("text", pools.toArray()));
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    known.put(r.getString(1), new PoolBaseline(r.getLong(2), r.getLong(3)));
                }
            }
        }
        return known;
    }

    /** In the order of their ids: nobody waits in a circle. */
    static void write(Connection connection, Map<String, PoolBaseline> baselines) throws SQLException {
        if (baselines.isEmpty()) {
            return;
        }
        try (PreparedStatement s = connection.prepareStatement(UPSERT)) {
            var columns = new SqlColumns<>(connection, s, List.copyOf(new TreeMap<>(baselines).entrySet()));
            columns.text(Map.Entry::getKey);
            columns.text(entry -> LedgerDay.of(entry.getKey()));
            columns.number(entry -> entry.getValue().total());
            columns.number(entry -> entry.getValue().sequenceNumber());
            s.executeUpdate();
        }
    }

    static void forget(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(FORGET)) {
            s.setInt(1, slices.from());
            s.setInt(2, slices.to());
            s.executeUpdate();
        }
    }
}
