package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.engine.fleet.Bell;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.SessionSource;
import io.holdfast.engine.projection.DeliveryHandler;
import io.holdfast.engine.projection.JournalFeed;
import io.holdfast.engine.projection.Projection;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.ProjectionRunner;
import io.holdfast.engine.sweep.Sweeper;
import io.holdfast.engine.sweep.Timer;
import io.holdfast.engine.sweep.WakeAhead;
import io.holdfast.engine.sweep.Waker;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What this node does with the journal once it is written: runs its part of the projections, sweeps and sets timers if no other node does,
 * and measures all of it.
 *
 * @param bell wakes them when the journal's writers, of this node or another, say that there is more
 * @param projections those that keep tables, which others rest on
 * @param deliveries those that hand the journal to something outside, which may be away
 */
record ReadSide(
        Bell bell,
        List<ProjectionRunner> projections,
        List<ProjectionRunner> deliveries,
        Sweeper sweeper,
        WakeAhead wakeAhead) {

    static ReadSide start(
            Settings settings,
            DataSource views,
            MeterRegistry registry,
            List<Projection> projections,
            Waker waker,
            Timer timer,
            Closing closing) {
        SessionSource sessions = Sessions.ofLoops(settings.postgres());
        FleetSettings fleet = Parts.fleet(settings);
        List<String> names = projections.stream().map(Projection::name).toList();
        var metrics = new ReadSideMetrics(registry, names, Audits.machines());
        var bell = closing.add("the bell of the read side", new Bell());
        var feed = new JournalFeed(bell);
        List<ProjectionRunner> tables = new ArrayList<>();
        List<ProjectionRunner> deliveries = new ArrayList<>();
        for (Projection projection : projections) {
            var runner = closing.add(
                    "the projection " + projection.name(),
                    new ProjectionRunner(projection, sessions, feed, fleet, Parts.projections(settings), metrics));
            switch (projection) {
                case ProjectionHandler _ -> tables.add(runner);
                case DeliveryHandler _ -> deliveries.add(runner);
            }
        }
        var sweeper = closing.add("the sweeper", new Sweeper(sessions, fleet, Parts.sweeper(settings), waker, metrics));
        var wakeAhead =
                closing.add("the timers", new WakeAhead(sessions, fleet, Parts.ahead(settings), timer, waker, metrics));
        List<SampledGauges<?>> gauges = List.of(
                closing.add("the gauges of projections", ReadSideGauges.ofProjections(registry, views, names)),
                closing.add("the gauges of stock", ReadSideGauges.ofStock(registry, views)),
                closing.add("the gauges of what is owed", ReadSideGauges.ofOwed(registry, views)));
        bell.listen(sessions, fleet);
        tables.forEach(ProjectionRunner::start);
        deliveries.forEach(ProjectionRunner::start);
        sweeper.start();
        wakeAhead.start();
        gauges.forEach(SampledGauges::start);
        return new ReadSide(bell, List.copyOf(tables), List.copyOf(deliveries), sweeper, wakeAhead);
    }
}
