package io.holdfast.reconciliation.systems;

import java.util.List;
import java.util.Optional;

/**
 * What the order service and the reservations have of one order, both older than anything under way.
 *
 * @param orderId of the order
 * @param reservationId whose units are compared: of the same id, or of the one that the order came back with
 * @param order as the transactions decided it
 * @param hold as the reservation's journal adds up; empty where there is none
 */
record OrderAndHold(String orderId, String reservationId, OrderSide order, Optional<HoldSide> hold) {

    /** The order's side. */
    sealed interface OrderSide {

        /**
         * An order, as its row has it.
         *
         * @param status CREATED, CANCEL_PENDING, CANCELLED, PAID or REFUNDED
         * @param refunded units
         * @param version of the row
         * @param refunds that went back, in order
         */
        record Order(String status, long refunded, long version, List<SystemRepair.RefundTold> refunds)
                implements OrderSide {
            public Order {
                refunds = List.copyOf(refunds);
            }
        }

        /**
         * No order: the request was decided against.
         *
         * @param result why
         */
        record Rejected(String result) implements OrderSide {}
    }

    /**
     * The reservation's side.
     *
     * @param status of the reservation
     * @param refunded units
     * @param sequenceNumber of its latest event
     */
    record HoldSide(String status, Optional<String> pool, long refunded, long sequenceNumber) {}
}
