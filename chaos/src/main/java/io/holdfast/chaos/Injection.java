package io.holdfast.chaos;

/**
 * A fault that was there for a while.
 *
 * @param from when it began, in microseconds since the run began
 * @param to when it ended
 * @param kind what it is called in the report
 * @param what to whom it was done
 * @param losesRedis whether Redis may have forgotten what it had answered
 * @param harmless whether it may disturb nobody
 */
record Injection(long from, long to, String kind, String what, boolean losesRedis, boolean harmless) {

    /** One line of the history's file. */
    String line() {
        return String.join(
                "\t", Long.toString(from), Long.toString(to), "FAULT", kind, what, losesRedis ? "loses" : "");
    }
}
