package io.holdfast.launcher;

import io.holdfast.config.SettingsException;
import io.holdfast.config.sql.MigrationException;
import io.holdfast.localstack.LocalStackException;
import io.holdfast.node.LoggingWithoutContext;
import io.holdfast.node.StartException;
import io.holdfast.node.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What {@code ./holdfast dev} runs. */
@Command(
        name = "./holdfast",
        subcommands = {DevCommand.class},
        mixinStandardHelpOptions = true,
        description = "Holdfast on this machine.")
public final class Launcher {

    private static final int CANT_START = 3;

    private Launcher() {}

    /** Runs the command and exits with its code. */
    public static void main(String[] arguments) {
        LoggingWithoutContext.install();
        System.exit(run(arguments));
    }

    /** The same without exiting. */
    static int run(String... arguments) {
        return new CommandLine(new Launcher())
                .setExecutionExceptionHandler((e, _, _) -> explained(e))
                .execute(arguments);
    }

    /** Expected reasons are one line; anything else is a fault of ours, and is shown whole. */
    private static int explained(Exception e) throws Exception {
        return switch (e) {
            case SettingsException wrong -> said(wrong, SettingsException.EXIT_CODE);
            case UsageException usage -> said(usage, UsageException.EXIT_CODE);
            case StartException start -> said(start, StartException.EXIT_CODE);
            case MigrationException schema -> said(schema, CANT_START);
            case LocalStackException stack -> said(stack, CANT_START);
            case LaunchException launch -> said(launch, CANT_START);
            default -> throw e;
        };
    }

    private static int said(Exception e, int exitCode) {
        System.err.println("holdfast: " + e.getMessage());
        return exitCode;
    }
}
