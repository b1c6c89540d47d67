package io.holdfast.http.wire;

import io.holdfast.reservation.domain.Fact;
import java.util.List;
import java.util.Optional;

/**
 * News of an order.
 *
 * @param orderId which; absent where that is not known
 */
public record FactView(
        String fact,
        Optional<String> orderId,
        Optional<Long> quantity,
        Optional<String> refundId,
        Optional<Boolean> restock,
        Optional<String> reason) {

    static List<FactView> of(List<Fact> facts) {
        return facts.stream().map(FactView::of).toList();
    }

    static FactView of(Fact fact) {
        return switch (fact) {
            case Fact.OrderCreated created ->
                new FactView(
                        "ORDER_CREATED",
                        fact.order(),
                        created.quantity().isPresent()
                                ? Optional.of(created.quantity().getAsLong())
                                : Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
            case Fact.OrderCreatedFailed(var _, String reason) ->
                new FactView(
                        "ORDER_CREATED_FAILED",
                        fact.order(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(reason));
            case Fact.OrderCanceled(var _, String reason) ->
                new FactView(
                        "ORDER_CANCELED",
                        fact.order(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(reason));
            case Fact.RefundRequested(var _, String refundId, long quantity, boolean restock) ->
                new FactView(
                        "REFUND_REQUESTED",
                        fact.order(),
                        Optional.of(quantity),
                        Optional.of(refundId),
                        Optional.of(restock),
                        Optional.empty());
        };
    }
}
