package io.holdfast.reservation.view;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Holds that came in by gates and whose orders have not been asked for, as the view shows them.
 *
 * @param holds how many, counted up to the number that was asked for
 * @param oldest for how long the oldest of those counted has been known to its reservation; zero where there is none
 */
public record UnsentOrderRequests(long holds, Duration oldest) {

    /**
     * As the view has them now.
     *
     * @param most counted
     */
    public static UnsentOrderRequests read(DataSource database, int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                    select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)
                    from (select created_at from reservation_view where owes_order_request
                          order by created_at limit ?) unsent
                    """)) {
            select.setInt(1, most);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return new UnsentOrderRequests(
                        row.getLong(1), Duration.ofMillis(Math.max(0, Math.round(row.getDouble(2) * 1000))));
            }
        }
    }
}
