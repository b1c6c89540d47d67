package io.holdfast.messaging.out;

import io.holdfast.engine.entity.Entry;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.Resolution;
import io.holdfast.order.domain.Review;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an entry of an order's journal announces: what any order system would tell of its orders, so that reservations need not know which
 * one it is. Units go back to the final stock first; only then is told that they do.
 */
public final class OrderMessages {

    private OrderMessages() {}

    /** The messages of one entry. */
    public static List<OutgoingMessage> of(JournalStep<Order, OrderEvent> step) {
        return switch (step.entry()) {
            case Entry.Happened<OrderEvent>(OrderEvent event, var _) ->
                news(step, event).map(List::of).orElseGet(List::of);
            case Entry.EffectStalled<OrderEvent> _ -> List.of();
        };
    }

    private static Optional<OutgoingMessage> news(JournalStep<Order, OrderEvent> step, OrderEvent event) {
        return switch (event) {
            case OrderEvent.OrderCreated(Instant createdAt, Instant payBy) ->
                message(
                        step,
                        "OrderCreated",
                        whole(step).with("created_at", createdAt.toString()).with("pay_by", payBy.toString()));
            // The hold that was taken anew hears of the order as any hold does; the cancelled order's own has heard of
            // its end.
            case OrderEvent.OrderReacquired(var _, String hold) ->
                message(
                        step,
                        "OrderCreated",
                        whole(step, hold)
                                .with("created_at", placed(step).createdAt().toString())
                                .with("pay_by", placed(step).payBy().toString()));
            case OrderEvent.ReacquireFailed(var _, Optional<String> hold, String reason) ->
                hold.flatMap(held ->
                        message(step, "OrderCreatedFailed", whole(step, held).with("reason", reason)));
            case OrderEvent.OrderRejected(RejectReason reason) ->
                message(step, "OrderCreatedFailed", whole(step).with("reason", reason.name()));
            case OrderEvent.OrderCancelled _ ->
                message(step, "OrderCanceled", whole(step).with("reason", reason(step)));
            case OrderEvent.OrderRefunded(OrderRefund refund, var _) ->
                message(
                        step,
                        "RefundRequested",
                        new Data()
                                .with("order_id", step.after().id())
                                .with("refund_id", refund.refundId())
                                .with("restock", refund.restock())
                                .with("lines", List.of(line(step, refund.units()))));
            case OrderEvent.ReviewOpened(Review review) ->
                toPersons(
                        step,
                        "InventoryOrderReviewOpened",
                        new Data()
                                .with("reason_code", review.trigger().name())
                                .with("reason", review.reason())
                                .with("evidence", review.evidence()));
            case OrderEvent.ReviewLifted(Resolution resolution, String reason) ->
                toPersons(
                        step,
                        "InventoryOrderReviewLifted",
                        new Data()
                                .with(
                                        "resolution",
                                        switch (resolution) {
                                            case Resolution.Continue() -> "CONTINUE";
                                            case Resolution.SettledOutside _ -> "SETTLED_OUTSIDE";
                                        })
                                .with("reason", reason));
            case OrderEvent.OrderRequested _,
                    OrderEvent.DeadlineReached _,
                    OrderEvent.CancelNoted _,
                    OrderEvent.PaymentReceived _,
                    OrderEvent.OrderAwaited _,
                    OrderEvent.OrderNotFound _,
                    OrderEvent.PaymentBegun _,
                    OrderEvent.OrderPaid _,
                    OrderEvent.PaymentFoundSurplus _,
                    OrderEvent.ReacquireStarted _,
                    OrderEvent.HoldTakenAgain _,
                    OrderEvent.PaymentGivenBack _,
                    OrderEvent.CancelStarted _,
                    OrderEvent.CancelMarked _,
                    OrderEvent.PaymentClosed _,
                    OrderEvent.RefundNoted _,
                    OrderEvent.RefundStarted _,
                    OrderEvent.FactNoted _,
                    OrderEvent.ContradictionNoticed _ -> Optional.empty();
        };
    }

    /** Not on the topic of orders: whoever follows those need not know who waits for a person. */
    private static Optional<OutgoingMessage> toPersons(JournalStep<Order, OrderEvent> step, String type, Data more) {
        String id = step.after().id();
        return Optional.of(step.message(
                OutTopic.LIFECYCLE,
                "",
                type,
                id,
                id,
                new Data()
                        .with("order_id", id)
                        .with("reservation_id", step.after().holdId())
                        .with("status", step.after().status().name())
                        .with(more)));
    }

    private static String reason(JournalStep<Order, OrderEvent> step) {
        return step.before().unmarked() instanceof Order.CancelPending pending
                ? pending.reason().name()
                : CancelReason.OPERATOR.name();
    }

    /** Its only line, all of it. */
    private static Data whole(JournalStep<Order, OrderEvent> step) {
        return whole(step, step.after().id());
    }

    private static Data whole(JournalStep<Order, OrderEvent> step, String hold) {
        return new Data().with("order_id", step.after().id()).with("inventory_reservation_ids", List.of(hold));
    }

    private static Order.Placed placed(JournalStep<Order, OrderEvent> step) {
        if (step.after().unmarked() instanceof Order.Existing existing) {
            return existing.placed();
        }
        throw new IllegalStateException("order " + step.after().id() + " came back and does not exist");
    }

    private static Map<String, Object> line(JournalStep<Order, OrderEvent> step, long units) {
        return new Data()
                .with("reservation_id", step.after().holdId())
                .with("quantity", units)
                .fields();
    }

    /** An order has the id of the reservation it was made of. */
    private static Optional<OutgoingMessage> message(JournalStep<Order, OrderEvent> step, String type, Data data) {
        String id = step.after().id();
        return Optional.of(step.message(OutTopic.ORDERS, "", type, id, id, data));
    }
}
