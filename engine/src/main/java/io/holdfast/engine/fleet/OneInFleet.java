package io.holdfast.engine.fleet;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Runs one piece of work on one node of the fleet at a time: {@link DividedInFleet} with a single unit. */
public final class OneInFleet implements AutoCloseable {

    private final DividedInFleet loop;

    public OneInFleet(FleetWork work, SessionSource sessions, FleetSettings settings) {
        this.loop = new DividedInFleet(new Undivided(work), sessions, new Bell(), settings);
    }

    /** Begins to try for the lock. Once. */
    public void start() {
        loop.start();
    }

    /** True while this node is the one that runs the work. */
    public boolean running() {
        return loop.running();
    }

    /** What made the work begin again, unless a round has succeeded since, or another node runs it now. */
    public Optional<String> trouble() {
        return loop.trouble();
    }

    /** Ends the loop, after the current round if that ends soon, and gives the lock back. */
    @Override
    public void close() {
        loop.close();
    }

    private record Undivided(FleetWork work) implements DividedWork {

        @Override
        public String name() {
            return work.name();
        }

        @Override
        public SortedSet<Integer> units() {
            return new TreeSet<>(List.of(0));
        }

        @Override
        public void begin(Connection connection) {}

        @Override
        public void hold(Connection connection, SortedSet<Integer> units) throws SQLException {
            if (!units.isEmpty()) {
                work.begin(connection);
            }
        }

        @Override
        public Pause round(Connection connection) throws SQLException {
            return work.round(connection);
        }

        @Override
        public void failed(Throwable failure) {
            work.failed(failure);
        }
    }
}
