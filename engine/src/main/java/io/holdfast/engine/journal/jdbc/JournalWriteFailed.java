package io.holdfast.engine.journal.jdbc;

import org.jspecify.annotations.Nullable;

/** A write of the journal that did not succeed, with what is known about it. */
public final class JournalWriteFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is known of the rows. */
    public enum Certainty {
        /** They are not in the journal and will not appear there. */
        NOT_WRITTEN,
        /** They may be in the journal, or appear there yet: read it again. */
        UNKNOWN
    }

    private final Certainty certainty;

    JournalWriteFailed(Certainty certainty, String message, @Nullable Throwable cause) {
        // Made for every write of a batch: the trace of the thread that made it tells nothing.
        super(message, cause, false, false);
        this.certainty = certainty;
    }

    /** Whether the rows may be in the journal all the same. */
    public Certainty certainty() {
        return certainty;
    }
}
