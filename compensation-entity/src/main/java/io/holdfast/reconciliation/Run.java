package io.holdfast.reconciliation;

import java.time.Instant;
import java.util.Optional;

/**
 * A run as it stands.
 *
 * @param id its own
 * @param request what it is to do
 * @param status where it is
 * @param requestedAt when it was asked for
 * @param startedAt when a node took it up
 * @param finishedAt when it ended
 * @param watermark only what had not moved after this moment was judged; of the pool begun last
 * @param afterPool every pool up to this one is done
 * @param takenUp how often a node took it up: more than once after a crash or a hand-over
 * @param counts what came of it so far
 * @param failure why it ended before its end
 */
public record Run(
        String id,
        RunRequest request,
        Status status,
        Instant requestedAt,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        Optional<Instant> watermark,
        String afterPool,
        int takenUp,
        Counts counts,
        Optional<String> failure) {

    /** Where a run is. */
    public enum Status {
        /** Waits for its turn. */
        QUEUED,
        /** At work. */
        RUNNING,
        /** Done. */
        COMPLETED,
        /** Ended before its end; {@link Run#failure} says why. */
        FAILED
    }

    /**
     * Counts of a run.
     *
     * @param pools done with
     * @param unchanged of those, nothing had moved since an earlier run proved them
     * @param skipped of those, not compared; a finding says why
     * @param compared reservations
     * @param postponed reservations newer than the watermark, or moving whenever they were looked at
     * @param findings differences
     * @param repaired of those, put right
     */
    public record Counts(
            long pools, long unchanged, long skipped, long compared, long postponed, long findings, long repaired) {
        /** Nothing yet. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        Counts repaired(long findings) {
            return new Counts(pools, unchanged, skipped, compared, postponed, this.findings, findings);
        }
    }
}
