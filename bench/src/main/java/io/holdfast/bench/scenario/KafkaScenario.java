package io.holdfast.bench.scenario;

import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.Stores;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.RedisBooks;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.http.HttpConfirms;
import io.holdfast.bench.kafka.OrderNews;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.report.Surroundings;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.reservation.domain.PoolId;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Holds confirmed by what their orders' events say, and as many confirmed over HTTP; meanwhile everything that moves is told to Kafka.
 * Each is done once unmeasured before it counts.
 */
final class KafkaScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int WARM_UP_SHARE = 4;
    /** Each look asks Redis for every pool, on account of what is measured. */
    private static final long LOOKS_EVERY_MILLIS = 100;

    private static final String ORDERS = "order.lifecycle.v1";

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String about() {
        return "--many holds confirmed by events of their orders; beside as many confirmed over HTTP";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Stores stores = Stores.start()) {
            String broker = stores.kafka();
            PostgresAddress database = stores.database("bench");
            Map<String, String> changes = Map.of(
                    "HOLDFAST_KAFKA_ENABLED",
                    "true",
                    "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS",
                    broker,
                    "HOLDFAST_KAFKA_PROTOCOL",
                    "plaintext",
                    "HOLDFAST_KAFKA_TOPICS_ORDERS",
                    ORDERS);
            var report = new Report(
                    name(),
                    options,
                    Surroundings.of(database, stores.redis().uri()).withKafka(broker),
                    out);
            try (Subject node = Subject.start(database, stores.redis().uri(), changes);
                    var news = new OrderNews(broker)) {
                compare(report, options, node, news, stores.meters());
                return report.end();
            }
        }
    }

    private static void compare(Report report, Options options, Subject node, OrderNews news, Meters meters)
            throws Exception {
        long first = Math.max(1, options.many() / WARM_UP_SHARE);
        var byEvent = new OurTrial(node, new PoolSet("k", options.pools()), OurTrial.Kind.HOLD);
        var overHttp = new OurTrial(node, new PoolSet("h", options.pools()), OurTrial.Kind.HOLD);
        byEvent.fill(options.outstanding(), options.many());
        overHttp.fill(options.outstanding(), options.many());
        node.awaitNoLag(PATIENCE);

        events(node, news, byEvent, 0, first);
        http(node, overHttp, options.outstanding(), 0, first);
        node.awaitNoLag(PATIENCE);
        Meters.Reading before = meters.read();
        double eventSeconds = events(node, news, byEvent, first, byEvent.begun());
        double rest = node.awaitNoLag(PATIENCE);
        Meters.Reading used = meters.read().since(before); // with what publishers and projections had put off
        double httpSeconds = http(node, overHttp, options.outstanding(), first, overHttp.begun());
        node.awaitNoLag(PATIENCE);

        double eventsEach = (byEvent.begun() - first) / eventSeconds;
        double httpEach = (overHttp.begun() - first) / httpSeconds;
        news.send("bench.raw", byEvent.poolSet(), 0, first);
        double rawSeconds = news.send("bench.raw", byEvent.poolSet(), 0, byEvent.begun());
        report.out()
                .printf(
                        "confirms by event: %,.0f a second; over HTTP: %,.0f a second%nprojections and publishers came"
                                + " up to the journal %.2f s after the last confirm by event%n",
                        eventsEach, httpEach, rest);
        report.main(eventsEach, byEvent.begun() - first, used);
        report.raw(
                new RawRate("Kafka, acks=all sends of the same events", byEvent.begun() / rawSeconds, 0), eventsEach);
        report.figure(Figure.atLeast("confirms by event to those over HTTP", 1, 1, eventsEach / httpEach));
        check(report, node, byEvent, overHttp);
    }

    private static double events(Subject node, OrderNews news, OurTrial trial, long from, long to) throws Exception {
        long began = System.nanoTime();
        news.send(ORDERS, trial.poolSet(), from, to);
        List<String> pools = trial.pools().stream().map(PoolId::value).toList();
        while (sold(node, pools) < to) {
            if (System.nanoTime() - began > PATIENCE.toNanos()) {
                throw new IllegalStateException(sold(node, pools) + " of " + to + " are confirmed, and no more");
            }
            TimeUnit.MILLISECONDS.sleep(LOOKS_EVERY_MILLIS);
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private static double http(Subject node, OurTrial trial, int outstanding, long from, long to) throws Exception {
        return HttpConfirms.confirm(node.node().address().getPort(), trial.poolSet(), from, to, outstanding);
    }

    private static long sold(Subject node, List<String> pools) {
        return RedisBooks.of(node.redisUri(), pools).values().stream()
                .mapToLong(RedisBooks::sold)
                .sum();
    }

    private static void check(Report report, Subject node, OurTrial... trials) throws Exception {
        JournalSums journal = JournalSums.of(node.database());
        report.off(journal.faults());
        for (OurTrial trial : trials) {
            Map<String, Sums.Told> told = new HashMap<>();
            trial.told().forEach((pool, held) -> told.put(pool, new Sums.Told(0, held.held())));
            report.off(Sums.compare(told, journal, RedisBooks.of(node.redisUri(), List.copyOf(told.keySet())), 1));
        }
    }
}
