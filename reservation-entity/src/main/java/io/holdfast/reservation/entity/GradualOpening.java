package io.holdfast.reservation.entity;

import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Lets new holds into a pool that was just rebuilt little by little: a share that rises evenly to all of them. Which ones come first follows
 * from their ids, so that who was let in once is let in again, and who was turned away is let in later.
 *
 * @param over how long that takes; zero lets all in at once
 */
record GradualOpening(InstantSource clock, Duration over) {

    private static final int TURNS = 1_000;

    boolean admits(PoolStanding.Serving pool, String reservationId) {
        return pool.rebuiltAt().map(at -> share(at) > turn(reservationId)).orElse(true);
    }

    /** Of {@link #TURNS}. */
    private long share(Instant since) {
        long passed = Duration.between(since, clock.instant()).toMillis();
        return passed >= over.toMillis() ? TURNS : Math.max(0, passed * TURNS / over.toMillis());
    }

    private static int turn(String reservationId) {
        return Math.floorMod(reservationId.hashCode(), TURNS);
    }
}
