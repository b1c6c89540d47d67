package io.holdfast.order.domain;

import io.holdfast.reservation.domain.Ids;

/**
 * Units of a paid order that go back, with the money for them.
 *
 * @param refundId unique within the order
 * @param units at least 1
 * @param amount of the payment that paid the order
 * @param restock whether the units can be sold again; if not they stay sold
 */
public record OrderRefund(String refundId, long units, Money amount, boolean restock) {

    /** @throws IllegalArgumentException if the id or the units break the rule */
    public OrderRefund {
        Ids.part("refund_id", refundId);
        Ids.positive("units", units);
    }
}
