package io.holdfast.node;

import io.holdfast.engine.projection.Lag;
import io.holdfast.engine.projection.Projections;
import io.holdfast.engine.sweep.Backlog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/** How far the read side is behind, what stands in it, and what is owed. */
final class ReadSideGauges {

    private static final Duration EVERY = Duration.ofSeconds(10);

    private record Progress(Lag lag, long parked, boolean paused) {}

    private record Stock(long overdue, double longestOverdue, long inDeficit, long underReview) {}

    private record Reading(Map<String, Progress> projections, Optional<Duration> oldestWriter) {

        Progress of(String projection) {
            return Objects.requireNonNull(projections.get(projection), projection);
        }
    }

    private static final String STOCK = """
        select count(*), coalesce(extract(epoch from now() - min(attention_at)), 0),
               (select count(*) from pool_view where deficit > 0 and status <> 'ARCHIVED'),
               (select count(*) from (select from reservation_view
                                      where status = 'MANUAL_REVIEW' limit 10000) marked)
        from (select attention_at from reservation_view
              where status = 'RESERVED' and attention_at <= now() limit 10000) overdue
        """;

    private ReadSideGauges() {}

    /** How far projections are; not read yet. */
    static SampledGauges<?> ofProjections(MeterRegistry registry, DataSource database, List<String> projections) {
        var gauges = new SampledGauges<Reading>(registry, "projection", EVERY, () -> read(database, projections));
        for (String projection : projections) {
            var tags = Tags.of("projection", projection);
            gauges.gauge(
                            "holdfast.projection.lag.events",
                            tags,
                            "events not handled yet",
                            seen -> seen.of(projection).lag().events())
                    .gauge(
                            "holdfast.projection.lag.seconds",
                            tags,
                            "age of the oldest event not handled yet",
                            seen -> SampledGauges.seconds(
                                    seen.of(projection).lag().oldest()))
                    .gauge(
                            "holdfast.projection.parked.entities",
                            tags,
                            "entities set aside",
                            seen -> seen.of(projection).parked())
                    .gauge(
                            "holdfast.projection.paused",
                            tags,
                            "1 while it is paused",
                            seen -> seen.of(projection).paused() ? 1 : 0);
        }
        return gauges.gauge(
                "holdfast.journal.oldest.writer.seconds",
                "age of the oldest open transaction that writes: projections wait for its end",
                seen -> SampledGauges.seconds(seen.oldestWriter()));
    }

    /** What stands in the views; not read yet. */
    static SampledGauges<?> ofStock(MeterRegistry registry, DataSource database) {
        return new SampledGauges<Stock>(registry, "stock", EVERY, () -> stock(database))
                .gauge(
                        "holdfast.reservations.overdue",
                        "holds of whose order nothing is heard for too long, counted up to 10000",
                        Stock::overdue)
                .gauge(
                        "holdfast.reservations.overdue.oldest.seconds",
                        "how long the longest of them has been overdue",
                        Stock::longestOverdue)
                .gauge(
                        "holdfast.reservations.under-review",
                        "reservations of which a person must decide, counted up to 10000",
                        Stock::underReview)
                .gauge(
                        "holdfast.pools.in-deficit",
                        "pools whose total is less than what is promised of them",
                        Stock::inDeficit);
    }

    /** What is owed in the whole fleet; not read yet. */
    static SampledGauges<?> ofOwed(MeterRegistry registry, DataSource database) {
        return new SampledGauges<Backlog>(registry, "owed", EVERY, () -> Backlog.read(database))
                .gauge("holdfast.owed.entities", "entities that owe something or wait for a time", Backlog::owed)
                .gauge("holdfast.owed.due.entities", "those of them whose time has come", Backlog::due)
                .gauge(
                        "holdfast.owed.oldest.seconds",
                        "how long the longest of them has been due",
                        seen -> SampledGauges.seconds(seen.oldest()));
    }

    private static Reading read(DataSource database, List<String> names) throws SQLException {
        var tables = new Projections(database);
        Map<String, Progress> projections = new HashMap<>();
        for (String name : names) {
            projections.put(name, new Progress(tables.lag(name), tables.parkedCount(name), tables.paused(name)));
        }
        return new Reading(projections, tables.openWriter());
    }

    private static Stock stock(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(STOCK);
                ResultSet r = s.executeQuery()) {
            r.next();
            return new Stock(r.getLong(1), r.getDouble(2), r.getLong(3), r.getLong(4));
        }
    }
}
