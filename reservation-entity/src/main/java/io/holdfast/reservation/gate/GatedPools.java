package io.holdfast.reservation.gate;

import io.holdfast.reservation.domain.PoolId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Pools with a gate, as {@code pool_view} shows them. It lags the journal a little, so it only says whom to ask. */
final class GatedPools {

    private GatedPools() {}

    /**
     * Those that have not ended, by id, after this one.
     *
     * @param after the last one seen; empty to begin
     */
    static List<PoolId> page(Connection connection, String after, int limit) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
            select pool from pool_view
            where key_version is not null and status <> 'ARCHIVED' and pool > ?
            order by pool limit ?
            """)) {
            select.setString(1, after);
            select.setInt(2, limit);
            List<PoolId> pools = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    pools.add(PoolId.parse(rows.getString(1)));
                }
            }
            return pools;
        }
    }
}
