package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.MeasuredAll;
import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.SqlTrial;
import io.holdfast.bench.Stores;
import io.holdfast.bench.Subject;
import io.holdfast.bench.Turns;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.RedisBooks;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.raw.RawCommits;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.report.Surroundings;
import io.holdfast.bench.sql.SqlRow;
import io.holdfast.bench.sql.SqlTables;
import io.holdfast.localstack.PostgresAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Stores, one node on them, and what most scenarios do with both. */
final class Ground implements AutoCloseable {

    static final Duration RAW_TURN_LONGEST = Duration.ofSeconds(5);
    private static final Duration SWEEP_LONGEST = Duration.ofSeconds(5);

    private final Options options;
    private final Stores stores;
    private final Subject subject;
    private final Deque<Subject> others = new ArrayDeque<>();
    private final Report report;

    private Ground(Options options, Stores stores, Subject subject, Report report) {
        this.options = options;
        this.stores = stores;
        this.subject = subject;
        this.report = report;
    }

    /** Starts everything but Kafka, and prints where it is. */
    static Ground open(Scenario scenario, Options options, PrintStream out) throws Exception {
        return open(scenario, options, out, stores -> Map.of());
    }

    /** Settings of the node that depend on what was started. */
    @FunctionalInterface
    interface Changes {
        Map<String, String> on(Stores stores) throws Exception;
    }

    /** The same, with these settings. */
    static Ground open(Scenario scenario, Options options, PrintStream out, Changes changes) throws Exception {
        Stores stores = Stores.start();
        try {
            PostgresAddress database = stores.database("bench");
            Subject subject = Subject.start(database, stores.redis().uri(), changes.on(stores));
            var surroundings = Surroundings.of(database, stores.redis().uri());
            return new Ground(options, stores, subject, new Report(scenario.name(), options, surroundings, out));
        } catch (Exception e) {
            stores.close();
            throw e;
        }
    }

    Stores stores() {
        return stores;
    }

    Subject subject() {
        return subject;
    }

    Report report() {
        return report;
    }

    /**
     * One more node in this process, on a database of its own of each store.
     *
     * @param changes settings, by their environment variables
     */
    Subject another(String name, Map<String, String> changes) {
        return another(stores.database(name), changes);
    }

    /** The same, on a database that is there already. */
    Subject another(PostgresAddress database, Map<String, String> changes) {
        others.push(Subject.start(database, stores.redis().uri() + "/" + (others.size() + 1), changes));
        return others.element();
    }

    /** A load on the node, over pools of its own. */
    OurTrial ours(String prefix, int pools, OurTrial.Kind kind) {
        return new OurTrial(subject, new PoolSet(prefix, pools), kind);
    }

    /** The baseline, in a database of its own, at its best number of connections. */
    SqlTrial sqlRow(SqlRow.Kind kind) throws Exception {
        return new SqlTrial(
                SqlTables.create(stores.database("sql_row")),
                new PoolSet("s", options.pools()),
                kind,
                options.outstanding(),
                share(SWEEP_LONGEST),
                report.out());
    }

    /** Lets them take their turns. */
    MeasuredAll turns(List<Contender> contenders) throws Exception {
        return new Turns(stores.meters(), report.out()).run(contenders, options);
    }

    /** The raw rate of commits into a table like the journal, which must hold some rows. */
    RawRate rawCommits() throws Exception {
        Duration turn = share(RAW_TURN_LONGEST);
        return new RawCommits(subject.database()).run(turn.dividedBy(2), turn);
    }

    /** How long something lasts that takes a quarter of the time counted, within bounds. */
    Duration share(Duration longest) {
        return options.share(longest);
    }

    /**
     * Compares what callers were told with the journal and with Redis, and reports what is off.
     *
     * @param trials all on one node
     * @return the sums of that node's journal
     */
    JournalSums check(OurTrial... trials) throws Exception {
        JournalSums journal = JournalSums.of(trials[0].subject().database());
        report.off(journal.faults());
        for (OurTrial trial : trials) {
            check(trial.subject(), journal, trial.told());
        }
        return journal;
    }

    /** Compares what callers were told with these sums and with Redis, and reports what is off. */
    void check(Subject node, JournalSums journal, Map<String, Sums.Told> told) {
        report.off(Sums.compare(told, journal, RedisBooks.of(node.redisUri(), List.copyOf(told.keySet())), 1));
    }

    @Override
    public void close() throws IOException {
        try (stores) {
            others.forEach(Subject::close);
            subject.close();
        }
    }
}
