package io.holdfast.bench.scenario;

import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.report.Result;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What an entity costs while it rests in memory, and what is left of it once it has left. */
final class MemoryScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String LOADED = "holdfast_entity_loaded{machine=\"reservation\"} ";

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String about() {
        return "bytes of heap for each of --many live entities, and after they have left memory";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out)) {
            Report report = ground.report();
            // Classes are loaded, and buffers grown, by a node whose entities leave soon.
            OurTrial warm = ground.ours("w", options.pools(), OurTrial.Kind.HOLD);
            double warmRate = warm.fill(options.outstanding(), Math.min(5000, options.many()));
            awaitLoaded(ground.subject(), 0, PATIENCE);
            // Long enough to be filled and counted on this machine as it is now, short enough to be waited for.
            Duration linger = Duration.ofSeconds(Math.min(3600, 5 + Math.round(1.5 * options.many() / warmRate)));
            Subject node = ground.another(
                    "memory",
                    Map.of(
                            "HOLDFAST_ENTITIES_LINGER",
                            linger.toSeconds() + "s",
                            "HOLDFAST_ENTITIES_LINGER_AT_REST",
                            linger.toSeconds() + "s",
                            "HOLDFAST_ENTITIES_RESTING",
                            Integer.toString(10 * options.many())));
            OurTrial holds = new OurTrial(node, new PoolSet("d", options.pools()), OurTrial.Kind.HOLD);
            long before = heap();
            double perSecond = holds.fill(options.outstanding(), options.many());
            double live = loaded(node);
            if (live < options.many()) {
                report.off("%,.0f entities were in memory, not %,d".formatted(live, options.many()));
            }
            long full = heap();
            if (loaded(node) < live) {
                report.off("entities left memory while they were counted: give them longer");
            }
            awaitLoaded(node, 0, linger.plus(PATIENCE));
            long after = heap();
            out.printf(
                    "%,.0f live entities: %,.0f bytes each; after they have left memory: %,.0f bytes each%n",
                    live, (full - before) / Math.max(1, live), (after - before) / Math.max(1, live));
            report.main(perSecond, null, null, null);
            ground.check(warm);
            ground.check(holds);
            return report.end();
        }
    }

    private static void awaitLoaded(Subject node, double wanted, Duration patience) throws Exception {
        long deadline = System.nanoTime() + patience.toNanos();
        while (loaded(node) > wanted) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(loaded(node) + " entities do not leave memory");
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    /** Reservations in memory, as the node's own metrics say. */
    private static double loaded(Subject node) throws IOException, InterruptedException {
        URI metrics = node.node().address().resolve("/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            String text = client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                    .body();
            return text.lines()
                    .filter(line -> line.startsWith(LOADED))
                    .mapToDouble(line -> Double.parseDouble(line.substring(LOADED.length())))
                    .findFirst()
                    .orElse(0);
        }
    }

    /** Bytes that are reachable. */
    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
