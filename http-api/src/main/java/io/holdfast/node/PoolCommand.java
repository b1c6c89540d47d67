package io.holdfast.node;

import picocli.CommandLine.Command;

/** What an operator does to pools. */
@Command(
        name = "pool",
        mixinStandardHelpOptions = true,
        subcommands = {RebuildCommand.class},
        description = "Works on pools, through a running node.")
final class PoolCommand {}
