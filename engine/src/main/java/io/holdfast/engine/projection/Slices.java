package io.holdfast.engine.projection;

/**
 * A contiguous share of the 128 slices every journal is divided into by the hash of its persistence id.
 *
 * @param from first slice, 0 to 127
 * @param to last slice, inclusive
 */
public record Slices(int from, int to) {

    /** Number of slices. Part of the journal's schema. */
    public static final int COUNT = 128;

    public Slices {
        if (from < 0 || to < from || to >= COUNT) {
            throw new IllegalArgumentException(
                    "slices: 0 <= from <= to < " + COUNT + ", but from " + from + " to " + to);
        }
    }

    /** All of them: one runner serves the whole projection. */
    public static Slices all() {
        return new Slices(0, COUNT - 1);
    }

    @Override
    public String toString() {
        return from + "-" + to;
    }
}
