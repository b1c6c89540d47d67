package io.holdfast.node;

import io.holdfast.config.GateSection;
import io.holdfast.config.Settings;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.fleet.OneInFleet;
import io.holdfast.http.route.SaleParts;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.SaleBuckets;
import io.holdfast.reservation.gate.GateBacklog;
import io.holdfast.reservation.gate.HandOverWork;
import io.holdfast.reservation.port.PoolDirectory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The gates of sales on this node: lets users in, looks after what was let in and left behind if no other node does, and measures both.
 *
 * @param desk where users are let in
 * @param parts what routes ask
 */
record Gate(AdmissionDesk desk, SaleParts parts) {

    private static final Duration BACKLOG_WITHIN = Duration.ofSeconds(1);

    static Gate start(
            Settings settings,
            DataSource views,
            MeterRegistry registry,
            StockScripts scripts,
            SaleKeys keys,
            HandOver handOver,
            PoolDirectory directory,
            SaleBuckets buckets,
            Supplier<Optional<String>> brokerTrouble,
            InstantSource clock,
            Closing closing) {
        GateSection section = settings.gate();
        var metrics = new GateMetrics(registry);
        var watch = closing.add(
                "the watch on what gates leave behind",
                new GateWatch(
                        handOver,
                        views,
                        brokerTrouble,
                        new GateBacklog.Limits(
                                section.limits().listed(),
                                section.limits().unsent(),
                                section.limits().brokerAway(),
                                section.limits().viewLag())));
        watch.start();
        var desk = new AdmissionDesk(
                directory,
                keys,
                scripts,
                handOver,
                watch,
                Parts.admissions(settings),
                metrics,
                clock,
                System::nanoTime,
                buckets);
        var work = closing.add(
                "the handing over of what gates let in",
                new OneInFleet(
                        new HandOverWork(handOver, directory, section.handOverEvery(), metrics, clock),
                        Sessions.ofLoops(settings.postgres()),
                        Parts.fleet(settings)));
        work.start();
        gauges(registry, watch, metrics, work, desk);
        return new Gate(
                desk,
                new SaleParts(
                        desk::admit,
                        keys.newest(),
                        pool -> backlog(handOver, pool),
                        new BucketReads(buckets, BACKLOG_WITHIN)));
    }

    private static CompletionStage<Optional<Long>> backlog(HandOver handOver, PoolId pool) {
        return handOver.listed(pool)
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(
                        Outcome.unknown("no answer in time"), BACKLOG_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(outcome -> switch (outcome) {
                    case Outcome.Known<Long>(Long holds) -> Optional.of(holds);
                    case Outcome.Unknown<Long> _, Outcome.Unavailable<Long> _ -> Optional.empty();
                });
    }

    private static void gauges(
            MeterRegistry registry, GateWatch watch, GateMetrics metrics, OneInFleet work, AdmissionDesk desk) {
        Gauge.builder(
                        "holdfast.reservation.send.pending",
                        watch,
                        now -> now.unsent().holds())
                .description("holds of gates whose order has not been asked for, counted up to gate.limits.unsent")
                .register(registry);
        Gauge.builder(
                        "holdfast.reservation.send.oldest.age.seconds",
                        watch,
                        now -> seconds(now.unsent().oldest()))
                .description("for how long the oldest of them has been known to its reservation")
                .register(registry);
        Gauge.builder("holdfast.reservation.send.due.size", metrics, now -> work.running() ? now.listed() : 0)
                .description(
                        "holds that gates let in and no reservation has heard of; on the node that looks after them")
                .register(registry);
        Gauge.builder("holdfast.gate.due.oldest.seconds", metrics, now -> work.running() ? seconds(now.oldest()) : 0)
                .description("how long ago the oldest of those was let in that the latest pass had to hand over")
                .register(registry);
        Gauge.builder("holdfast.gate.adopting", desk, AdmissionDesk::adopting)
                .description("holds that this node is handing over")
                .register(registry);
    }

    private static double seconds(Duration age) {
        return age.toMillis() / 1000.0;
    }
}
