package io.holdfast.node;

import picocli.CommandLine.Command;

/** What is asked of journals. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        subcommands = {ReplayCommand.class},
        description = "Asks the journals.")
final class AuditCommand {}
