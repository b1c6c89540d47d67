package io.holdfast.compensation.view;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.view.CompensationListing.Listed;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.page.Keyset;
import io.holdfast.reservation.page.PageQuery;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads {@code compensation_view}. Blocking. */
public final class CompensationQueries {

    /** The most entries of one page. */
    public static final int LONGEST_PAGE = PageQuery.LONGEST;

    private static final Keyset<Listed> BY_KEY = Keyset.rising(
            "compensations",
            new Keyset.Key<>("key", Keyset.Kind.TEXT, listed -> listed.state().id()));

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
        var page = new PageQuery<>("select state, created_at, updated_at from compensation_view", BY_KEY)
                .and("status = ?", filter.status().map(Enum::name))
                .and("pool = ?", filter.pool().map(PoolId::value))
                .and("reservation_id = ?", filter.reservationId())
                .andOfMerchants("pool", filter.merchants())
                .and("key > ?", after)
                .page(database, Optional.empty(), limit, this::entry);
        // The place in this list is a key, which callers know anyway.
        return new CompensationListing(
                page.entries(),
                page.next().map(_ -> page.entries().getLast().state().id()));
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

    private Listed entry(ResultSet r) throws SQLException {
        return new Listed(
                states.decode(r.getString(1).getBytes(StandardCharsets.UTF_8)),
                r.getObject(2, OffsetDateTime.class).toInstant(),
                r.getObject(3, OffsetDateTime.class).toInstant());
    }
}
