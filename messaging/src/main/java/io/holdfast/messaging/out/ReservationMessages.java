package io.holdfast.messaging.out;

import io.holdfast.engine.entity.Entry;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.LateAdmission;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.Resolution;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.domain.Terms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an entry of a reservation's journal announces. Pure: the same entry, between the same states, always gives the same messages under
 * the same ids.
 *
 * <p>Nothing is announced of steps that only begin something; what it comes to is.
 */
final class ReservationMessages {

    private final JournalStep<Reservation, ReservationEvent> step;
    private final Reservation before;
    private final Reservation after;
    private final List<OutgoingMessage> messages = new ArrayList<>();

    private ReservationMessages(JournalStep<Reservation, ReservationEvent> step) {
        this.step = step;
        this.before = step.before();
        this.after = step.after();
    }

    /** The messages of one entry. */
    static List<OutgoingMessage> of(JournalStep<Reservation, ReservationEvent> step) {
        var writing = new ReservationMessages(step);
        switch (step.entry()) {
            case Entry.Happened<ReservationEvent>(ReservationEvent event, var _) -> writing.happened(event);
            case Entry.EffectStalled<ReservationEvent> stalled -> writing.stalled(stalled);
        }
        return List.copyOf(writing.messages);
    }

    private void happened(ReservationEvent event) {
        switch (event) {
            case ReservationEvent.HoldGranted(Books books) -> {
                long units = claim().terms().quantity();
                stock("InventoryRedisReserved", "TRY", units, StockMove.held(units), books, new Data());
                lifecycle("InventoryReserved", new Data().with("quantity", units));
            }
            case ReservationEvent.HoldAdopted e -> {
                long units = e.terms().quantity();
                stock("InventoryRedisReserved", "TRY", units, StockMove.held(units), e.books(), new Data());
                lifecycle("InventoryReserved", new Data().with("quantity", units));
            }
            case ReservationEvent.AdmissionCameLate(PoolId pool, Terms terms, Books books) -> {
                long units = terms.quantity();
                stock("InventoryRedisReserved", "TRY", pool, terms, units, StockMove.held(units), books, new Data());
            }
            case ReservationEvent.AdmissionReturned(long units, Books books) -> {
                LateAdmission late = after.late().orElseThrow();
                if (units > 0) {
                    stock(
                            "InventoryRedisCanceled",
                            "CANCEL",
                            late.pool(),
                            late.terms(),
                            units,
                            StockMove.released(units, books),
                            books,
                            new Data());
                }
            }
            // No number moves by it: the pool is loaded anew without it.
            case ReservationEvent.AdmissionWasLost _ ->
                lifecycle("InventoryCanceled", released(0, canceled().cancellation()));
            case ReservationEvent.HoldDenied(var reason, var _) ->
                lifecycle(
                        "InventoryRejected",
                        new Data()
                                .with("quantity", claim().terms().quantity())
                                .with(
                                        "reason_code",
                                        ReservationRefusal.of(reason).code()));
            case ReservationEvent.TombstoneSet(Cancellation cancellation) ->
                lifecycle("InventoryCanceled", released(0, cancellation));
            case ReservationEvent.FactNoted(Fact fact) -> {
                if (after.unmarked() instanceof Reservation.None && fact instanceof Fact.OrderCreated) {
                    lifecycle("InventoryHoldUnknown", caused(), fact.order());
                }
            }
            case ReservationEvent.FactRefused(Fact fact, ReservationRefusal reason) ->
                lifecycle(
                        switch (fact) {
                            case Fact.OrderCreated _ -> "InventoryConfirmRefused";
                            case Fact.OrderCreatedFailed _ -> "InventoryCancelRefused";
                            case Fact.OrderCanceled _, Fact.RefundRequested _ -> "InventoryRefundRefused";
                        },
                        refused(fact, reason),
                        fact.order());
            case ReservationEvent.ConfirmScheduled(long ordered, Instant processingTime) ->
                lifecycle(
                        "InventoryConfirmScheduled",
                        new Data().with("quantity", ordered).with("due_at", processingTime.toString()));
            case ReservationEvent.HoldConfirmed(long confirmed, long released, Books books) -> {
                Data counted = new Data().with("confirmed", confirmed).with("released", released);
                stock(
                        "InventoryRedisConfirmed",
                        "CONFIRM",
                        confirmed,
                        StockMove.confirmed(confirmed, released, books),
                        books,
                        counted);
                lifecycle("InventoryConfirmed", counted);
            }
            case ReservationEvent.HoldReleased(long released, Books books) -> {
                Cancellation cancellation = canceled().cancellation();
                if (released > 0) {
                    stock(
                            "InventoryRedisCanceled",
                            "CANCEL",
                            released,
                            StockMove.released(released, books),
                            books,
                            new Data());
                }
                lifecycle("InventoryCanceled", released(released, cancellation));
            }
            case ReservationEvent.HoldRefunded(Refund refund, Books books) -> refunded(refund, books);
            // Its pool was archived: no number moved.
            case ReservationEvent.RefundRecorded(Refund refund) -> refunded(refund);
            case ReservationEvent.OverdueNoticed(Instant attentionAt) ->
                lifecycle("InventoryOverdue", new Data().with("attention_at", attentionAt.toString()));
            case ReservationEvent.ReviewOpened(var review) ->
                lifecycle(
                        "InventoryReviewOpened",
                        new Data()
                                .with("reason_code", review.trigger().name())
                                .with("reason", review.reason())
                                .with("evidence", review.evidence()));
            case ReservationEvent.ReviewLifted(Resolution resolution, String reason) -> lifted(resolution, reason);
            case ReservationEvent.ContradictionNoticed(String causeId) ->
                lifecycle("InventoryEventContradicted", new Data().with("cause_id", causeId));
            case ReservationEvent.HoldRequested _,
                    ReservationEvent.HandedOff _,
                    ReservationEvent.OrderRequestSent _,
                    ReservationEvent.RequestAwaited _,
                    ReservationEvent.ConfirmStarted _,
                    ReservationEvent.ReleaseStarted _,
                    ReservationEvent.RefundStarted _,
                    ReservationEvent.InquiryStarted _,
                    ReservationEvent.OrderInquired _,
                    ReservationEvent.VerificationSeen _,
                    ReservationEvent.EpochSeen _ -> {}
        }
    }

