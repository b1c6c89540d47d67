package io.holdfast.compensation.entity;

/** Hears what the scripts that give stock back answer. Called on the thread that has the answer; must not block or throw. */
@FunctionalInterface
public interface CompensationListener {

    /** What a script answers, few enough to be counted by name. */
    enum Answered {
        RELEASED,
        ALREADY_RELEASED,
        FENCED_EMPTY,
        REFUNDED,
        ALREADY_REFUNDED,
        /** A hold that the journal has is not in Redis. */
        MISSING,
        CONFIRMED_ALREADY,
        OTHER_COMPENSATION,
        MISMATCH,
        CONFLICT,
        EXCEEDS,
        CONTRADICTION,
        ARCHIVED,
        /** A guard refused: Redis can't be believed, or the call was malformed. */
        REFUSED
    }

    /** A script answered. */
    void answered(Answered answer);

    /** Nobody counts. */
    static CompensationListener none() {
        return _ -> {};
    }
}
