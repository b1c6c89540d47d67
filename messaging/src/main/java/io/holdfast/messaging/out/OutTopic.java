package io.holdfast.messaging.out;

/** Where a message goes, whatever the topic is called. */
public enum OutTopic {
    /** What happened to the numbers of a pool; keyed by pool. */
    STOCK_CHANGE,
    /** What happened to the reservations of an order; keyed by order. */
    LIFECYCLE,
    /** What order services are asked for on behalf of admitted holds; keyed by reservation. */
    ORDER_REQUESTS,
    /** The life of the orders that this fleet makes; keyed by order. */
    ORDERS
}
