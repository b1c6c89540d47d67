package io.holdfast.lua;

/**
 * A pool's numbers after a script, with the epoch and version they belong to. Units, all 0 to 2^53-1.
 * {@code total + deficit = available + reserved + sold} in every book a script has written.
 *
 * @param epoch generation of the pool in Redis, raised by a rebuild, from 1
 * @param version adds 1 with every change of the numbers, from 1; (epoch, version) orders all changes of a pool
 * @param total the baseline
 * @param deficit units promised beyond the total, because the total was lowered; available is 0 while there is one
 * @param available free to hold
 * @param reserved held, not yet confirmed
 * @param sold confirmed
 */
public record Books(long epoch, long version, long total, long deficit, long available, long reserved, long sold) {

    /** Whether total and parts agree. */
    public boolean balanced() {
        return total + deficit == available + reserved + sold;
    }
}
