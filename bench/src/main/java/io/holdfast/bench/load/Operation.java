package io.holdfast.bench.load;

/** What a load repeats. */
@FunctionalInterface
public interface Operation {

    /**
     * Begins; returns without waiting for the end.
     *
     * @param number counts the operations of a load, each begun once
     * @param ended told once, on any thread, also before this returns
     */
    void begin(long number, Ended ended);

    /** Told how an operation ended. */
    interface Ended {
        /** As it should. */
        void asWished();

        /** Otherwise; the reason is counted, so it should not hold what is different each time. */
        void otherwise(String why);
    }
}
