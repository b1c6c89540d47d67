package io.holdfast.engine.projection;

/** What becomes of an order given to a projection. */
public sealed interface Ordered {

    /**
     * It is written down; the nodes that run the projection carry it out within a second or so, or when the first of them starts.
     *
     * @param what it comes to, in words
     */
    record Accepted(String what) implements Ordered {}

    /**
     * Nothing has changed.
     *
     * @param why in words
     */
    record Refused(String why) implements Ordered {}
}
