package io.holdfast.engine.projection;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of the journal without a hole: all rows of some slices behind an offset, up to the last of them.
 *
 * @param slices whose rows
 * @param from the offset they lie behind
 * @param rows at least one, in the reader's order
 */
record JournalStretch(List<Slices> slices, Offset from, List<JournalRow> rows) {

    /** What is kept of the past for projections that take longer steps than the one that reads. */
    static final int MOST_ROWS = 10_000;

    static final long MOST_BYTES = 16L << 20;

    /** Where it ends. */
    Offset end() {
        return Offset.of(rows.getLast());
    }

    /** The rows behind a place, at most so many; none if they are of other slices, or not all that follow the place are here. */
    List<JournalRow> after(List<Slices> wanted, Offset place, int limit) {
        if (!slices.equals(wanted) || place.compareTo(from) < 0 || place.compareTo(end()) >= 0) {
            return List.of();
        }
        int first = firstAfter(place);
        return rows.subList(first, Math.min(rows.size(), first + limit));
    }

    /** Together with one that was read later and ends later; that one alone where there is a gap between them. The oldest rows go. */
    JournalStretch continuedBy(JournalStretch later) {
        if (!slices.equals(later.slices) || later.from.compareTo(from) < 0 || later.from.compareTo(end()) > 0) {
            return later;
        }
        List<JournalRow> added = later.rows.subList(later.firstAfter(end()), later.rows.size());
        int room = Math.max(0, MOST_ROWS - added.size());
        long bytes = MOST_BYTES - bytes(added);
        int kept = rows.size();
        while (kept > 0
                && rows.size() - kept < room
                && bytes >= rows.get(kept - 1).payload().length) {
            kept--;
            bytes -= rows.get(kept).payload().length;
        }
        List<JournalRow> all = new ArrayList<>(rows.size() - kept + added.size());
        all.addAll(rows.subList(kept, rows.size()));
        all.addAll(added);
        return new JournalStretch(slices, kept == 0 ? from : Offset.of(rows.get(kept - 1)), all);
    }

    private static long bytes(List<JournalRow> rows) {
        long bytes = 0;
        for (JournalRow row : rows) {
            bytes += row.payload().length;
        }
        return bytes;
    }

    /** Index of the first row behind a place; the number of rows if there is none. */
    private int firstAfter(Offset place) {
        int low = 0;
        int high = rows.size(); // the first row behind the place is at low or later, and at high or earlier
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Offset.of(rows.get(middle)).compareTo(place) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
