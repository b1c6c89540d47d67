package io.holdfast.reconciliation;

import io.holdfast.lua.Fence;
import io.holdfast.reconciliation.FenceRule.Judgement;
import io.holdfast.reservation.domain.Reservation;
import java.util.Optional;

/** For tests: whether reconciliation would find anything at a reservation. */
public final class ReconciledFences {

    private ReconciledFences() {}

    /** Fails where it would, or where it counts other units than these. */
    public static void agree(Reservation reservation, Optional<Fence> fence, long reserved, long sold) {
        Judgement judgement = FenceRule.judge(reservation, fence);
        if (!judgement.equals(new Judgement.Agrees(reserved, sold))) {
            throw new AssertionError("reconciliation finds at " + reservation.id() + " of " + reserved
                    + " reserved and " + sold + " sold: " + judgement);
        }
    }
}