    private void refunded(Refund refund, Books books) {
        if (!(before.unmarked() instanceof Reservation.Refunding refunding)) {
            throw new IllegalStateException(step.eventId() + ": a refund ended that had not begun");
        }
        boolean wasSold = refunding.origin() == Reservation.Origin.CONFIRMED;
        // Goods that were sold and are not restocked move no number.
        if (refund.restock() || !wasSold) {
            long units = refund.quantity();
            StockMove move;
            if (!refund.restock()) {
                move = StockMove.keptSold(units);
            } else {
                move = wasSold ? StockMove.returned(units, books) : StockMove.released(units, books);
            }
            stock("InventoryRedisRefunded", "REFUND", units, move, books, counted(refund));
        }
        refunded(refund);
    }

    private static Data counted(Refund refund) {
        return new Data().with("refund_id", refund.id()).with("restock", refund.restock());
    }

    private void refunded(Refund refund) {
        // What the order never wanted is no refund to the order domain.
        if (!refund.id().equals(Refund.SURPLUS)) {
            lifecycle(
                    "InventoryRefunded",
                    new Data()
                            .with(counted(refund))
                            .with("quantity", refund.quantity())
                            .with("remaining", after.units().orElseThrow().remaining()));
        }
    }

    /** A person who declares an end has the order domain told of that end, by its usual name; no number moved. */
    private void lifted(Resolution resolution, String reason) {
        Data decided = new Data().with("reason", reason);
        switch (resolution) {
            case Resolution.Continue() -> lifecycle("InventoryReviewLifted", decided.with("resolution", "CONTINUE"));
            case Resolution.StandAs(Resolution.Ending ending) -> {
                lifecycle("InventoryReviewLifted", decided.with("resolution", ending.name()));
                Data declared = new Data().with("declared", true);
                switch (ending) {
                    case CONFIRMED ->
                        end(
                                "InventoryConfirmed",
                                declared.with("confirmed", remaining()).with("released", 0L));
                    case CANCELED ->
                        end(
                                "InventoryCanceled",
                                declared.with("released", 0L)
                                        .with("reason_code", Cancellation.Cause.OPERATOR.name())
                                        .with("reason", reason));
                    case REFUNDED ->
                        end(
                                "InventoryRefunded",
                                declared.with("refund_id", Refund.DECLARED)
                                        .with("restock", true)
                                        .with("quantity", remaining())
                                        .with("remaining", 0L));
                }
            }
        }
    }

