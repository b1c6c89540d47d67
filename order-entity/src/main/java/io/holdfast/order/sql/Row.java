package io.holdfast.order.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statements with their parameters in order, and what comes back. */
final class Row {

    private Row() {}

    /** Reads one row. */
    @FunctionalInterface
    interface Reading<T> {
        T of(ResultSet row) throws SQLException;
    }

    /** The first row, if there is one. */
    static <T> Optional<T> find(Connection connection, String sql, Reading<T> reading, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement s = statement(connection, sql, parameters);
                ResultSet rows = s.executeQuery()) {
            return rows.next() ? Optional.of(reading.of(rows)) : Optional.empty();
        }
    }

    /** How many rows were written. */
    static int write(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement s = statement(connection, sql, parameters)) {
            return s.executeUpdate();
        }
    }

    private static PreparedStatement statement(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement s = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            Object value = parameters[i];
            s.setObject(i + 1, value instanceof Instant at ? at.atOffset(ZoneOffset.UTC) : value);
        }
        return s;
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
