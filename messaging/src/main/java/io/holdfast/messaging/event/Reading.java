package io.holdfast.messaging.event;

/** What came of reading an event. */
public sealed interface Reading {

    /** It says this. */
    record Understood(Announcement announcement) implements Reading {}

    /** Of a type that is meant for others. */
    record Ignored(String type) implements Reading {}

    /**
     * It can't be understood, however often it is read by this version.
     *
     * @param detail for people; repeats no more than short pieces of the event
     */
    record Poison(PoisonReason reason, String detail) implements Reading {}
}
