package io.holdfast.engine.projection;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.OneInFleet;
import java.util.Optional;

/**
 * Runs one projection, or one share of its slices, on one node of the fleet: reads the journal, calls the handler, and moves the offset
 * in the handler's transaction. Every node starts one; the others stand by.
 *
 * <p>If the handler fails by the fault of an event, the same events are handled again one at a time, and the entity whose event keeps
 * failing is parked. If the database fails, the whole begins again from the stored offset after a back-off.
 */
public final class ProjectionRunner implements AutoCloseable {

    private final OneInFleet loop;

    /** @param pool the read side's own; the running node keeps one connection of it for itself */
    public ProjectionRunner(
            ProjectionHandler handler,
            Slices slices,
            HikariDataSource pool,
            FleetSettings fleet,
            ProjectionSettings settings,
            ProjectionListener listener) {
        this.loop = new OneInFleet(new ProjectionWork(handler, slices, settings, listener), pool, fleet);
    }

    /** Begins to run, or to stand by. Once. */
    public void start() {
        loop.start();
    }

    /** True while this node is the one that runs the projection. */
    public boolean running() {
        return loop.running();
    }

    /** What made the projection begin again, unless it has gone on since, or another node runs it now. */
    public Optional<String> trouble() {
        return loop.trouble();
    }

    /** Ends after the current batch and lets another node take over at once. */
    @Override
    public void close() {
        loop.close();
    }
}