    private long remaining() {
        return before.units().orElseThrow().remaining();
    }

    private void stalled(Entry.EffectStalled<ReservationEvent> stalled) {
        lifecycle("InventoryOperationDead", Stalls.data(stalled));
    }

    private Reservation.Canceled canceled() {
        return (Reservation.Canceled) after.unmarked();
    }

    private static Data released(long units, Cancellation cancellation) {
        return new Data()
                .with("released", units)
                .with("reason_code", cancellation.cause().name())
                .with("reason", cancellation.reason());
    }

    private Data refused(Fact fact, ReservationRefusal reason) {
        Data data = caused().with("reason_code", reason.code())
                .with("reason", reason.explanation())
                .with("conflict", reason.conflict());
        if (fact instanceof Fact.RefundRequested requested) {
            data.with("refund_id", requested.refundId()).with("quantity", requested.quantity());
        }
        return data;
    }

    /** The event of the order domain that this answers. */
    private Data caused() {
        return new Data().with("cause_id", step.entry().meta().cause().id());
    }

    // ---- writing

    private void stock(String type, String action, long units, StockMove move, Books books, Data more) {
        Claim claim = claim();
        stock(type, action, claim.pool(), claim.terms(), units, move, books, more);
    }

    private void stock(
            String type, String action, PoolId pool, Terms terms, long units, StockMove move, Books books, Data more) {
        messages.add(step.message(
                OutTopic.STOCK_CHANGE,
                "/stock",
                type,
                pool.value(),
                after.id(),
                new Data()
                        .with("reservation_id", after.id())
                        .with(line(terms))
                        .with(PoolMessages.pool(pool))
                        .with("action", action)
                        .with("quantity", units)
                        .with(more)
                        .with(MoveData.of(move, books))));
    }

    private void lifecycle(String type, Data more) {
        lifecycle(type, more, Optional.empty());
    }

    /** @param meant the order that the cause named, where the reservation itself is of none */
    private void lifecycle(String type, Data more, Optional<String> meant) {
        messages.add(lifecycleMessage("", type, more, meant));
    }

    private void end(String type, Data more) {
        messages.add(lifecycleMessage("/end", type, more, Optional.empty()));
    }

    private OutgoingMessage lifecycleMessage(String suffix, String type, Data more, Optional<String> meant) {
        Data data = new Data().with("reservation_id", after.id());
        Optional<Claim> asked = after.asked();
        Optional<String> order = after.order();
        if (asked.isPresent()) {
            data.with(line(asked.get().terms())).with("pool", asked.get().pool().value());
        } else {
            data.with("order_id", order.or(() -> meant));
        }
        meant.filter(named -> order.filter(own -> !own.equals(named)).isPresent())
                .ifPresent(named -> data.with("named_order_id", named));
        data.with("status", after.status().name()).with(more);
        return step.message(
                OutTopic.LIFECYCLE, suffix, type, order.or(() -> meant).orElse(after.id()), after.id(), data);
    }

    private static Data line(Terms terms) {
        var line = terms.line();
        Data data = new Data()
                .with("order_id", line.orderId())
                .with("order_item_id", line.orderItemId())
                .with("merchant", line.merchant())
                .with("dish", line.dish())
                .with("user_id", line.userId());
        return switch (terms.orderType()) {
            case OrderType.InstantOrder() -> data.with("order_type", "INSTANT");
            case OrderType.ScheduledOrder(Instant at) ->
                data.with("order_type", "SCHEDULED").with("processing_time", at.toString());
        };
    }

    private Claim claim() {
        return after.asked().orElseThrow(() -> new IllegalStateException(step.eventId() + ": nothing was asked for"));
    }
}
