package io.holdfast.engine.sweep;

import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.OneInFleet;
import io.holdfast.engine.fleet.SessionSource;
import java.util.Optional;

/**
 * The safety net under every timer: on one node of the fleet, walks through table {@code owed} from the longest due to the latest, again
 * and again, and wakes each entity it finds. The entity alone decides what that means. The database's clock says what is due.
 */
public final class Sweeper implements AutoCloseable {

    /** The work every serving node takes part in, or stands by for: who does is seen by {@link io.holdfast.engine.fleet.FleetMembers}. */
    public static final String WORK = "sweeper";

    private final OneInFleet loop;

    public Sweeper(
            SessionSource sessions, FleetSettings fleet, SweepSettings settings, Waker waker, SweepListener listener) {
        this.loop = new OneInFleet(new SweepWork(settings, waker, listener), sessions, fleet);
    }

    /** Begins to sweep, or to stand by. Once. */
    public void start() {
        loop.start();
    }

    /** True while this node is the one that sweeps. */
    public boolean running() {
        return loop.running();
    }

    /** What made the sweeper begin again, unless it has gone on since, or another node sweeps now. */
    public Optional<String> trouble() {
        return loop.trouble();
    }

    /** Ends after the current batch and lets another node take over at once. */
    @Override
    public void close() {
        loop.close();
    }
}
