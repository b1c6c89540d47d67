package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.OrderType.InstantOrder;
import io.holdfast.reservation.domain.OrderType.ScheduledOrder;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Accounted;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Review;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The columns that are derived from a reservation's state. */
record ViewRow(
        Reservation state,
        Optional<Claim> claim,
        Optional<Books> latest,
        long confirmed,
        long released,
        long refunded,
        Optional<String> review) {

    static final String UPSERT = """
        insert into reservation_view as v (
            reservation_id, status, pool, merchant, dish, order_id, order_item_id, user_id, order_type,
            processing_time, quantity, attention_at, confirmed, released, refunded, review, epoch, redis_version,
            created_at, updated_at, sequence_number, state)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb)
        on conflict (reservation_id) do update set
            status = excluded.status, pool = excluded.pool, merchant = excluded.merchant, dish = excluded.dish,
            order_id = excluded.order_id, order_item_id = excluded.order_item_id, user_id = excluded.user_id,
            order_type = excluded.order_type, processing_time = excluded.processing_time,
            quantity = excluded.quantity, attention_at = excluded.attention_at, confirmed = excluded.confirmed,
            released = excluded.released, refunded = excluded.refunded, review = excluded.review,
            epoch = excluded.epoch, redis_version = excluded.redis_version, updated_at = excluded.updated_at,
            sequence_number = excluded.sequence_number, state = excluded.state
        where v.sequence_number < excluded.sequence_number
        """;

    static ViewRow of(Reservation state) {
        Optional<Account> account = state.units();
        return new ViewRow(
                state,
                state.asked(),
                latest(state),
                confirmed(state),
                account.map(Account::released).orElse(0L),
                account.map(Account::refunded).orElse(0L),
                state.underReview().map(Review::reason));
    }

    private static Optional<Books> latest(Reservation state) {
        return switch (state.unmarked()) {
            case None _, Preparing _ -> Optional.empty();
            case Rejected rejected -> Optional.of(rejected.books());
            case Canceled canceled -> canceled.account().map(Account::latest);
            case Accounted accounted -> Optional.of(accounted.account().latest());
        };
    }

    private static long confirmed(Reservation state) {
        return switch (state.unmarked()) {
            case Confirmed s -> s.confirmed();
            case Refunding s -> s.confirmed().orElse(0);
            case Refunded s -> s.confirmed().orElse(0);
            case None _,
                    Preparing _,
                    Reserved _,
                    CreatedReserved _,
                    Confirming _,
                    Canceling _,
                    Canceled _,
                    Rejected _ -> 0;
        };
    }

    void bind(PreparedStatement s, Instant createdAt, Instant updatedAt, long sequenceNumber, String json)
            throws SQLException {
        int i = 0;
        s.setString(++i, state.id());
        s.setString(++i, state.status().name());
        s.setString(++i, text(claim.map(c -> c.pool().value())));
        s.setString(++i, text(claim.map(c -> c.terms().line().merchant())));
        s.setString(++i, text(claim.map(c -> c.terms().line().dish())));
        s.setString(++i, text(claim.map(c -> c.terms().line().orderId())));
        s.setString(++i, text(claim.map(c -> c.terms().line().orderItemId())));
        s.setString(++i, text(claim.flatMap(c -> c.terms().line().userId())));
        s.setString(++i, text(claim.map(c -> orderType(c.terms().orderType()))));
        time(s, ++i, claim.flatMap(c -> processingTime(c.terms().orderType())));
        number(s, ++i, claim.map(c -> c.terms().quantity()));
        time(s, ++i, claim.map(Claim::attentionAt));
        s.setLong(++i, confirmed);
        s.setLong(++i, released);
        s.setLong(++i, refunded);
        s.setString(++i, text(review));
        number(s, ++i, latest.map(Books::epoch));
        number(s, ++i, latest.map(Books::version));
        time(s, ++i, Optional.of(createdAt));
        time(s, ++i, Optional.of(updatedAt));
        s.setLong(++i, sequenceNumber);
        s.setString(++i, json);
    }

    private static String orderType(OrderType type) {
        return switch (type) {
            case InstantOrder() -> "INSTANT";
            case ScheduledOrder _ -> "SCHEDULED";
        };
    }

    private static Optional<Instant> processingTime(OrderType type) {
        return switch (type) {
            case InstantOrder() -> Optional.empty();
            case ScheduledOrder(Instant at) -> Optional.of(at);
        };
    }

    private static @Nullable String text(Optional<String> value) {
        return value.orElse(null);
    }

    private static void number(PreparedStatement s, int index, Optional<Long> value) throws SQLException {
        if (value.isPresent()) {
            s.setLong(index, value.get());
        } else {
            s.setNull(index, Types.BIGINT);
        }
    }

    private static void time(PreparedStatement s, int index, Optional<Instant> value) throws SQLException {
        if (value.isPresent()) {
            s.setObject(index, OffsetDateTime.ofInstant(value.get(), ZoneOffset.UTC));
        } else {
            s.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE);
        }
    }
}
