package io.holdfast.reservation.domain;

import java.time.Instant;
import java.util.Optional;

/**
 * A reservation as it was first asked for; only the generation changes until its end.
 *
 * @param id reservation id
 * @param pool chosen once
 * @param terms what was asked for
 * @param attentionAt when a hold whose order's fate is still unknown is reported as overdue; never a reason to cancel
 * @param generation given by the latest verification of the pool that told this reservation of itself, 0 before: what Redis answered to
 *     another generation's effects is not recorded any more
 * @param group the lines it is held together with, if it is not asked for on its own
 */
public record Claim(String id, PoolId pool, Terms terms, Instant attentionAt, long generation, Optional<Group> group) {

    Claim under(long newGeneration) {
        return new Claim(id, pool, terms, attentionAt, newGeneration, group);
    }
}
