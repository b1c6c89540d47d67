package io.holdfast.compensation.view;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.view.CompensationListing.Listed;
import io.holdfast.engine.journal.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads {@code compensation_view}. Blocking. */
public final class CompensationQueries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = 500;

    private final DataSource database;
    private final JsonCodec<Compensation> states = JsonCodec.of(Compensation.class);

    /** @param database the read side's own pool */
    public CompensationQueries(DataSource database) {
        this.database = database;
    }

    /**
     * Lists compensations.
     *
     * @param after {@link CompensationListing#next} of the page before
     * @param limit 1 to {@link #LONGEST_PAGE}
     */
    public CompensationListing list(CompensationFilter filter, Optional<String> after, int limit) throws SQLException {
        StringBuilder sql = new StringBuilder("select state, created_at, updated_at from compensation_view where true");
        List<Object> values = new ArrayList<>();
        filter.status().ifPresent(status -> and(sql, " and status = ?", values, status.name()));
        filter.pool().ifPresent(pool -> and(sql, " and pool = ?", values, pool.value()));
        filter.reservationId().ifPresent(id -> and(sql, " and reservation_id = ?", values, id));
        filter.merchants()
                .ifPresent(
                        ids -> and(sql, " and split_part(pool, ':', 1) = any(?)", values, ids.toArray(String[]::new)));
        after.ifPresent(key -> and(sql, " and key > ?", values, key));
        sql.append(" order by key limit ?");
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(sql.toString())) {
            int i = 0;
            for (Object value : values) {
                s.setObject(++i, value);
            }
            s.setInt(++i, limit + 1);
            List<Listed> found = read(s);
            if (found.size() <= limit) {
                return new CompensationListing(found, Optional.empty());
            }
            List<Listed> page = found.subList(0, limit);
            return new CompensationListing(
                    page, Optional.of(page.getLast().state().id()));
        }
    }

    /**
     * What waits, for gauges.
     *
     * @param pending asked for and not over, those that wait for a person among them
     * @param manual those that wait for a person
     * @param oldestSeconds age of the oldest that is not over; 0 where there is none
     */
    public record Waiting(long pending, long manual, double oldestSeconds) {}

    /** Counts what waits. */
    public Waiting waiting() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select count(*), count(*) filter (where status = 'MANUAL'),
                           coalesce(extract(epoch from now() - min(created_at)), 0)::float8
                    from compensation_view where status in ('APPLYING', 'APPLIED', 'MANUAL')
                    """);
                ResultSet r = s.executeQuery()) {
            r.next();
            return new Waiting(r.getLong(1), r.getLong(2), Math.max(0, r.getDouble(3)));
        }
    }

    private static void and(StringBuilder sql, String condition, List<Object> values, Object value) {
        sql.append(condition);
        values.add(value);
    }

    private List<Listed> read(PreparedStatement s) throws SQLException {
        List<Listed> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            while (r.next()) {
                found.add(new Listed(
                        states.decode(r.getString(1).getBytes(StandardCharsets.UTF_8)),
                        r.getObject(2, OffsetDateTime.class).toInstant(),
                        r.getObject(3, OffsetDateTime.class).toInstant()));
            }
        }
        return found;
    }
}
