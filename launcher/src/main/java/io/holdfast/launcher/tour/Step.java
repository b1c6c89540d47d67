package io.holdfast.launcher.tour;

/** One stop of the tour. Stops come in a fixed order, since each finds what the ones before it left. */
interface Step {

    /** What it shows, in a few words. */
    String title();

    /** Whether it is left out where there is no Kafka. */
    default boolean needsKafka() {
        return false;
    }

    /** Walks it. An exception counts as a broken promise; the tour goes on. */
    void walk(Stage stage) throws Exception;
}
