package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import javax.sql.DataSource;

/** What time it is by the database's clock, also in the middle of a transaction. */
public final class DatabaseTime {

    private DatabaseTime() {}

    /** Asks on a connection of its own. */
    public static Instant of(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return of(connection);
        }
    }

    /** Asks on this connection. */
    public static Instant of(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select clock_timestamp()");
                ResultSet r = s.executeQuery()) {
            r.next();
            return r.getObject(1, OffsetDateTime.class).toInstant();
        }
    }
}
