package io.holdfast.reservation.gate;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.GatePressure.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What has been left behind by gates, as a node last read it.
 *
 * @param listed holds by pool that no reservation has heard of; a pool that is missing has not been read
 * @param unsent holds of all pools whose order has not been asked for
 * @param brokerAway for how long the broker has not answered; zero while it does
 * @param viewLag how far the view is behind the journal, or for how long that has not been known if this is longer
 */
public record GateBacklog(Map<PoolId, Long> listed, long unsent, Duration brokerAway, Duration viewLag) {

    /** Nothing was read yet. */
    public static final GateBacklog NONE = new GateBacklog(Map.of(), 0, Duration.ZERO, Duration.ZERO);

    public GateBacklog {
        listed = Map.copyOf(listed);
    }

    /**
     * Beyond these nobody is let in.
     *
     * @param listed holds of one pool, at least 1
     * @param unsent holds of all pools, at least 1
     */
    public record Limits(long listed, long unsent, Duration brokerAway, Duration viewLag) {}

    /**
     * Why a request of this pool is held back. Above half of a limit that counts holds they are in proportion, so that the crowd gets
     * thinner before it stops.
     *
     * @param chance this request's, from 0 to 1
     */
    public Optional<Reason> on(PoolId pool, Limits limits, double chance) {
        if (viewLag.compareTo(limits.viewLag()) >= 0) {
            return Optional.of(Reason.JOURNAL);
        }
        if (brokerAway.compareTo(limits.brokerAway()) >= 0 || isHeldBack(unsent, limits.unsent(), chance)) {
            return Optional.of(Reason.BROKER);
        }
        return isHeldBack(listed.getOrDefault(pool, 0L), limits.listed(), chance)
                ? Optional.of(Reason.HAND_OFF)
                : Optional.empty();
    }

    private static boolean isHeldBack(long holds, long limit, double chance) {
        double half = limit / 2.0;
        return holds >= limit || holds > half && chance < (holds - half) / half;
    }
}
