package io.holdfast.node;

import io.holdfast.config.SettingsException;
import io.holdfast.config.sql.MigrationException;
import java.sql.SQLException;
import java.util.Set;
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
            PaymentsCommand.class,
            ProjectionCommand.class,
            DeadLettersCommand.class,
            ParkedEventsCommand.class,
            EventsCommand.class
        },
        description = "Holdfast, a reservation engine.")
public final class NodeMain {

    /** SQLSTATEs of what could not be reached, or went away. */
    private static final Set<String> UNREACHABLE = Set.of("08000", "08001", "08003", "08006");

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
            case SQLException database -> said(reason(database), StartException.EXIT_CODE);
            default -> throw e;
        };
    }

    /** The driver says which address refused, and not what to do. */
    private static Exception reason(SQLException e) {
        return UNREACHABLE.contains(String.valueOf(e.getSQLState()))
                ? new StartException(
                        "PostgreSQL does not answer ("
                                + String.valueOf(e.getMessage()).replaceAll("[\\s.]+$", "")
                                + "): start it, that of development with ./holdfast dev, or correct"
                                + " holdfast.postgres.url.",
                        e)
                : e;
    }

    private static int said(Exception e, int exitCode) {
        System.err.println("holdfast: " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " "));
        return exitCode;
    }
}
