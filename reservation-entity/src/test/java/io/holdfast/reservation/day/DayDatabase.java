package io.holdfast.reservation.day;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.reservation.conformance.MigratedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** For tests: a migrated database of its own. */
final class DayDatabase implements AutoCloseable {

    final HikariDataSource pool = MigratedDatabase.fresh("days");

    void execute(String statement) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement s = connection.createStatement()) {
            s.execute(statement);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
