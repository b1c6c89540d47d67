package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Has pools compared with their journals while they serve. One node of the fleet does it: any can be asked. */
@Command(
        name = "reconcile",
        mixinStandardHelpOptions = true,
        description = "Compares what Redis has with what the journals say, while the pools serve, and prints every"
                + " difference with both sides. Exit code 1 when something differs that was not put right.")
final class ReconcileCommand implements Callable<Integer> {

    private static final Duration LOOKS_AGAIN_AFTER = Duration.ofMillis(500);

    @Mixin
    private ConfigOption config = new ConfigOption();

    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    private static final class Which {
        @Parameters(paramLabel = "POOL", description = "A pool, such as m1:noodles:2026-11-29.")
        private Optional<String> pool = Optional.empty();

        @Option(names = "--prefix", paramLabel = "PREFIX", description = "Pools whose id begins so, such as m1: .")
        private Optional<String> prefix = Optional.empty();

        @Option(names = "--all", description = "Every pool that has a journal.")
        private boolean all;
    }

    @Option(
            names = "--full",
            description = "Looks at every reservation, also at those an earlier run proved and that have not moved.")
    private boolean full;

    @Option(names = "--repair", description = "Puts right what may be put right without a person.")
    private boolean repair;

    @Mixin
    private NodeOptions node = new NodeOptions();

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "How long the run may take; ${DEFAULT-VALUE} unless given.")
    private int patience;

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeApi api = node.api(config.load());
        Map<String, Object> wish = new LinkedHashMap<>();
        which.pool.ifPresent(pool -> wish.put("pool", pool));
        which.prefix.ifPresent(prefix -> wish.put("prefix", prefix));
        if (which.all) {
            wish.put("all", true);
        }
        wish.put("mode", repair ? "repair" : "dry-run");
        wish.put("full", full);
        String run = api.post("/v1/reconciliations", wish).path("run").asText();
        String address = "/v1/reconciliations/" + run;
        long end = System.nanoTime() + Duration.ofSeconds(patience).toNanos();
        JsonNode seen = api.get(address);
        while (!seen.has("finished_at")) {
            if (System.nanoTime() - end >= 0) {
                System.err.println("holdfast: the run is not done in time; it goes on: "
                        + seen.path("self").asText());
                return ExitCode.SOFTWARE;
            }
            Thread.sleep(LOOKS_AGAIN_AFTER);
            seen = api.get(address);
        }
        int open = printFindings(api, address);
        System.out.println(run + " " + seen.path("status").asText() + ": " + seen.path("counts"));
        if (seen.has("failure")) {
            System.err.println("holdfast: " + seen.path("failure").asText());
        }
        return open > 0 || seen.has("failure") ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    /** All of them, page by page; how many are still open. */
    private static int printFindings(NodeApi api, String address) throws IOException, InterruptedException {
        int open = 0;
        Optional<String> next = Optional.of(address);
        while (next.isPresent()) {
            JsonNode page = api.get(next.get());
            for (JsonNode one : page.path("findings")) {
                open += one.path("state").asText().equals("OPEN") ? 1 : 0;
                System.out.printf(
                        "%s %s %s %s %s%n    journal  %s%n    redis    %s%n",
                        one.path("pool").asText(),
                        one.path("reservation_id").asText("-"),
                        one.path("type").asText(),
                        one.path("class").asText(),
                        one.path("state").asText()
                                + (one.has("outcome")
                                        ? " (" + one.get("outcome").asText() + ")"
                                        : ""),
                        one.path("journal").asText(),
                        one.path("redis").asText());
            }
            next = Optional.ofNullable(page.path("next").textValue());
        }
        return open;
    }
}
