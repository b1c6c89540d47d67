package io.holdfast.node;

import io.holdfast.config.SettingsException;
import io.holdfast.config.sql.MigrationException;
import java.sql.SQLException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of a production node. */
@Command(
        name = "./holdfast",
        mixinStandardHelpOptions = true,
        subcommands = {
            NodeCommand.class,
            CheckConfigCommand.class,
            AuditCommand.class,
            PoolCommand.class,
            ReconcileCommand.class,
            ReviewCommand.class,
            ProjectionCommand.class,
            DeadLettersCommand.class,
            ParkedEventsCommand.class,
            EventsCommand.class
        },
        description = "Holdfast, a reservation engine.")
public final class NodeMain {

    private NodeMain() {}

    /** Runs the command and exits: 0 done, 1 a fault, 2 wrong settings or usage, 3 it can't start now, 4 the cluster removed the node. */
    public static void main(String[] arguments) {
        LoggingWithoutContext.install();
        System.exit(run(arguments));
    }

    /** The same without exiting. */
    static int run(String... arguments) {
        return new CommandLine(new NodeMain())
                .setExecutionExceptionHandler((e, _, _) -> explained(e))
                .execute(arguments);
    }

    /** Expected reasons are one line; anything else is a fault of ours, and is shown whole. */
    private static int explained(Exception e) throws Exception {
        return switch (e) {
            case SettingsException wrong -> said(wrong, SettingsException.EXIT_CODE);
            case UsageException usage -> said(usage, UsageException.EXIT_CODE);
            case StartException start -> said(start, StartException.EXIT_CODE);
            case MigrationException schema -> said(schema, StartException.EXIT_CODE);
            case SQLException database -> said(database, StartException.EXIT_CODE);
            default -> throw e;
        };
    }

    private static int said(Exception e, int exitCode) {
        System.err.println("holdfast: " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " "));
        return exitCode;
    }
}
