package io.holdfast.reservation.entity;

import io.holdfast.lua.Fence;
import io.holdfast.reservation.domain.Reservation;
import java.util.Optional;

/** For tests: whether journal and Redis agree about one reservation, as the verification of a pool sees it. */
public final class Fences {

    private Fences() {}

    /**
     * What a reservation has in its pool.
     *
     * @param reserved units in the pool's reserved
     * @param sold units in the pool's sold
     */
    public record Units(long reserved, long sold) {}

    /** The units both agree on. */
    public static Units agreed(Reservation reservation, Optional<Fence> fence) {
        return switch (FenceComparison.compare(reservation, fence)) {
            case FenceComparison.Result.Agrees(long reserved, long sold) -> new Units(reserved, sold);
            case FenceComparison.Result.Differs(String journal, String found) ->
                throw new AssertionError("JournalAgreesWithFence: " + reservation.id() + ": the journal says " + journal
                        + "; Redis has " + found);
        };
    }
}
