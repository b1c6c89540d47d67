package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

        @Option(names = "--all", description = "Every pool that has a journal; needs the database too.")
        private boolean all;
    }

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where a node serves; without it, where the settings say that it does.")
    private Optional<URI> url = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the caller's token, where the node asks for one. HOLDFAST_TOKEN is used without it.")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "How long one pool may take; ${DEFAULT-VALUE} unless given.")
    private int patience;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        Settings settings = config.load();
        var node = new NodeApi(url.orElseGet(() -> address(settings)), token());
        List<String> pools = which.all ? JournaledPools.of(settings) : which.pools;
        String run = UUID.randomUUID().toString();
        boolean failed = false;
        for (String pool : pools) {
            switch (node.rebuild(pool, "rebuild-" + run, Duration.ofSeconds(patience))) {
                case NodeApi.Rebuilt.Done(String how) -> System.out.println(pool + " " + how);
                case NodeApi.Rebuilt.Failed(String why) -> {
                    System.err.println("holdfast: " + pool + " was not rebuilt: " + why);
                    failed = true;
                }
            }
        }
        return failed ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private static URI address(Settings settings) {
        var http = settings.http();
        if (http.port() == 0) {
            throw new SettingsException(
                    "holdfast.http.port is 0, so the settings do not say where a node serves: name it with --url.");
        }
        String host = http.host().equals("0.0.0.0") ? "127.0.0.1" : http.host();
        return URI.create((http.tls().isPresent() ? "https://" : "http://") + host + ":" + http.port());
    }

    private Optional<String> token() throws IOException {
        if (tokenFile.isPresent()) {
            return Optional.of(Files.readString(tokenFile.get()).strip());
        }
        return Optional.ofNullable(System.getenv("HOLDFAST_TOKEN")).filter(token -> !token.isBlank());
    }
}
