package io.holdfast.node;

import io.holdfast.engine.projection.JournalPosition;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Sets a projection back. */
@Command(
        name = "rewind",
        mixinStandardHelpOptions = true,
        description =
                "Has a projection read the journal again from a position, or from a minute before a time. Nothing is"
                    + " forgotten: only a projection that recognizes what it has handled, or delivers to the outside,"
                    + " can do this.")
final class ProjectionRewindCommand implements Callable<Integer> {

    @Mixin
    private OrderOptions options = new OrderOptions();

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Target target = new Target();

    private static final class Target {
        @Option(
                names = "--to-position",
                paramLabel = "NUMBER",
                description = "As `projection list` shows it; 0 is the beginning.")
        private @Nullable Long position;

        @Option(
                names = "--to-time",
                paramLabel = "INSTANT",
                description = "Such as 2026-11-29T12:00:00Z.",
                converter = InstantConverter.class)
        private @Nullable Instant time;
    }

    @Override
    public Integer call() throws SQLException {
        Long position = target.position;
        Instant time = target.time;
        return options.give((orders, projection, by) -> {
            if (position != null) {
                return orders.rewind(projection, new JournalPosition(position), by);
            }
            if (time != null) {
                return orders.rewind(projection, time, by);
            }
            throw new IllegalStateException("picocli lets no rewind through that has no target");
        });
    }
}
