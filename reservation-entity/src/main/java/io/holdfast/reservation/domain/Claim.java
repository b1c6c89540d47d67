package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Optional;

/**
 * A reservation as it was first asked for; only the generation, the epochs, and what is known of admissions change until its end.
 *
 * @param id reservation id
 * @param pool chosen once
 * @param terms what was asked for
 * @param attentionAt when a hold whose order's fate is still unknown is reported as overdue; never a reason to cancel
 * @param generation given by the latest verification of the pool that told this reservation of itself, 0 before: what Redis answered to
 *     another generation's effects is not recorded any more
 * @param group the lines it is held together with, if it is not asked for on its own
 * @param epochs under which scripts may be called for it; empty while all of its pools are at their first
 * @param admission how it came in by the gate, if it did
 * @param late an admission besides what it holds, which goes back
 */
public record Claim(
        String id,
        PoolId pool,
        Terms terms,
        Instant attentionAt,
        long generation,
        Optional<Group> group,
        Optional<Epochs> epochs,
        Optional<Admission> admission,
        Optional<LateAdmission> late) {

    /** Of one that was asked for and tried. */
    public Claim(
            String id,
            PoolId pool,
            Terms terms,
            Instant attentionAt,
            long generation,
            Optional<Group> group,
            Optional<Epochs> epochs) {
        this(id, pool, terms, attentionAt, generation, group, epochs, Optional.empty(), Optional.empty());
    }

    /** The same, of pools at their first epochs. */
    public Claim(String id, PoolId pool, Terms terms, Instant attentionAt, long generation, Optional<Group> group) {
        this(id, pool, terms, attentionAt, generation, group, Optional.empty());
    }

    /** Whether it came in by the gate. */
    public boolean admitted() {
        return admission.isPresent();
    }

    /** The epoch under which scripts of its own pool may be called for it. */
    public long epoch() {
        return Epochs.of(epochs, pool);
    }

    /** Whether its journal does not have this epoch yet, nor a later one of that pool. */
    boolean isBehind(PoolEpoch seen) {
        return Epochs.of(epochs, seen.pool()) < seen.epoch();
    }

    Claim under(long newGeneration) {
        return new Claim(id, pool, terms, attentionAt, newGeneration, group, epochs, admission, late);
    }

    Claim under(long newGeneration, PoolEpoch seen) {
        return new Claim(
                id,
                pool,
                terms,
                attentionAt,
                newGeneration,
                group,
                Epochs.with(epochs, seen),
                admission,
                late.map(one -> one.under(seen)));
    }

    Claim at(Admission.Stage stage) {
        return new Claim(
                id, pool, terms, attentionAt, generation, group, epochs, admission.map(one -> one.at(stage)), late);
    }

    Claim with(LateAdmission one) {
        return new Claim(id, pool, terms, attentionAt, generation, group, epochs, admission, Optional.of(one));
    }
}
