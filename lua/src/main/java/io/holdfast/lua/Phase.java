package io.holdfast.lua;

/** Where a reservation's fence stands. Moves one way: RESERVED to CONFIRMED, CANCELED or REFUNDED; CONFIRMED to REFUNDED. */
public enum Phase {
    /** Units are held. */
    RESERVED,
    /** Units are sold. */
    CONFIRMED,
    /** Released, or fenced before anything was held; holds nothing and never will. */
    CANCELED,
    /** The last unit was refunded. */
    REFUNDED,
    /** The Try was refused; the same Try is refused for ever. */
    REJECTED
}
