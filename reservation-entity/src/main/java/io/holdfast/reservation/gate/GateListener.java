package io.holdfast.reservation.gate;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.HandOver;
import java.time.Duration;

/** Hears how the handing over goes. */
public interface GateListener {

    /**
     * Holds that were due were claimed and handed over.
     *
     * @param claimedAgain those among them that were claimed in an earlier round, and not handed over before their lease ended
     */
    void handedOver(PoolId pool, HandOver.Round round, int claimedAgain);

    /** The list of a pool could not be gone through. */
    void notHandedOver(PoolId pool, String why);

    /**
     * All pools have been gone through.
     *
     * @param listed holds still listed in all of them
     * @param oldest how long ago the oldest of those that were due was let in; zero where none was
     */
    void passed(long listed, Duration oldest);

    /** The work failed and begins again. */
    void failed(Throwable failure);
}
