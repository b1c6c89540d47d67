package io.holdfast.engine.journal.jdbc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the table says about rows that were written by one statement: all of them are there, or none is. */
enum Presence {
    /** The rows are there. */
    OWN,
    /** Somebody else's rows are there, so these never will be. */
    ANOTHERS,
    /** Nothing is there yet. */
    ABSENT;

    /**
     * @param rows written together
     * @param found what was found under the key of each, in the same order, null where nothing was
     */
    static Presence of(List<JournalRow> rows, List<JournalRow.@Nullable Found> found) {
        Presence presence = ABSENT;
        for (int i = 0; i < rows.size(); i++) {
            var there = found.get(i);
            if (there != null) {
                if (!there.is(rows.get(i))) {
                    return ANOTHERS;
                }
                presence = OWN;
            }
        }
        return presence;
    }
}
