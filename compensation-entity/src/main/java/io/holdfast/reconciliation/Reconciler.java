package io.holdfast.reconciliation;

import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.Pause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.StoredFences;
import io.holdfast.reconciliation.RunInProgress.PoolWork;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries runs out, on one node of the fleet at a time: a page of each of several pools, then the next. What it must not lose is in the
 * database: a node that takes over goes on after the last pool that was done.
 */
public final class Reconciler implements FleetWork {

    /** Name of the work in the fleet. */
    public static final String NAME = "reconciliation";

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    private static final Duration LOOKS_FOR_RUNS_EVERY = Duration.ofMillis(500);
    private static final Duration FORGETS_EVERY = Duration.ofMinutes(5);

    /** A run that breaks whoever carries it out must not hold up all others for ever. */
    private static final int MOST_TAKEN_UP = 20;

    private final RunStore store;
    private final JournalSide journals;
    private final Comparison.Sides sides;
    private final ReconciliationSettings settings;
    private final ReconciliationListener listener;
    private final InstantSource clock;
    private final Executor threads;

    private final Map<String, RunInProgress> inProgress = new TreeMap<>();
    private long forgetAt = System.nanoTime();
    private long notBefore = System.nanoTime();
    /** Whether pools may still be paused by a repair that did not come to its end. */
    private boolean resume = true;

    /**
     * A reconciler that has not begun.
     *
     * @param threads threads that may wait, one for each pool compared at a time
     */
    public Reconciler(
            RunStore store,
            JournalSide journals,
            StockScripts scripts,
            StoredFences names,
            GateSide gates,
            Entities<StockPool, StockPoolCommand> pools,
            ReconciliationSettings settings,
            ReconciliationListener listener,
            InstantSource clock,
            Executor threads) {
        this.store = store;
        this.journals = journals;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.threads = threads;
        this.sides = new Comparison.Sides(
                journals, new RedisSide(scripts, names), gates, pools, settings.mostFindings(), listener);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        inProgress.clear();
        store.takeUp(connection);
        resume = true;
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        if (settings.schedule().isPresent()) {
            store.schedule(connection, settings.schedule().get());
        }
        if (System.nanoTime() - forgetAt >= 0) {
            store.forget(connection, settings.keep());
            forgetAt = System.nanoTime() + FORGETS_EVERY.toNanos();
        }
        if (resume) {
            for (RunStore.Paused paused : store.paused(connection)) {
                Repairs.resume(connection, store, sides, paused.run(), PoolId.parse(paused.pool()), paused.operation());
            }
            resume = false;
        }
        // A longer pause than the fleet's own is kept here: it looks after its locks meanwhile.
        long left = notBefore - System.nanoTime();
        if (left > 0) {
            return Pause.of(Duration.ofNanos(left));
        }
        Optional<Run> next = store.next(connection);
        if (next.isEmpty()) {
            return Pause.of(LOOKS_FOR_RUNS_EVERY);
        }
        Duration pause = advance(connection, next.get());
        notBefore = System.nanoTime() + pause.toNanos();
        return Pause.of(pause);
    }

    /** One round of a run; how long to wait after it. */
    private Duration advance(Connection connection, Run run) throws SQLException {
        if (run.takenUp() > MOST_TAKEN_UP) {
            String why = "it was taken up " + run.takenUp() + " times and did not come to its end";
            listener.ended(store.end(connection, run.id(), Optional.of(why)));
            return Duration.ZERO;
        }
        RunInProgress work =
                inProgress.computeIfAbsent(run.id(), _ -> new RunInProgress(run, journals, settings.poolsAtOnce()));
        for (Optional<PoolId> pool = work.room(); pool.isPresent(); pool = work.room()) {
            work.begin(comparison(connection, run, pool.get()));
        }
        if (work.done()) {
            inProgress.remove(run.id());
            listener.ended(store.end(connection, run.id(), work.failure()));
            return Duration.ZERO;
        }
        List<PoolWork> comparing = work.comparing();
        int compared = step(connection, run, comparing);
        Duration pause = pause(compared, comparing);
        while (work.first().isPresent()) {
            PoolWork first = work.first().get();
            if (!first.comparison().done()) {
                return pause;
            }
            if (mendsMore(connection, run, first)) {
                return Duration.ofSeconds(1).dividedBy(settings.repairsPerSecond());
            }
            end(connection, run, first);
            work.ended();
        }
        return pause;
    }

