package io.holdfast.reservation.entity;

/** Hears of units that this node has asked to have moved between buckets. Called on threads that must not wait. */
@FunctionalInterface
public interface MoveListener {

    /** What the node that asked heard. */
    enum End {
        /** The units are there, or owed to Redis there. */
        MADE,
        /** It goes on, and nobody waits for it any more. */
        UNDER_WAY,
        /** It was not made: others had the units by then, or too many moves have been made since they were seen. */
        REFUSED,
        /** The pool that gives could not be asked, or did not answer: it may be made all the same. */
        UNANSWERED
    }

    /** @param units as many as were asked for */
    void moved(End end, long units);

    /** Listens to nothing. */
    static MoveListener none() {
        return (_, _) -> {};
    }
}
