package io.holdfast.reservation.view;

import io.holdfast.engine.journal.Moments;
import io.holdfast.engine.projection.NewRows;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.Terms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows of {@code reservation_view} that are written with one statement, column by column, in arrays that the driver sends as they are. */
final class ViewRows {

    private static final String INSERT = """
        insert into reservation_view as v (
            reservation_id, status, pool, merchant, dish, order_id, order_item_id, user_id, order_type,
            processing_time, quantity, attention_at, confirmed, released, refunded, review, epoch, redis_version,
            created_at, updated_at, sequence_number, cause_id, synced_epoch, synced_version, sync_status,
            owes_order_request, state)
        select u.reservation_id, u.status, u.pool, u.merchant, u.dish, u.order_id, u.order_item_id, u.user_id,
            u.order_type, u.processing_time::timestamptz, u.quantity, u.attention_at::timestamptz, u.confirmed,
            u.released, u.refunded, u.review, u.epoch, u.redis_version,
            timestamptz 'epoch' + u.created_at * interval '1 microsecond',
            timestamptz 'epoch' + u.updated_at * interval '1 microsecond', u.sequence_number, u.cause_id,
            u.synced_epoch, u.synced_version, u.sync_status, u.owes_order_request::boolean, u.state
        from unnest(
            ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
            ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[],
            ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::text[],
            ?::text[], ?::text[])
            u (reservation_id, status, pool, merchant, dish, order_id, order_item_id, user_id, order_type,
            processing_time, quantity, attention_at, confirmed, released, refunded, review, epoch, redis_version,
            created_at, updated_at, sequence_number, cause_id, synced_epoch, synced_version, sync_status,
            owes_order_request, state)
        """;

    private static final String UPSERT = INSERT + """
        on conflict (reservation_id) do update set
            status = excluded.status, pool = excluded.pool, merchant = excluded.merchant, dish = excluded.dish,
            order_id = excluded.order_id, order_item_id = excluded.order_item_id, user_id = excluded.user_id,
            order_type = excluded.order_type, processing_time = excluded.processing_time,
            quantity = excluded.quantity, attention_at = excluded.attention_at, confirmed = excluded.confirmed,
            released = excluded.released, refunded = excluded.refunded, review = excluded.review,
            epoch = excluded.epoch, redis_version = excluded.redis_version, updated_at = excluded.updated_at,
            sequence_number = excluded.sequence_number, cause_id = excluded.cause_id,
            synced_epoch = excluded.synced_epoch, synced_version = excluded.synced_version,
            sync_status = excluded.sync_status, owes_order_request = excluded.owes_order_request,
            state = excluded.state
        where v.sequence_number < excluded.sequence_number
        """;

    private final List<Written> rows = new ArrayList<>();

    private record Written(
            ViewRow row,
            Instant createdAt,
            Instant updatedAt,
            long sequenceNumber,
            Optional<String> causeId,
            Synced synced,
            String json) {

        <T> Optional<T> claim(Function<Claim, T> part) {
            return row.claim().map(part);
        }

        Optional<Terms> terms() {
            return row.claim().map(Claim::terms);
        }
    }

    void add(
            ViewRow row,
            Instant createdAt,
            Instant updatedAt,
            long sequenceNumber,
            Optional<String> causeId,
            Synced synced,
            String json) {
        rows.add(new Written(row, createdAt, updatedAt, sequenceNumber, causeId, synced, json));
    }

    /** Adds them. None is there, but for those of a journal that is read again: then they are written as others are. */
    void insert(Connection connection) throws SQLException {
        if (!rows.isEmpty() && !NewRows.added(connection, () -> write(connection, INSERT))) {
            write(connection);
        }
    }

    /** Writes them, over older ones. */
    void write(Connection connection) throws SQLException {
        if (!rows.isEmpty()) {
            write(connection, UPSERT);
        }
    }

    private void write(Connection connection, String sql) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            var columns = new Columns(connection, s);
            columns.text(w -> Optional.of(w.row().state().id()));
            columns.text(w -> Optional.of(w.row().status()));
            columns.text(w -> w.claim(claim -> claim.pool().value()));
            columns.text(w -> w.terms().map(terms -> terms.line().merchant()));
            columns.text(w -> w.terms().map(terms -> terms.line().dish()));
            columns.text(w -> w.terms().map(terms -> terms.line().orderId()));
            columns.text(w -> w.terms().map(terms -> terms.line().orderItemId()));
            columns.text(w -> w.terms().flatMap(terms -> terms.line().userId()));
            columns.text(w -> w.terms().map(terms -> ViewRow.orderType(terms.orderType())));
            columns.text(w -> w.terms()
                    .flatMap(terms -> ViewRow.processingTime(terms.orderType()))
                    .map(Moments::text));
            columns.number(w -> w.terms().map(Terms::quantity));
            columns.text(w -> w.claim(claim -> Moments.text(claim.attentionAt())));
            columns.number(w -> Optional.of(w.row().confirmed()));
            columns.number(w -> Optional.of(w.row().released()));
            columns.number(w -> Optional.of(w.row().refunded()));
            columns.text(w -> w.row().review());
            columns.number(w -> w.row().latest().map(Books::epoch));
            columns.number(w -> w.row().latest().map(Books::version));
            columns.number(w -> Optional.of(micros(w.createdAt())));
            columns.number(w -> Optional.of(micros(w.updatedAt())));
            columns.number(w -> Optional.of(w.sequenceNumber()));
            columns.text(Written::causeId);
            columns.number(w -> w.synced().at().map(Synced.Version::epoch));
            columns.number(w -> w.synced().at().map(Synced.Version::version));
            columns.text(w -> Optional.of(w.synced().status().name()));
            columns.text(w -> Optional.of(Boolean.toString(w.row().owesOrderRequest())));
            columns.text(w -> Optional.of(w.json()));
            s.executeUpdate();
        }
    }

    /** Since 1970; exact until 2255, and these are times at which something was written. */
    private static long micros(Instant time) {
        return Math.addExact(
                TimeUnit.SECONDS.toMicros(time.getEpochSecond()), TimeUnit.NANOSECONDS.toMicros(time.getNano()));
    }

    private final class Columns {

        private final Connection connection;
        private final PreparedStatement statement;
        private int index;

        Columns(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        void text(Function<Written, Optional<String>> column) throws SQLException {
            @Nullable String[] values = new String[rows.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = column.apply(rows.get(i)).orElse(null);
            }
            statement.setArray(++index, connection.createArrayOf("text", values));
        }

        void number(Function<Written, Optional<Long>> column) throws SQLException {
            @Nullable Long[] values = new Long[rows.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = column.apply(rows.get(i)).orElse(null);
            }
            statement.setArray(++index, connection.createArrayOf("bigint", values));
        }
    }
}
