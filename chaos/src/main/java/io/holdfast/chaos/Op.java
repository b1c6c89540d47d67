package io.holdfast.chaos;

/**
 * One call as its caller saw it, with all the times it was sent.
 *
 * @param from when it was begun, in microseconds since the run began
 * @param to when its answer was there, or was given up
 * @param reservation whom it was about
 * @param pool the pool of the hold; empty where the call names none
 * @param quantity units; 0 where the call names none
 * @param key the refund's id, the payment's id, or empty
 * @param told what came of it
 * @param status the status in the answer; empty without one
 * @param sequence number of the reservation's latest event in the answer; -1 without one
 * @param code of the problem, or why there was no answer
 */
record Op(
        long from,
        long to,
        Kind kind,
        String reservation,
        String pool,
        long quantity,
        String key,
        Told told,
        String status,
        long sequence,
        String code) {

    /** What was asked. */
    enum Kind {
        HOLD,
        CONFIRM,
        CANCEL,
        REFUND,
        /** A request at the gate of a sale. */
        ADMIT,
        /** Money was paid for the order of an admitted hold. */
        PAY,
        READ,
        /** An event over Kafka: the order was created. */
        TELL_CREATED,
        /** An event over Kafka: the order will never exist. */
        TELL_FAILED
    }

    /** What came of it, as far as the caller knows. */
    enum Told {
        DONE,
        /** Taken, and under way when the caller's patience ended. */
        OPEN,
        REFUSED,
        /** Whether it was done is not known. */
        UNKNOWN,
        /** Nothing was changed. */
        NOT_TAKEN
    }

    /** Whether it may have done what it asks for. */
    boolean mayBeDone() {
        return switch (told) {
            case DONE, OPEN, UNKNOWN -> true;
            case REFUSED, NOT_TAKEN -> false;
        };
    }

    /** One line of the history's file. */
    String line() {
        return String.join(
                "\t",
                Long.toString(from),
                Long.toString(to),
                kind.name(),
                reservation,
                pool,
                Long.toString(quantity),
                key,
                told.name(),
                status,
                Long.toString(sequence),
                code.replaceAll("\\s+", " "));
    }
}
