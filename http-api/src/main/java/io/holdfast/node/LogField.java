package io.holdfast.node;

/**
 * Names of what a line of the log is about, one for the whole product, so that what was said of one reservation, order or message is found
 * by one search. Never labels of metrics: they have no end.
 */
final class LogField {

    static final String MESSAGE_ID = "message_id";
    static final String EFFECT = "effect";
    static final String ATTEMPT_COUNT = "attempt_count";
    static final String ERROR_CLASS = "error_class";
    /** Topic, partition and offset, for an event whose id can't be read. */
    static final String EVENT_PLACE = "event_place";

    /** What a difference was found at: a reservation's id, or the pool's books. */
    static final String FOUND_AT = "found_at";

    static final String POOL = "pool";

    private LogField() {}

    /** The name of the id of a machine's entities: {@code reservation_id}, {@code order_id}, and of a pool just {@code pool}. */
    static String idOf(String machine) {
        return machine.equals("stock-pool") ? POOL : machine.replace('-', '_') + "_id";
    }
}
