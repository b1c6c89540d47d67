package io.holdfast.reservation.page;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The query of one page of a list. Blocking.
 *
 * @param <T> an entry
 */
public final class PageQuery<T> {

    /** The most entries of one page. */
    public static final int LONGEST = 500;

    private final StringBuilder sql;
    private final List<Object> values = new ArrayList<>();
    private final Keyset<T> order;

    /** @param select up to and with {@code from}; columns of the order are named as in it */
    public PageQuery(String select, Keyset<T> order) {
        this.sql = new StringBuilder(select).append(" where true");
        this.order = order;
    }

    /**
     * Only what fulfils a condition.
     *
     * @param condition with a question mark for each value
     */
    public PageQuery<T> and(String condition, Object... wanted) {
        sql.append(" and (").append(condition).append(')');
        values.addAll(List.of(wanted));
        return this;
    }

    /** The same where a value is given. */
    public <V> PageQuery<T> and(String condition, Optional<V> wanted) {
        wanted.ifPresent(value -> and(condition, (Object) value));
        return this;
    }

    /**
     * Only what concerns pools of these merchants or activities, where they are given: ranges of the ids of pools, which begin with them. So an
     * index of pools serves a merchant that has little among much of others', the index of the order one that has much, and none has an index
     * of its own to be paid for by every row.
     *
     * @param pool name of the column, which is compared byte by byte
     */
    public PageQuery<T> andOfMerchants(String pool, Optional<Set<String>> merchants) {
        return merchants
                .map(ids -> ids.isEmpty()
                        ? and("false")
                        : and(
                                String.join(
                                        " or ",
                                        Collections.nCopies(ids.size(), "(" + pool + " >= ? and " + pool + " < ?)")),
                                // The character behind the colon is the semicolon.
                                ids.stream()
                                        .flatMap(id -> Stream.of(id + ":", id + ";"))
                                        .toArray()))
                .orElse(this);
    }

    /** Reads an entry out of a row. */
    @FunctionalInterface
    public interface Reading<T> {
        /** The entry of the current row. */
        T entry(ResultSet row) throws SQLException;
    }

    /**
     * The page.
     *
     * @param cursor {@link Page#next} of the page before; empty for the first page
     * @param limit 1 to {@link #LONGEST}
     * @throws IllegalArgumentException if the cursor is not one of this list, or the limit is out of range
     */
    public Page<T> page(DataSource database, Optional<String> cursor, int limit, Reading<T> reading)
            throws SQLException {
        if (limit < 1 || limit > LONGEST) {
            throw new IllegalArgumentException("limit must be 1 to " + LONGEST + ", but is " + limit);
        }
        cursor.map(order::place).ifPresent(place -> and(order.behind(), place.toArray()));
        sql.append(" order by ").append(order.order()).append(" limit ?");
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(sql.toString())) {
            int i = 0;
            for (Object value : values) {
                s.setObject(++i, value);
            }
            s.setInt(++i, limit + 1);
            List<T> found = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(reading.entry(r));
                }
            }
            if (found.size() <= limit) {
                return new Page<>(found, Optional.empty());
            }
            List<T> page = found.subList(0, limit);
            return new Page<>(page, Optional.of(order.cursor(page.getLast())));
        }
    }
}
