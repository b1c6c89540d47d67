package io.holdfast.reconciliation;

import java.time.Instant;
import java.util.Optional;

/**
 * A finding as it is kept.
 *
 * @param id in order of finding
 * @param run that found it
 * @param pool concerned
 * @param finding the difference
 * @param state what became of it
 * @param foundAt when this run found it
 * @param firstSeenAt when the first of the runs found it that found it without a break
 * @param settledAt when it ceased to be open
 * @param repairId operation of the pool that was asked for, if one was
 * @param outcome in words
 */
public record RecordedFinding(
        long id,
        String run,
        String pool,
        Finding finding,
        State state,
        Instant foundAt,
        Instant firstSeenAt,
        Optional<Instant> settledAt,
        Optional<String> repairId,
        Optional<String> outcome) {

    /** What became of a finding. */
    public enum State {
        /** It is there. */
        OPEN,
        /** A repair put it right. */
        REPAIRED,
        /** It is there no more, without a repair of ours. */
        GONE
    }
}
