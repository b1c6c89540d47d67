package io.holdfast.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long a comparison of Redis with the journals takes, over few reservations and over ten times as many, and what it keeps in memory
 * meanwhile. It must find nothing.
 */
final class ReconcileScenario implements Scenario {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int FEWER = 10;
    private static final String ROWS = "holdfast_reconciliation_rows_held_max ";

    @Override
    public String name() {
        return "reconcile";
    }

    @Override
    public String about() {
        return "time and memory of a comparison of --many reservations with Redis, and that it finds nothing";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out)) {
            Report report = ground.report();
            Subject node = ground.another(
                    "reconcile",
                    Map.of(
                            "HOLDFAST_RECONCILIATION_EVERY", "0s",
                            "HOLDFAST_RECONCILIATION_MARGIN", "0s",
                            "HOLDFAST_RECONCILIATION_RESERVATIONS_PER_SECOND", "1000000"));
            int pools = Math.max(FEWER, Math.min(options.pools(), options.many() / FEWER));
            OurTrial few = new OurTrial(node, new PoolSet("f", pools / FEWER), OurTrial.Kind.HOLD_CONFIRM);
            OurTrial many = new OurTrial(node, new PoolSet("m", pools), OurTrial.Kind.HOLD_CONFIRM);
            few.fill(options.outstanding(), Math.max(1, options.many() / FEWER));
            many.fill(options.outstanding(), options.many());
            node.awaitNoLag(PATIENCE);
            try (var client = new Api(node.node().address())) {
                Seen small = compare(client, "bench:f", report);
                Seen large = compare(client, "bench:m", report);
                print(out, "few", small);
                print(out, "many", large);
                Seen again = again(client, report);
                out.printf(
                        Locale.ROOT, "once more, nothing has moved: %.2f s for %d pools%n", again.seconds, again.pools);
                report.main(large.compared / large.seconds, null, null, null);
                report.figure(Figure.atMost(
                        "rows in memory at a time, of which a page has 500", 1000, 1000, client.metric(ROWS)));
                report.figure(Figure.atMost(
                        "MB of heap in use beyond what was before it, for ten times as many reservations",
                        50,
                        50,
                        (large.heap - small.heap) / 1e6));
            }
            ground.check(few, many);
            return report.end();
        }
    }

    private record Seen(double seconds, long pools, long compared, long heap) {}

    private static void print(PrintStream out, String what, Seen seen) {
        out.printf(
                Locale.ROOT,
                "%s: %,d reservations of %d pools in %.2f s, %,.0f a second; %.1f MB of heap at most%n",
                what,
                seen.compared,
                seen.pools,
                seen.seconds,
                seen.compared / seen.seconds,
                seen.heap / 1e6);
    }

    private static Seen compare(Api api, String prefix, Report report) throws Exception {
        return run(api, "{\"prefix\": \"" + prefix + "\", \"full\": true}", true, report);
    }

    private static Seen again(Api api, Report report) throws Exception {
        return run(api, "{\"prefix\": \"bench:m\"}", false, report);
    }

    private static Seen run(Api api, String wish, boolean measureHeap, Report report) throws Exception {
        long before = heap();
        long peak = 0;
        long began = System.nanoTime();
        String address = "/v1/reconciliations/" + api.post(wish).path("run").asText();
        JsonNode run = api.get(address);
        while (!run.has("finished_at")) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new IllegalStateException("the run does not end: " + run);
            }
            TimeUnit.MILLISECONDS.sleep(100);
            peak = measureHeap ? Math.max(peak, heap() - before) : peak;
            run = api.get(address);
        }
        if (run.path("findings").size() > 0 || run.at("/counts/findings").asLong() > 0) {
            report.off("a comparison found something where nothing differs: " + run);
        }
        double seconds = Duration.between(
                                Instant.parse(run.path("started_at").asText()),
                                Instant.parse(run.path("finished_at").asText()))
                        .toMillis()
                / 1000.0;
        return new Seen(
                Math.max(seconds, 0.001),
                run.at("/counts/pools").asLong(),
                run.at("/counts/compared").asLong(),
                peak);
    }

    /** Bytes that a collection has left, without what was allocated since then. */
    private static long heap() {
        System.gc();
        long left = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage afterwards = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            left += afterwards == null ? 0 : afterwards.getUsed();
        }
        return left;
    }

    /** The node as an operator sees it. */
    private record Api(HttpClient client, URI address) implements AutoCloseable {

        Api(URI address) {
            this(HttpClient.newHttpClient(), address);
        }

        JsonNode get(String path) throws IOException, InterruptedException {
            return JSON.readTree(
                    client.send(HttpRequest.newBuilder(address.resolve(path)).build(), BodyHandlers.ofString())
                            .body());
        }

        JsonNode post(String wish) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(address.resolve("/v1/reconciliations"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(wish))
                    .build();
            return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
        }

        double metric(String line) throws IOException, InterruptedException {
            String text = client.send(
                            HttpRequest.newBuilder(address.resolve("/metrics")).build(), BodyHandlers.ofString())
                    .body();
            return text.lines()
                    .filter(one -> one.startsWith(line))
                    .mapToDouble(one -> Double.parseDouble(one.substring(line.length())))
                    .findFirst()
                    .orElse(Double.NaN);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
