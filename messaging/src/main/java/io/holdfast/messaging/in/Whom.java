package io.holdfast.messaging.in;

/** Who is asked because of an event, for people and metrics. */
public enum Whom {
    /** An entity. */
    RESERVATION("reservation"),
    /** An order of the built-in order service. */
    ORDER("order"),
    /** The view that finds the reservations of an order. */
    VIEW("reservation_view"),
    /** The table of events that wait. */
    PARKED_EVENTS("parked_event"),
    /** The topics of events that can't be understood. */
    DEAD_LETTERS("dead letters");

    private final String title;

    Whom(String title) {
        this.title = title;
    }

    /** As it is shown. */
    public String title() {
        return title;
    }
}
