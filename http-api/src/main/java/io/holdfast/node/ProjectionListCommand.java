package io.holdfast.node;

import io.holdfast.engine.projection.ProjectionState;
import io.holdfast.engine.projection.Projections;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** Lists the projections. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Every projection a node has ever run: how far it is behind, what it has set aside, whether it is"
                + " paused.")
final class ProjectionListCommand implements Callable<Integer> {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Override
    public Integer call() throws SQLException {
        var projections = new Projections(Sessions.ofCommands(config.load().postgres()));
        projections.list().forEach(state -> print(state, System.out));
        return ExitCode.OK;
    }

    private static void print(ProjectionState state, PrintStream out) {
        out.printf("%s  %s%n", state.name(), state.exactlyOnce() ? "exactly once" : "at least once");
        out.printf(
                "  behind    %d events%s%n",
                state.lag().events(),
                state.lag().oldest().map(age -> ", the oldest " + seconds(age)).orElse(""));
        out.printf("  position  %d%n", state.reached().xid());
        out.printf("  parked    %d entities, %d events left out%n", state.parked(), state.leftOut());
        out.printf("  rewind    %s%n", state.takesAgain() ? "possible" : "only a rebuild");
        state.paused().ifPresent(by -> out.printf("  paused    by %s: %s%n", by.who(), by.why()));
        if (!state.ordered().isEmpty()) {
            out.printf("  ordered   %s%n", state.ordered());
        }
        held(state.lag().openWriter()).ifPresent(age -> out.printf("  waits for a transaction open for %s%n", age));
    }

    private static Optional<String> held(Optional<Duration> openWriter) {
        return openWriter
                .filter(age -> age.compareTo(Duration.ofSeconds(1)) >= 0)
                .map(ProjectionListCommand::seconds);
    }

    private static String seconds(Duration age) {
        return age.toSeconds() + " s";
    }
}
