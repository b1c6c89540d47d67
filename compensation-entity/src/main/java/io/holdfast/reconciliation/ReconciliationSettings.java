package io.holdfast.reconciliation;

import java.time.Duration;
import java.util.Optional;

/**
 * Bounds of reconciliation.
 *
 * @param schedule runs that nobody has to ask for; empty: none
 * @param margin safety beside what is measured; reservations that moved later than that are not judged
 * @param poolsAtOnce compared at a time
 * @param reservationsPerSecond compared at most
 * @param repairsPerSecond made at most
 * @param mostFindings of one pool, named one by one; above that the pool is better loaded anew
 * @param viewPatience how long the view may take to catch up
 * @param keep how long runs and their findings are kept
 */
public record ReconciliationSettings(
        Optional<Schedule> schedule,
        Duration margin,
        int poolsAtOnce,
        int reservationsPerSecond,
        int repairsPerSecond,
        int mostFindings,
        Duration viewPatience,
        Duration keep) {

    /**
     * Runs of all pools by themselves.
     *
     * @param every from the beginning of one to the beginning of the next
     * @param fullEvery how often one looks at every reservation
     * @param mode what they do
     */
    public record Schedule(Duration every, Duration fullEvery, RunRequest.Mode mode) {}
}
