package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.PoolId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** Reads what was found to contradict itself. Blocking. */
public final class AnomalyQueries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = 500;

    private static final String SELECT =
            "select id, source, type, pool, reservation_id, summary, evidence, at, class, seen_at, gone_at from"
                    + " anomaly";

    private final DataSource database;

    /** @param database the read side's own pool */
    public AnomalyQueries(DataSource database) {
        this.database = database;
    }

    /**
     * Which to list; every present part must hold.
     *
     * @param type exactly this
     * @param source found by this
     * @param kind of this class: REPAIR, WAIT or MANUAL
     * @param open whether those that are gone are left out, or all others
     * @param merchants of a pool of one of these merchants or activities
     */
    public record Filter(
            Optional<PoolId> pool,
            Optional<String> reservationId,
            Optional<String> type,
            Optional<String> source,
            Optional<String> kind,
            Optional<Boolean> open,
            Optional<Set<String>> merchants) {

        /** Of every class, gone or not. */
        public Filter(
                Optional<PoolId> pool, Optional<String> reservationId, Optional<String> type, Optional<String> source) {
            this(pool, reservationId, type, source, Optional.empty(), Optional.empty(), Optional.empty());
        }

        /** All of them. */
        public static Filter none() {
            return new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /**
     * One page, newest first.
     *
     * @param next where the next page begins; empty on the last one
     */
    public record Page(List<Anomaly> entries, Optional<String> next) {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    private record Cursor(Instant at, String id) {

        String encoded() {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((at + " " + id).getBytes(StandardCharsets.UTF_8));
        }

        static Cursor decoded(String text) {
            try {
                String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split(" ", 2);
                return new Cursor(Instant.parse(parts[0]), parts[1]);
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException | DateTimeException e) {
                throw new IllegalArgumentException("this is not a cursor of a list of anomalies", e);
            }
        }
    }

    /**
     * Lists them, newest first.
     *
     * @param cursor {@link Page#next} of the page before; empty for the first page
     * @param limit 1 to {@link #LONGEST_PAGE}
     * @throws IllegalArgumentException if the cursor is not one of ours, or the limit is out of range
     */
    public Page list(Filter filter, Optional<String> cursor, int limit) throws SQLException {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new IllegalArgumentException("limit must be 1 to " + LONGEST_PAGE + ", but is " + limit);
        }
        StringBuilder sql = new StringBuilder(SELECT + " where true");
        List<Object> values = new ArrayList<>();
        filter.pool().ifPresent(pool -> and(sql, " and pool = ?", values, pool.value()));
        filter.reservationId().ifPresent(id -> and(sql, " and reservation_id = ?", values, id));
        filter.type().ifPresent(type -> and(sql, " and type = ?", values, type));
        filter.source().ifPresent(source -> and(sql, " and source = ?", values, source));
        filter.kind().ifPresent(kind -> and(sql, " and class = ?", values, kind));
        filter.open().ifPresent(open -> sql.append(open ? " and gone_at is null" : " and gone_at is not null"));
        filter.merchants()
                .ifPresent(
                        ids -> and(sql, " and split_part(pool, ':', 1) = any(?)", values, ids.toArray(String[]::new)));
        cursor.map(Cursor::decoded).ifPresent(after -> {
            and(sql, " and (at, id) < (?,", values, OffsetDateTime.ofInstant(after.at(), ZoneOffset.UTC));
            and(sql, " ?)", values, after.id());
        });
        and(sql, " order by at desc, id desc limit ?", values, limit + 1);
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(sql.toString())) {
            for (int i = 0; i < values.size(); i++) {
                s.setObject(i + 1, values.get(i));
            }
            List<Anomaly> found = read(s);
            if (found.size() <= limit) {
                return new Page(found, Optional.empty());
            }
            List<Anomaly> page = found.subList(0, limit);
            return new Page(
                    page,
                    Optional.of(new Cursor(page.getLast().at(), page.getLast().id()).encoded()));
        }
    }

    /** The anomaly of this id. */
    public Optional<Anomaly> find(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(SELECT + " where id = ?")) {
            s.setString(1, id);
            return read(s).stream().findFirst();
        }
    }

    private static void and(StringBuilder sql, String condition, List<Object> values, Object value) {
        sql.append(condition);
        values.add(value);
    }

    private static Optional<Instant> time(ResultSet r, int column) throws SQLException {
        return Optional.ofNullable(r.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static List<Anomaly> read(PreparedStatement s) throws SQLException {
        List<Anomaly> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                found.add(new Anomaly(
                        r.getString(1),
                        r.getString(2),
                        r.getString(3),
                        Optional.ofNullable(r.getString(4)),
                        Optional.ofNullable(r.getString(5)),
                        r.getString(6),
                        r.getString(7),
                        r.getObject(8, OffsetDateTime.class).toInstant(),
                        Optional.ofNullable(r.getString(9)),
                        time(r, 10),
                        time(r, 11)));
            }
        }
        return found;
    }
}
