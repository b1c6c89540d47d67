package io.holdfast.reconciliation.systems;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads what the database's tables say of one object, for people, and which repairs were made. Blocking. */
public final class SystemsQueries {

    /** The most repairs listed at once. */
    public static final int LONGEST_PAGE = 500;

    /** What is asked, in the order of authority; each takes an id of the order or of its reservation. */
    private static final List<Question> QUESTIONS = List.of(
            new Question(1, "payments", true, """
                select coalesce(jsonb_agg(to_jsonb(p) order by p.recorded_at), '[]') from payment_record p where p.order_id = ?
                """),
            new Question(2, "order", true, """
                select coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object(
                    'refunds', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from order_refund f where f.order_id = o.order_id))), '[]')
                from orders o where o.order_id = ?
                """),
            new Question(2, "final stock", true, """
                select coalesce(jsonb_agg(to_jsonb(l) order by l.version), '[]') from order_ledger l where l.order_id = ?
                """),
            new Question(2, "reservation", false, """
                select coalesce(jsonb_agg(jsonb_build_object(
                    'status', v.status, 'pool', v.pool, 'quantity', v.quantity, 'confirmed', v.confirmed, 'released', v.released,
                    'refunded', v.refunded, 'review', v.review, 'sequence_number', v.sequence_number, 'updated_at', v.updated_at,
                    'sync_status', v.sync_status)), '[]')
                from reservation_view v where v.reservation_id = ?
                """),
            new Question(3, "inbox", true, """
                select coalesce(jsonb_agg(to_jsonb(i) - 'payload_hash' order by i.processed_at), '[]')
                from consumer_inbox i where i.reservation_id = ?
                """),
            new Question(3, "compensations", false, """
                select coalesce(jsonb_agg(jsonb_build_object(
                    'compensation', c.key, 'status', c.status, 'updated_at', c.updated_at) order by c.key), '[]')
                from compensation_view c where c.reservation_id = ?
                """),
            new Question(3, "repairs", false, """
                select coalesce(jsonb_agg(to_jsonb(r) order by r.at), '[]') from repair r where r.object_id = ?
                """));

    /** @param ofOrder whether it is asked by the order's id */
    private record Question(int rank, String source, boolean ofOrder, String sql) {}

    private final DataSource database;

    /** @param database the read side's own pool */
    public SystemsQueries(DataSource database) {
        this.database = database;
    }

    /** What the tables say of a reservation and its order, in the order of authority. */
    public List<EvidenceSource> evidence(String reservationId) throws SQLException {
        List<EvidenceSource> sources = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            String orderId = order(connection, reservationId);
            for (Question question : QUESTIONS) {
                try (PreparedStatement s = connection.prepareStatement(question.sql())) {
                    s.setString(1, question.ofOrder() ? orderId : reservationId);
                    try (ResultSet r = s.executeQuery()) {
                        r.next();
                        sources.add(new EvidenceSource(question.rank(), question.source(), r.getString(1)));
                    }
                }
            }
        }
        return sources;
    }

    /** An order has its reservation's id, unless it came back with another one. */
    private static String order(Connection connection, String reservationId) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select order_id from orders where reacquired_as = ?")) {
            s.setString(1, reservationId);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? r.getString(1) : reservationId;
            }
        }
    }

    /** Which pool a reservation is of, if the view knows it. */
    public Optional<String> pool(String reservationId) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s =
                        connection.prepareStatement("select pool from reservation_view where reservation_id = ?")) {
            s.setString(1, reservationId);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.ofNullable(r.getString(1)) : Optional.empty();
            }
        }
    }

    /** One repair, as it was kept. */
    public record Kept(
            String id,
            String rule,
            String objectType,
            String objectId,
            String expectedVersion,
            String target,
            String anomalyId,
            String outcome,
            int attempts,
            String askedBy,
            Instant at,
            Optional<Instant> settledAt) {}

    /**
     * The latest repairs, newest first.
     *
     * @param object of this reservation only
     * @param limit 1 to {@link #LONGEST_PAGE}
     */
    public List<Kept> repairs(Optional<String> object, int limit) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select repair_id, rule, object_type, object_id, expected_version, target, anomaly_id, outcome, attempts,
                           asked_by, at, settled_at
                    from repair where coalesce(object_id = ?, true) order by at desc, repair_id desc limit ?
                    """)) {
            s.setString(1, object.orElse(null));
            s.setInt(2, limit);
            List<Kept> found = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(new Kept(
                            r.getString(1),
                            r.getString(2),
                            r.getString(3),
                            r.getString(4),
                            r.getString(5),
                            r.getString(6),
                            r.getString(7),
                            r.getString(8),
                            r.getInt(9),
                            r.getString(10),
                            r.getObject(11, OffsetDateTime.class).toInstant(),
                            Optional.ofNullable(r.getObject(12, OffsetDateTime.class))
                                    .map(OffsetDateTime::toInstant)));
                }
            }
            return found;
        }
    }
}
