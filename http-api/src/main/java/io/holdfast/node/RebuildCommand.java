package io.holdfast.node;

import io.holdfast.config.Settings;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Has pools loaded anew. The pools do it themselves, wherever in the fleet they live: any node can be asked. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description =
                "Loads Redis anew from the journals for some pools, or for all, one after the other. They take no new"
                        + " holds meanwhile. Exit code 1 when one of them was not rebuilt in time.")
final class RebuildCommand implements Callable<Integer> {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    private static final class Which {
        @Parameters(paramLabel = "POOL", arity = "1..*", description = "Pools, such as m1:noodles:2026-11-29.")
        private List<String> pools = List.of();

        @Option(names = "--all", description = "Every pool that is not archived; needs the database too.")
        private boolean all;
    }

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "How long one pool may take; ${DEFAULT-VALUE} unless given.")
    private int patience;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        Settings settings = config.load();
        NodeApi api = node.api(settings);
        List<String> pools = which.all ? JournaledPools.of(settings) : which.pools;
        String run = UUID.randomUUID().toString();
        boolean failed = false;
        for (String pool : pools) {
            switch (api.rebuild(pool, "rebuild-" + run, Duration.ofSeconds(patience))) {
                case NodeApi.Rebuilt.Done(String how) -> System.out.println(pool + " " + how);
                case NodeApi.Rebuilt.Failed(String why) -> {
                    System.err.println("holdfast: " + pool + " was not rebuilt: " + why);
                    failed = true;
                }
            }
        }
        return failed ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
