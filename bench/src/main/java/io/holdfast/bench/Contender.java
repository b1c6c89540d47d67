package io.holdfast.bench;

import io.holdfast.bench.load.Load;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * One of those that take turns.
 *
 * @param name as it is printed
 * @param load a new load of it, for one turn or its warm-up
 * @param shortestWarmUp before it is taken for stable
 * @param backlog work it has put off, in its own unit; waited for after each turn
 */
public record Contender(String name, Supplier<Load> load, Duration shortestWarmUp, Backlog backlog) {

    /** Asked how much is put off. */
    @FunctionalInterface
    public interface Backlog {
        /** Nothing ever is. */
        Backlog NONE = () -> 0;

        /** Units of work that are still to be done. */
        long size() throws SQLException;
    }
}
