package io.holdfast.order.view;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.Slices;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.order.domain.Review;
import io.holdfast.reservation.ledger.Anomaly;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the orders under review in the list of what needs a person, until their marks are lifted. Their journals push that themselves, so
 * nobody is told of it again from here.
 */
public final class OrderReviewProjection implements ProjectionHandler {

    /** Name of the projection. */
    public static final String NAME = "order_reviews";

    /** Who finds such anomalies. */
    public static final String SOURCE = "orders";

    /** Their type. */
    public static final String TYPE = "ORDER_UNDER_REVIEW";

    private final JournalCodec<OrderEvent> events = JournalCodec.of(OrderEvent.class);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        if (!row.machine().equals(OrderMachine.NAME)
                || !(events.decode(row.payload()) instanceof Entry.Happened<OrderEvent>(OrderEvent event, var meta))) {
            return;
        }
        if (event instanceof OrderEvent.ReviewOpened(Review review)) {
            opened(connection, row, review, meta.at());
        } else if (event instanceof OrderEvent.ReviewLifted) {
            lifted(connection, row, meta.at());
        }
    }

    private static void opened(Connection connection, JournalRow row, Review review, Instant at) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into anomaly as a (id, source, type, reservation_id, summary, evidence, at, class, seen_at, told)
            values (?, ?, ?, ?, ?, jsonb_object(?::text[]), ?, 'MANUAL', ?, 1)
            on conflict (id) do update set summary = excluded.summary, evidence = excluded.evidence,
                seen_at = excluded.seen_at, gone_at = null, found = a.found + 1, told = a.found + 1
            where (a.evidence ->> 'sequence_number')::bigint < (excluded.evidence ->> 'sequence_number')::bigint
            """)) {
            OffsetDateTime time = OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
            s.setString(1, id(row));
            s.setString(2, SOURCE);
            s.setString(3, TYPE);
            s.setString(4, row.entityId());
            s.setString(5, "The order waits for a person: " + review.reason() + ".");
            s.setArray(6, connection.createArrayOf("text", evidence(row, review)));
            s.setObject(7, time);
            s.setObject(8, time);
            s.executeUpdate();
        }
    }

    private static String[] evidence(JournalRow row, Review review) {
        List<String> all = new ArrayList<>();
        review.evidence().forEach((name, value) -> all.addAll(List.of(name, value)));
        all.addAll(List.of(
                "object", row.entityId(),
                "trigger", review.trigger().name(),
                "resolve", "POST /v1/orders/" + row.entityId() + "/resolve",
                "sequence_number", Long.toString(row.sequenceNumber())));
        return all.toArray(String[]::new);
    }

    private static void lifted(Connection connection, JournalRow row, Instant at) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            update anomaly set gone_at = ?
            where id = ? and gone_at is null and (evidence ->> 'sequence_number')::bigint < ?
            """)) {
            s.setObject(1, OffsetDateTime.ofInstant(at, ZoneOffset.UTC));
            s.setString(2, id(row));
            s.setLong(3, row.sequenceNumber());
            s.executeUpdate();
        }
    }

    private static String id(JournalRow row) {
        return Anomaly.id(TYPE, row.entityId());
    }

    @Override
    public boolean takesAgain() {
        return true; // a mark that is known, or was lifted since, changes nothing
    }

    @Override
    public void clear(Connection connection, Slices slices) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            delete from anomaly
            where source = ? and hashtext('order|' || (evidence ->> 'object')) & 127 between ? and ?
            """)) {
            s.setString(1, SOURCE);
            s.setInt(2, slices.from());
            s.setInt(3, slices.to());
            s.executeUpdate();
        }
    }
}