    /** However many pools a new Redis process has, they are verified a few at a time: each is frozen meanwhile. */
    private Duration pause(int compared, List<PoolWork> stepped) {
        long verifying =
                stepped.stream().filter(one -> one.comparison().toldToVerify()).count();
        return Duration.ofSeconds(1)
                .multipliedBy(compared)
                .dividedBy(settings.reservationsPerSecond())
                .plus(Duration.ofSeconds(1).multipliedBy(verifying).dividedBy(settings.repairsPerSecond()));
    }

    private Comparison comparison(Connection connection, Run run, PoolId pool) throws SQLException {
        store.beginPool(connection, run.id(), pool.value());
        Optional<Proof> proof = run.request().full() ? Optional.empty() : store.proof(connection, pool.value());
        return new Comparison(pool, proof, journals.settledUntil().minus(settings.margin()), clock.instant(), sides);
    }

    /** A step of each of these at the same time. */
    private int step(Connection connection, Run run, List<PoolWork> comparing) throws SQLException {
        List<CompletableFuture<Integer>> steps = comparing.stream()
                .map(one -> CompletableFuture.supplyAsync(() -> step(one.comparison()), threads))
                .toList();
        int compared = 0;
        try {
            for (CompletableFuture<Integer> step : steps) {
                compared += step.join();
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof SQLException database) {
                throw database;
            }
            throw e;
        }
        for (PoolWork one : comparing) {
            List<Finding> found = one.comparison().takeFindings();
            if (!found.isEmpty()) {
                store.found(connection, run.id(), one.comparison().pool().value(), found);
            }
        }
        return compared;
    }

    /** Whatever a pool does to its comparison, the other pools are compared. */
    private static int step(Comparison comparison) {
        try {
            return comparison.step();
        } catch (SQLException e) {
            throw new CompletionException(e);
        } catch (RuntimeException e) {
            LOG.warn("the comparison of {} broke", comparison.pool(), e);
            comparison.skip("the comparison broke: " + e);
            return 0;
        }
    }

    /** One step of putting right what was found of a pool; whether there is more to do. */
    private boolean mendsMore(Connection connection, Run run, PoolWork work) throws SQLException {
        Comparison comparison = work.comparison();
        if (run.request().mode() == RunRequest.Mode.DRY_RUN
                || !(comparison.outcome() instanceof RunStore.PoolOutcome.Differs)) {
            return false;
        }
        if (work.repairs().isEmpty()) {
            work.repair(new Repairs(run, comparison.pool(), comparison.numbers(), sides, store, clock));
        }
        Repairs repairs = work.repairs().orElseThrow();
        repairs.step(connection);
        return !repairs.done();
    }

    private void end(Connection connection, Run run, PoolWork work) throws SQLException {
        Comparison comparison = work.comparison();
        long repaired = work.repairs().map(Repairs::repaired).orElse(0L);
        Run.Counts counts = comparison.counts().repaired(repaired);
        store.endPool(
                connection,
                run.id(),
                comparison.pool().value(),
                comparison.outcome(),
                comparison.whole(),
                repaired > 0 && repaired == counts.findings(),
                Optional.of(comparison.watermark()),
                counts);
        listener.pool(work.took());
        // One that could not be resumed then.
        resume |= work.repairs().isPresent();
    }

    @Override
    public void failed(Throwable failure) {
        listener.broke(failure);
    }
}
