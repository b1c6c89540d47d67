package io.holdfast.lua;

/** What {@code sold_out} answered. Nothing was written, and it is true of this instant only. */
public sealed interface SoldOutReply permits SoldOutReply.SoldOut, SoldOutReply.Ask, GuardRefusal.Malformed {

    /** The pool is open and trusted and has fewer units available, and Redis knows nothing of this reservation. */
    record SoldOut() implements SoldOutReply {}

    /** Only a Try can tell. */
    record Ask() implements SoldOutReply {}
}
