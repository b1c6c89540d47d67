package io.holdfast.engine.projection;

import io.holdfast.engine.fleet.DividedInFleet;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.SessionSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs one projection on this node, beside the other nodes that run it: the slices of the journal are divided among them, each slice is
 * read by one, and when a node comes or goes they are divided anew within seconds.
 *
 * <p>If a handler fails by the fault of an event, the entity whose event keeps failing is parked and the rest goes on. If the database
 * fails, or the outside a projection delivers to, the whole begins again from the stored offset after a back-off.
 */
public final class ProjectionRunner implements AutoCloseable {

    private final List<DividedInFleet> workers;

    /**
     * @param sessions each worker opens one and keeps it
     * @param feed shared by the projections of this node
     */
    public ProjectionRunner(
            Projection projection,
            SessionSource sessions,
            JournalFeed feed,
            FleetSettings fleet,
            ProjectionSettings settings,
            ProjectionListener listener) {
        this.workers = IntStream.range(0, settings.workers())
                .mapToObj(_ -> new DividedInFleet(
                        new ProjectionWork(projection, feed, settings, listener), sessions, feed.bell(), fleet))
                .toList();
    }

    /** Begins to run, or to stand by. Once. */
    public void start() {
        workers.forEach(DividedInFleet::start);
    }

    /** True while this node runs some of the projection. */
    public boolean running() {
        return workers.stream().anyMatch(DividedInFleet::running);
    }

    /** What made a worker begin again, unless it has gone on since, or other nodes do its work now. */
    public Optional<String> trouble() {
        return workers.stream().flatMap(worker -> worker.trouble().stream()).findFirst();
    }

    /** Ends after the current batch and lets other nodes take over at once. */
    @Override
    public void close() {
        workers.forEach(DividedInFleet::close);
    }
}
