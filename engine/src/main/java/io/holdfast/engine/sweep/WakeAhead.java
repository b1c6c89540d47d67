package io.holdfast.engine.sweep;

import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.OneInFleet;
import io.holdfast.engine.fleet.SessionSource;
import java.util.Optional;

/**
 * Punctuality for entities that wait for a moment too far off to be waited for in memory: on one node of the fleet, looks through the part
 * of table {@code owed} that comes due soon and sets a timer for each, which wakes the entity a little before its time, wherever it lives.
 * There the entity waits for the moment itself, by its own node's clock.
 *
 * <p>Nothing rests on it: a timer that is lost, with its node or otherwise, makes the entity as late as the {@link Sweeper} finds it, and one
 * that rings for nothing is nothing new to the entity.
 */
public final class WakeAhead implements AutoCloseable {

    private final AheadWork work;
    private final OneInFleet loop;

    public WakeAhead(
            SessionSource sessions,
            FleetSettings fleet,
            AheadSettings settings,
            Timer timer,
            Waker waker,
            SweepListener listener) {
        this.work = new AheadWork(settings, timer, waker, listener);
        this.loop = new OneInFleet(work, sessions, fleet);
    }

    /** Begins to plan, or to stand by. Once. */
    public void start() {
        loop.start();
    }

    /** True while this node is the one that plans. */
    public boolean running() {
        return loop.running();
    }

    /** What made it begin again, unless it has gone on since, or another node plans now. */
    public Optional<String> trouble() {
        return loop.trouble();
    }

    /** Ends after the current batch; what was planned here rings no more. Another node takes over at once. */
    @Override
    public void close() {
        loop.close();
        work.forget();
    }
}
