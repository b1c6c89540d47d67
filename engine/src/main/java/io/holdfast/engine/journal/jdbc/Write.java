package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/**
 * Rows of one entity that become durable together, and whoever waits for them. It ends exactly once: stored, or failed with what is known.
 * Two threads may want to end it, the writer that holds it and the reaper of what is overdue; the stage decides who was first.
 */
final class Write {

    static final String TOO_LATE = "the journal did not get to it in time";

    private enum Stage {
        /** No statement holds it. */
        UNSENT,
        /** A statement with it is on its way, or one was and nobody knows what became of it. */
        SENT,
        /** Its waiter has been told. */
        ENDED
    }

    private final List<JournalRow> rows;
    private final Seq<Try<BoxedUnit>> whenStored;
    private final long lastStart;
    private final long deadline;
    private final int size;
    private final Promise<Seq<Try<BoxedUnit>>> promise = Promise.apply();
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.UNSENT);

    /** Touched by the writer only: a statement with it was lost, and may still become durable. */
    private boolean doubtful;

    /**
     * @param rows at least one, in order
     * @param whenStored what the waiter is told then
     * @param lastStart nanosecond after which it is not begun any more: a statement begun later might outlive the deadline
     * @param deadline nanosecond at which its waiter is told in any case
     */
    Write(List<JournalRow> rows, Seq<Try<BoxedUnit>> whenStored, long lastStart, long deadline) {
        this.rows = rows;
        this.whenStored = whenStored;
        this.lastStart = lastStart;
        this.deadline = deadline;
        int sum = 0;
        for (JournalRow row : rows) {
            sum += row.size();
        }
        this.size = sum;
    }

    List<JournalRow> rows() {
        return rows;
    }

    /** About how many bytes its rows are. */
    int size() {
        return size;
    }

    Future<Seq<Try<BoxedUnit>>> future() {
        return promise.future();
    }

    /** Whether the other is a later write of the same life of the same entity. */
    boolean isFollowedBy(Write other) {
        JournalRow own = rows.getFirst();
        JournalRow others = other.rows.getFirst();
        return own.sequenceNumber() < others.sequenceNumber()
                && own.writer().equals(others.writer())
                && own.persistenceId().equals(others.persistenceId());
    }

    /** Whether there is still time to send it. */
    boolean mayBegin(long now) {
        return now - lastStart <= 0;
    }

    boolean hasEnded() {
        return stage.get() == Stage.ENDED;
    }

    /** Puts it into a statement. False if its waiter has been told that it is not written: then it must not be. */
    boolean send() {
        return stage.compareAndSet(Stage.UNSENT, Stage.SENT) || stage.get() == Stage.SENT;
    }

    /** The statement it was in is known to have done nothing. */
    void refused() {
        if (!doubtful) {
            stage.compareAndSet(Stage.SENT, Stage.UNSENT);
        }
    }

    /** The statement it was in is lost: nothing is known until it is found, and not finding it proves nothing. */
    void lost() {
        doubtful = true;
    }

    /** Its rows are in the journal. */
    void stored() {
        if (stage.getAndSet(Stage.ENDED) != Stage.ENDED) {
            promise.success(whenStored);
        }
    }

    /** Another's rows are where its own should be, so they are not and never will be, whatever was lost before. */
    void taken(@Nullable Throwable cause) {
        if (stage.getAndSet(Stage.ENDED) != Stage.ENDED) {
            JournalRow first = rows.getFirst();
            promise.failure(new JournalWriteFailed(
                    Certainty.NOT_WRITTEN,
                    "another writer was first: " + first.persistenceId() + " has other rows from number "
                            + first.sequenceNumber(),
                    cause));
        }
    }

    /**
     * Ends it as failed. What is known follows from where it is.
     *
     * @return what its waiter was told, null if it has been told already
     */
    @Nullable
    Certainty failed(String why, @Nullable Throwable cause) {
        return end(stage.getAndSet(Stage.ENDED), why, cause);
    }

    /**
     * Ends it if its time is over.
     *
     * @return what its waiter was told, null if there was nothing to tell
     */
    @Nullable
    Certainty endIfOverdue(long now) {
        Stage seen = Objects.requireNonNull(stage.get());
        boolean over = switch (seen) {
            case UNSENT -> !mayBegin(now);
            case SENT -> now - deadline > 0;
            case ENDED -> false;
        };
        return over && stage.compareAndSet(seen, Stage.ENDED) ? end(seen, TOO_LATE, null) : null;
    }

    private @Nullable Certainty end(Stage before, String why, @Nullable Throwable cause) {
        Certainty certainty = switch (before) {
            case UNSENT -> Certainty.NOT_WRITTEN;
            case SENT -> Certainty.UNKNOWN;
            case ENDED -> null;
        };
        if (certainty != null) {
            promise.failure(new JournalWriteFailed(certainty, why, cause));
        }
        return certainty;
    }
}
