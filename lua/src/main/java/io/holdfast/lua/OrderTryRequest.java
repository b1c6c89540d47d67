package io.holdfast.lua;

import java.time.Instant;
import java.util.List;

/**
 * Hold all lines of a group or none; asked by one of them for itself.
 *
 * @param reservation the line that asks; one of the lines
 * @param group identity of the group
 * @param fate what the line that decides for the group has journaled
 * @param pools each pool of the lines, once; all of one hash tag
 * @param lines all lines of the group while its fate is open, else the one that asks
 * @param now recorded as the time of the operation, to the millisecond
 */
public record OrderTryRequest(
        String reservation, String group, Fate fate, List<Pool> pools, List<Line> lines, Instant now) {

    /** What the line that decides for the group has journaled. */
    public enum Fate {
        /** Nothing yet: the script decides. For the deciding line alone. */
        OPEN,
        /** All lines are held. */
        HELD,
        /** None is. */
        REJECTED
    }

    /**
     * One pool.
     *
     * @param epoch as the caller knows it
     */
    public record Pool(String pool, long epoch) {}

    /**
     * One line.
     *
     * @param quantity units, at least 1
     */
    public record Line(String reservation, String pool, long quantity) {}

    public OrderTryRequest {
        pools = List.copyOf(pools);
        lines = List.copyOf(lines);
    }

    /**
     * Pool of the line that asks.
     *
     * @throws IllegalArgumentException if that is none of the lines
     */
    public String pool() {
        return lines.stream()
                .filter(line -> line.reservation().equals(reservation))
                .findFirst()
                .map(Line::pool)
                .orElseThrow(() -> new IllegalArgumentException(reservation + " is no line of its group " + group));
    }
}
