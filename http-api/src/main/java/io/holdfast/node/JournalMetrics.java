package io.holdfast.node;

import io.holdfast.engine.journal.jdbc.GroupCommit;
import io.holdfast.engine.journal.jdbc.JournalListener;
import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and times what the journal of this node does; logs when it loses the database and when it has it again. */
final class JournalMetrics implements JournalListener {

    private static final Logger LOG = LoggerFactory.getLogger(JournalMetrics.class);

    private final Timer commits;
    private final DistributionSummary batchRows;
    private final Counter refused;
    private final Counter splits;
    private final Counter locked;
    private final Counter aside;
    private final Counter conflicts;
    private final Counter badRows;
    private final Counter settled;
    private final Counter absent;
    private final Map<Certainty, Counter> overdue = new EnumMap<>(Certainty.class);
    private final Counter disconnects;
    private final Counter lookUps;
    private final Counter lookUpQueries;
    private final Counter replays;
    private final Counter replayQueries;
    private final AtomicBoolean away = new AtomicBoolean();

    private JournalMetrics(MeterRegistry registry) {
        this.commits = Timer.builder("holdfast.journal.commits")
                .description("batches that became durable, and how long each took")
                .register(registry);
        this.batchRows = DistributionSummary.builder("holdfast.journal.batch.rows")
                .description("rows in one batch")
                .register(registry);
        this.refused = counter(registry, "refused", "writes refused because too many waited");
        this.splits = counter(registry, "splits", "batches cut in two to find what is wrong with them");
        this.locked = counter(registry, "locked", "statements that waited too long for a lock");
        this.aside =
                counter(registry, "put-aside", "writes that wait for somebody else's transaction, beside the others");
        this.conflicts = counter(registry, "conflicts", "writes that failed because another writer was first");
        this.badRows = counter(registry, "bad-rows", "writes that failed because the database can't store them");
        this.settled = settled(registry, "yes");
        this.absent = settled(registry, "no");
        for (Certainty certainty : Certainty.values()) {
            overdue.put(
                    certainty,
                    Counter.builder("holdfast.journal.overdue")
                            .description("writes that ended because their time was over")
                            .tag("certainty", certainty.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        this.disconnects = counter(registry, "disconnects", "connections lost, or not made");
        this.lookUps = counter(registry, "look-ups", "entities that asked for their last entry when they started");
        this.lookUpQueries = counter(registry, "look-up.queries", "queries those shared");
        this.replays = counter(registry, "replays", "pages that entities replayed");
        this.replayQueries = counter(registry, "replay.queries", "queries those shared");
    }

    /** Counts what this journal does from now on. */
    static void of(GroupCommit journal, MeterRegistry registry) {
        Gauge.builder("holdfast.journal.waiting", journal, GroupCommit::waiting)
                .description("writes that wait for a batch")
                .register(registry);
        journal.listen(new JournalMetrics(registry));
    }

    private static Counter counter(MeterRegistry registry, String name, String meaning) {
        return Counter.builder("holdfast.journal." + name).description(meaning).register(registry);
    }

    private static Counter settled(MeterRegistry registry, String found) {
        return Counter.builder("holdfast.journal.settled")
                .description("writes whose commit was lost and that were looked for")
                .tag("found", found)
                .register(registry);
    }

    @Override
    public void committed(int writes, int rows, Duration took) {
        commits.record(took);
        batchRows.record(rows);
        isThere();
    }

    @Override
    public void refused() {
        refused.increment();
    }

    @Override
    public void split() {
        splits.increment();
    }

    @Override
    public void locked() {
        locked.increment();
    }

    @Override
    public void putAside() {
        aside.increment();
    }

    @Override
    public void conflict() {
        conflicts.increment();
    }

    @Override
    public void badRow() {
        badRows.increment();
    }

    @Override
    public void settled(int ended, int notThere) {
        settled.increment(ended);
        absent.increment(notThere);
        LOG.info("Of writes whose commit was lost, {} are settled and {} are written again", ended, notThere);
    }

    @Override
    public void overdue(Certainty certainty) {
        Counter counter = overdue.get(certainty);
        if (counter != null) {
            counter.increment();
        }
    }

    @Override
    public void disconnected(SQLException why) {
        disconnects.increment();
        if (away.compareAndSet(false, true)) {
            LOG.warn("The journal has lost PostgreSQL and tries on: {}", why.getMessage());
        }
    }

    @Override
    public void lookedUp(int entities) {
        lookUps.increment(entities);
        lookUpQueries.increment();
    }

    @Override
    public void replayed(int entities, int rows) {
        replays.increment(entities);
        replayQueries.increment();
    }

    private void isThere() {
        if (away.get() && away.compareAndSet(true, false)) {
            LOG.info("The journal writes to PostgreSQL again");
        }
    }
}
