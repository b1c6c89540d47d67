package io.holdfast.reservation.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement that takes many rows as one array for each column, in arrays that the driver sends as they are. */
final class SqlColumns<T> {

    private final Connection connection;
    private final PreparedStatement statement;
    private final List<T> rows;
    private int index;

    SqlColumns(Connection connection, PreparedStatement statement, List<T> rows) {
        this.connection = connection;
        this.statement = statement;
        this.rows = rows;
    }

    void text(Function<T, String> column) throws SQLException {
        String[] values = new String[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i));
        }
        statement.setArray(++index, connection.createArrayOf("text", values));
    }

    void optionalText(Function<T, Optional<String>> column) throws SQLException {
        @Nullable String[] values = new String[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i)).orElse(null);
        }
        statement.setArray(++index, connection.createArrayOf("text", values));
    }

    void number(ToLongFunction<T> column) throws SQLException {
        Long[] values = new Long[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.applyAsLong(rows.get(i));
        }
        statement.setArray(++index, connection.createArrayOf("bigint", values));
    }

    void optionalNumber(Function<T, Optional<Long>> column) throws SQLException {
        @Nullable Long[] values = new Long[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i)).orElse(null);
        }
        statement.setArray(++index, connection.createArrayOf("bigint", values));
    }

    /** Microseconds since 1970; exact until 2255, and these are times at which something was written. */
    void time(Function<T, Instant> column) throws SQLException {
        number(row -> {
            Instant time = column.apply(row);
            return Math.addExact(
                    TimeUnit.SECONDS.toMicros(time.getEpochSecond()), TimeUnit.NANOSECONDS.toMicros(time.getNano()));
        });
    }
}
