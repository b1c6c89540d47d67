package io.holdfast.bench;

import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.RedisBooks;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.raw.RawCommits;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.report.Surroundings;
import io.holdfast.localstack.PostgresAddress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Holds, as fast as they come back. */
final class HoldScenario {

    private static final long PLENTY = 1L << 40;
    private static final int EVENTS_PER_HOLD = 2;

    private final PrintStream out;

    HoldScenario(PrintStream out) {
        this.out = out;
    }

    Result run(Options options) throws Exception {
        try (var stores = Stores.start()) {
            PostgresAddress database = stores.database("hold");
            try (var subject = Subject.start(database, stores.redis().uri(), Map.of())) {
                var surroundings = Surroundings.of(database, stores.redis().uri());
                out.println("machine:    " + surroundings.machine());
                out.println("versions:   " + surroundings.versions());
                out.println("durability: " + surroundings.durability());
                subject.createPools(options.pools(), PLENTY);
                return measure(options, stores, database, subject, surroundings);
            }
        }
    }

    private Result measure(
            Options options, Stores stores, PostgresAddress database, Subject subject, Surroundings surroundings)
            throws Exception {
        var numbers = new AtomicLong();
        var stretch = new Stretch(subject, stores.meters(), out);
        var raw = new RawCommits(database);
        Duration turn = Duration.ofMillis(Math.max(500, options.counted().toMillis() / 4));
        Measured holds = stretch.run(new Holds(subject.node().reservations(), options.pools()), options, numbers);
        RawRate commits = raw.run(turn.dividedBy(2), turn);
        print(holds, commits);
        List<String> off = check(options, stores, database, numbers.get(), holds);
        off.forEach(line -> out.println("OFF: " + line));
        Meters.Reading used = holds.used();
        return new Result(
                "hold",
                options.outstanding(),
                options.pools(),
                holds.perSecond(),
                holds.p50Millis(),
                holds.p99Millis(),
                new Result.CpuPerOperation(
                        holds.microsPerOperation(used.jvm()),
                        holds.microsPerOperation(used.postgres()),
                        holds.microsPerOperation(used.redis()),
                        null),
                new Result.Raw(commits.name(), commits.perSecond()),
                holds.perSecond() * EVENTS_PER_HOLD / commits.perSecond(),
                null,
                null,
                off.isEmpty(),
                surroundings.machine(),
                surroundings.versions(),
                surroundings.durability());
    }

    private void print(Measured holds, RawRate commits) {
        Meters.Reading used = holds.used();
        out.printf(
                "%,d holds in %.1f s: %,.0f a second, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.1f ms%n",
                holds.operations(),
                holds.seconds(),
                holds.perSecond(),
                holds.p50Millis(),
                holds.p99Millis(),
                holds.micros().getValueAtPercentile(99.9) / 1000.0,
                holds.micros().getMaxValue() / 1000.0);
        out.printf(
                "cpu us a hold: %.1f (jvm %.1f, postgres %.1f, redis %.1f); allocated %,.0f bytes a hold%n",
                holds.microsPerOperation(used.all()),
                holds.microsPerOperation(used.jvm()),
                holds.microsPerOperation(used.postgres()),
                holds.microsPerOperation(used.redis()),
                holds.microsPerOperation(used.allocated()));
        out.printf(
                "raw: %s: %,.0f a second, p50 %.2f ms%n",
                commits.name(), commits.perSecond(), commits.p50Micros() / 1000.0);
        out.printf(
                "ratio: %.2f journal events for each raw commit%n",
                holds.perSecond() * EVENTS_PER_HOLD / commits.perSecond());
    }

    private List<String> check(Options options, Stores stores, PostgresAddress database, long begun, Measured holds)
            throws Exception {
        Map<String, Sums.Told> told = new HashMap<>();
        for (int i = 0; i < options.pools(); i++) {
            long share = begun / options.pools() + (i < begun % options.pools() ? 1 : 0);
            told.put(Subject.pool(i).value(), new Sums.Told(share, 0));
        }
        List<String> off = new ArrayList<>();
        holds.failures().forEach((why, count) -> off.add(count + " holds were not granted: " + why));
        List<String> pools = IntStream.range(0, options.pools())
                .mapToObj(i -> Subject.pool(i).value())
                .toList();
        off.addAll(Sums.compare(
                told, JournalSums.of(database), RedisBooks.of(stores.redis().uri(), pools), 1));
        return off;
    }
}
