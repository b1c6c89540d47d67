package io.holdfast.reservation.domain;

import java.time.Instant;

/** When a created order takes its goods. */
public sealed interface OrderType {

    /** As soon as the order is created. */
    record InstantOrder() implements OrderType {}

    /**
     * Later: until then the goods stay reserved.
     *
     * @param processingTime when they become sold
     */
    record ScheduledOrder(Instant processingTime) implements OrderType {}
}
