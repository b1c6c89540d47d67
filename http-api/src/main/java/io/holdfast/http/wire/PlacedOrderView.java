package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.PaymentBook;
import io.holdfast.order.domain.Review;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An order of the built-in order service as it stands.
 *
 * @param orderId which; also the id of its reservation
 * @param sequenceNumber of its latest event
 * @param item what was asked for; absent while only payments for it are known
 * @param createdAt when the database created it
 * @param payBy when its cancellation begins unless it is paid
 * @param cancellation why, and when it ended; absent unless it is wanted
 * @param rejection why there is no order
 * @param paying payments that were begun
 * @param payments payments that succeeded, and what became of each
 * @param refunds units that went back, or are about to
 * @param review why a person must look
 * @param working what is still being done
 */
public record PlacedOrderView(
        String orderId,
        String status,
        long sequenceNumber,
        Optional<ItemView> item,
        Optional<Instant> createdAt,
        Optional<Instant> payBy,
        Optional<CancellationView> cancellation,
        Optional<String> rejection,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> paying,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PaymentView> payments,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RefundView> refunds,
        Optional<ReviewView> review,
        List<WorkingView> working,
        Links links) {

    /** What was asked for. */
    public record ItemView(
            String activity,
            String sku,
            String userId,
            long quantity,
            String requestId,
            Instant reservedAt,
            Instant businessDeadline) {
        static ItemView of(OrderCreateRequested request) {
            return new ItemView(
                    request.activity(),
                    request.sku(),
                    request.userId(),
                    request.quantity(),
                    request.requestId(),
                    request.reservedAt(),
                    request.businessDeadline());
        }
    }

    /** Why it is cancelled, and when it was. */
    public record CancellationView(String reason, Optional<Instant> at) {}

    /**
     * A payment that succeeded.
     *
     * @param standing RECEIVED until it is on record, REACQUIRING while the cancelled order may come back for it, SETTLED when it paid the
     *     order, SURPLUS while it is on its way back, GIVEN_BACK
     * @param reason why it pays nothing
     * @param reference the provider's name for the giving back
     */
    public record PaymentView(
            String paymentId,
            String provider,
            String providerTransaction,
            long amount,
            String currency,
            Instant paidAt,
            String standing,
            Optional<String> reason,
            Optional<String> reference) {
        static PaymentView of(PaymentBook.Entry entry) {
            return switch (entry.standing()) {
                case PaymentBook.Standing.Received() -> of(entry, "RECEIVED", Optional.empty(), Optional.empty());
                case PaymentBook.Standing.Reacquiring _ -> of(entry, "REACQUIRING", Optional.empty(), Optional.empty());
                case PaymentBook.Standing.Settled() -> of(entry, "SETTLED", Optional.empty(), Optional.empty());
                case PaymentBook.Standing.Surplus(var reason, var _) ->
                    of(entry, "SURPLUS", Optional.of(reason.name()), Optional.empty());
                case PaymentBook.Standing.GivenBack(var reason, String reference) ->
                    of(entry, "GIVEN_BACK", Optional.of(reason.name()), Optional.of(reference));
            };
        }

        private static PaymentView of(
                PaymentBook.Entry entry, String standing, Optional<String> reason, Optional<String> reference) {
            var payment = entry.payment();
            return new PaymentView(
                    payment.paymentId(),
                    payment.provider(),
                    payment.transaction(),
                    payment.amount().minor(),
                    payment.amount().currency(),
                    payment.paidAt(),
                    standing,
                    reason,
                    reference);
        }
    }

    /**
     * Units that go back.
     *
     * @param result REFUNDED, REFUNDING, or WAITING for the one before it
     */
    public record RefundView(
            String refundId, long quantity, long amount, String currency, boolean restock, String result) {
        static RefundView of(OrderRefund refund, String result) {
            Money money = refund.amount();
            return new RefundView(
                    refund.refundId(), refund.units(), money.minor(), money.currency(), refund.restock(), result);
        }
    }

    /** Why a person must look. */
    public record ReviewView(String trigger, String reason, Map<String, String> evidence, String stateBeneath) {
        static ReviewView of(Review review, Order.Unmarked beneath) {
            return new ReviewView(
                    review.trigger().name(),
                    review.reason(),
                    review.evidence(),
                    beneath.status().name());
        }
    }

    /** Where to read more. */
    public record Links(String self, String reservation) {}

    /** The wire form of what an order answered. */
    public static PlacedOrderView of(Reply<Order> reply) {
        Order state = reply.state();
        Order.Unmarked plain = state.unmarked();
        Optional<Order.Placed> placed =
                plain instanceof Order.Existing existing ? Optional.of(existing.placed()) : Optional.empty();
        return new PlacedOrderView(
                reply.entityId(),
                state.status().name(),
                reply.sequenceNumber(),
                state.asked().map(ItemView::of),
                placed.map(Order.Placed::createdAt),
                placed.map(Order.Placed::payBy),
                cancellation(plain),
                plain instanceof Order.Rejected rejected
                        ? Optional.of(rejected.reason().name())
                        : Optional.empty(),
                plain instanceof Order.Paying paying ? paying.begun() : List.of(),
                state.payments().entries().stream().map(PaymentView::of).toList(),
                plain instanceof Order.Bought bought ? refunds(bought) : List.of(),
                state instanceof Order.UnderReview marked
                        ? Optional.of(ReviewView.of(marked.review(), plain))
                        : Optional.empty(),
                WorkingView.of(reply.working()),
                new Links(Paths.order(reply.entityId()), Paths.reservation(state.holdId())));
    }

    private static Optional<CancellationView> cancellation(Order.Unmarked state) {
        return switch (state) {
            case Order.Requested s -> s.cancel().map(PlacedOrderView::wanted);
            case Order.Created s -> s.cancel().map(PlacedOrderView::wanted);
            case Order.Paying s -> s.cancel().map(PlacedOrderView::wanted);
            case Order.CancelPending s -> Optional.of(wanted(s.reason()));
            case Order.Cancelled s ->
                Optional.of(new CancellationView(s.reason().name(), Optional.of(s.cancelledAt())));
            case Order.None _, Order.Rejected _, Order.Bought _ -> Optional.empty();
        };
    }

    private static CancellationView wanted(CancelReason reason) {
        return new CancellationView(reason.name(), Optional.empty());
    }

    private static List<RefundView> refunds(Order.Bought state) {
        List<RefundView> refunds = new ArrayList<>();
        state.purchase().refunds().forEach(refund -> refunds.add(RefundView.of(refund, "REFUNDED")));
        if (state instanceof Order.Refunding refunding) {
            refunds.add(RefundView.of(refunding.refund(), "REFUNDING"));
            refunding.noted().forEach(refund -> refunds.add(RefundView.of(refund, "WAITING")));
        }
        return refunds;
    }
}
