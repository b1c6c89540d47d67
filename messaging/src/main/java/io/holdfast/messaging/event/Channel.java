package io.holdfast.messaging.event;

/** What a topic carries, whatever it is called. */
public enum Channel {
    /** The life of orders, told by the order domain; keyed by order. */
    ORDERS,
    /** Hints that a scheduled order is due; keyed by reservation. */
    SCHEDULE,
    /** Requests for orders of admitted holds, for the built-in order service; keyed by reservation. */
    ORDER_REQUESTS
}
