package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.engine.fleet.OneInFleet;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.lua.redis.RedisStockScripts;
import io.holdfast.reconciliation.GateSide;
import io.holdfast.reconciliation.Reconciler;
import io.holdfast.reconciliation.ReconciliationSettings;
import io.holdfast.reconciliation.RunRequest;
import io.holdfast.reconciliation.sql.Reconciliations;
import io.holdfast.reconciliation.sql.SqlRunStore;
import io.holdfast.reconciliation.sql.ViewJournalSide;
import io.holdfast.reconciliation.systems.SystemCommands;
import io.holdfast.reconciliation.systems.SystemsReconciler;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.HandOver;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Comparisons of Redis with the journals: this node carries them out if no other does, and measures them.
 *
 * @param runs what routes ask
 */
record Reconciliation(Reconciliations runs) {

    private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

    static Reconciliation start(
            Settings settings,
            DataSource views,
            MeterRegistry registry,
            ProjectionProgress view,
            RedisStockScripts scripts,
            RedisProcesses processes,
            HandOver handOver,
            Entities<StockPool, StockPoolCommand> pools,
            SystemCommands commands,
            InstantSource clock,
            Closing closing) {
        ReconciliationSettings bounds = Parts.reconciliation(settings);
        var runs = new Reconciliations(views);
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("holdfast-reconciliation-", 0).factory());
        closing.add("the threads of reconciliation", threads::shutdownNow);
        var reconciler = new Reconciler(
                new SqlRunStore(),
                new ViewJournalSide(views, view, bounds.viewPatience()),
                scripts,
                scripts,
                GateSide.of(handOver),
                pools,
                bounds,
                new ReconciliationMetrics(registry),
                clock,
                threads);
        var gauges = closing.add("the gauges of reconciliation", ReconciliationGauges.of(registry, runs));
        var work = closing.add(
                "reconciliation",
                new OneInFleet(reconciler, Sessions.ofLoops(settings.postgres()), Parts.fleet(settings)));
        work.start();
        closing.add(
                        "reconciliation across systems",
                        new OneInFleet(
                                new SystemsReconciler(
                                        new ViewJournalSide(views, view, bounds.viewPatience()),
                                        commands,
                                        new SystemsMetrics(registry),
                                        bounds.margin()),
                                Sessions.ofLoops(settings.postgres()),
                                Parts.fleet(settings)))
                .start();
        gauges.start();
        bounds.schedule()
                .ifPresent(schedule -> processes.tell(process -> Thread.ofVirtual()
                        .name("holdfast-reconciliation-of-" + process)
                        .start(() -> lookAtAll(runs, process, schedule.mode()))));
        return new Reconciliation(runs);
    }

    /**
     * Asks for a run of all pools, once in the fleet for each Redis process: it serves no pool before that was verified, and those in which
     * nothing happens have nobody else to notice it.
     */
    private static void lookAtAll(Reconciliations runs, String process, RunRequest.Mode mode) {
        try {
            var _ = runs.ask(
                    "redis-" + process.replace(':', '-'),
                    new RunRequest(new RunRequest.Scope.All(), mode, false, "schedule, for another Redis process"));
        } catch (SQLException e) {
            LOG.warn("the pools of another Redis process are left to the next scheduled run", e);
        }
    }
}
