package io.holdfast.node;

import picocli.CommandLine.Command;

/** What is asked and ordered of projections. Needs the database alone: no node has to run, and the orders hold for all that will. */
@Command(
        name = "projection",
        mixinStandardHelpOptions = true,
        subcommands = {
            ProjectionListCommand.class,
            ProjectionParkedCommand.class,
            ProjectionPauseCommand.class,
            ProjectionResumeCommand.class,
            ProjectionRewindCommand.class,
            ProjectionRebuildCommand.class,
            ProjectionRetryCommand.class,
            ProjectionSkipCommand.class
        },
        description = "Shows how far projections are and what they have set aside, and gives them orders.")
final class ProjectionCommand {}
