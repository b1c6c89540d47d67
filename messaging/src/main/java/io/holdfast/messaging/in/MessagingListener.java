package io.holdfast.messaging.in;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.messaging.event.PoisonReason;
import io.holdfast.messaging.event.RawEvent;

/** Told what becomes of events; for metrics and logs. Must not throw and not block. */
public interface MessagingListener {

    /** A reservation was told, and says this. */
    void told(String type, Verdict verdict, boolean repeated);

    /** An event is of a type meant for others. */
    void ignored(String type);

    /** An event is done with: its offset may move. */
    void handled(String topic);

    /** Nobody is known whom it concerns, or who is can't be told; it waits in {@code parked_event}. */
    void parked(RawEvent event, String reason);

    /** A parked event found whom it concerns. */
    void unparked(String type);

    /** An event can't be understood and is a dead letter now. */
    void buried(RawEvent event, PoisonReason reason, String detail);

    /** Somebody was asked in vain and is asked again. */
    void retried(Whom whom, int attempt, String why);

    /**
     * The group's position on a partition is gone, or lies where the topic has nothing: it begins at the earliest event that is there.
     *
     * @param dropped events known to be gone from the topic before they were done with
     */
    void positionLost(String topic, int partition, long dropped);

    /** The stream of events broke and begins again where its offsets are. */
    void broke(String what, Throwable failure);
}
