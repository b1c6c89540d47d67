package io.holdfast.node;

import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.Projections;
import io.holdfast.engine.projection.SkippedEvent;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists what a projection has set aside. */
@Command(
        name = "parked",
        mixinStandardHelpOptions = true,
        description = "Entities a projection has set aside, longest first, and the events it may leave out.")
final class ProjectionParkedCommand implements Callable<Integer> {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "PROJECTION", description = "As the list names it.")
    private String projection = "";

    @Option(
            names = "--limit",
            defaultValue = "100",
            description = "The most that are shown of each (${DEFAULT-VALUE}).")
    private int limit;

    @Override
    public Integer call() throws SQLException {
        var projections = new Projections(Sessions.ofCommands(config.load().postgres()));
        for (ParkedEntity parked : projections.parked(projection, limit)) {
            System.out.printf(
                    "%s at event %d, since %s, tried again %d times, next %s%n  %s%n",
                    parked.persistenceId(),
                    parked.sequenceNumber(),
                    parked.parkedAt(),
                    parked.attempts(),
                    parked.retryAt(),
                    parked.reason());
        }
        for (SkippedEvent skipped : projections.skipped(projection, limit)) {
            System.out.printf(
                    "%s may go on without event %d, by %s at %s: %s (%s)%n",
                    skipped.persistenceId(),
                    skipped.sequenceNumber(),
                    skipped.by().who(),
                    skipped.at(),
                    skipped.by().why(),
                    skipped.leftOutAt().map(at -> "left out " + at).orElse("not left out"));
        }
        return ExitCode.OK;
    }
}
