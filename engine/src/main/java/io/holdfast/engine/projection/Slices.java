package io.holdfast.engine.projection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * A contiguous range of the 128 slices every journal is divided into by the hash of its persistence id.
 *
 * @param from first slice, 0 to 127
 * @param to last slice, inclusive
 */
public record Slices(int from, int to) {

    /** Number of slices. Part of the journal's schema. */
    public static final int COUNT = 128;

    /** Number of shares in which nodes divide a projection among them. Part of the schema of offsets. */
    public static final int SHARES = 8;

    private static final int SHARE = COUNT / SHARES;

    public Slices {
        if (from < 0 || to < from || to >= COUNT) {
            throw new IllegalArgumentException(
                    "slices: 0 <= from <= to < " + COUNT + ", but from " + from + " to " + to);
        }
    }

    /** All of them. */
    public static Slices all() {
        return new Slices(0, COUNT - 1);
    }

    /** One share, from 0 to {@link #SHARES} - 1. */
    static Slices share(int number) {
        return new Slices(number * SHARE, number * SHARE + SHARE - 1);
    }

    /** The slices of these shares, in as few ranges as possible. */
    static List<Slices> ofShares(Collection<Integer> shares) {
        List<Slices> ranges = new ArrayList<>();
        for (int number : new TreeSet<>(shares)) {
            Slices share = share(number);
            if (!ranges.isEmpty() && ranges.getLast().to == share.from - 1) {
                ranges.set(ranges.size() - 1, new Slices(ranges.getLast().from, share.to));
            } else {
                ranges.add(share);
            }
        }
        return ranges;
    }

    @Override
    public String toString() {
        return from + "-" + to;
    }
}
