package io.holdfast.node;

import io.holdfast.engine.projection.Lag;
import io.holdfast.engine.projection.Projections;
import io.holdfast.engine.sweep.Backlog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the read side is behind and what is owed, read from the database now and then on a thread of its own: whoever scrapes gets the
 * last reading and never waits. What could not be read is {@code NaN}, not an old number.
 */
final class ReadSideGauges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReadSideGauges.class);
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final MeterRegistry registry;
    private final DataSource database;
    private final List<String> projections;
    private final Map<String, Double> readings = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast gauges").factory());

    ReadSideGauges(MeterRegistry registry, DataSource database, List<String> projections) {
        this.registry = registry;
        this.database = database;
        this.projections = projections;
    }

    /** Begins to read. Once. */
    void start() {
        for (String projection : projections) {
            gauge("holdfast.projection.lag.events", projection, "events not handled yet");
            gauge("holdfast.projection.lag.seconds", projection, "age of the oldest event not handled yet");
            gauge("holdfast.projection.parked.entities", projection, "entities set aside");
            gauge("holdfast.projection.paused", projection, "1 while it is paused");
        }
        gauge(
                "holdfast.journal.oldest.writer.seconds",
                "",
                "age of the oldest open transaction that writes: projections wait for its end");
        gauge(
                "holdfast.reservations.overdue",
                "",
                "holds of whose order nothing is heard for too long, counted up to 10000");
        gauge("holdfast.reservations.overdue.oldest.seconds", "", "how long the longest of them has been overdue");
        gauge(
                "holdfast.reservations.under-review",
                "",
                "reservations of which a person must decide, counted up to 10000");
        gauge("holdfast.pools.in-deficit", "", "pools whose total is less than what is promised of them");
        gauge("holdfast.owed.entities", "", "entities that owe something or wait for a time");
        gauge("holdfast.owed.due.entities", "", "those of them whose time has come");
        gauge("holdfast.owed.oldest.seconds", "", "how long the longest of them has been due");
        thread.scheduleWithFixedDelay(this::readAll, 0, EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    private void gauge(String name, String projection, String meaning) {
        Gauge.builder(name, readings, all -> all.getOrDefault(name + projection, Double.NaN))
                .description(meaning)
                .tags(projection.isEmpty() ? Tags.empty() : Tags.of("projection", projection))
                .register(registry);
    }

    private void readAll() {
        try {
            var tables = new Projections(database);
            for (String projection : projections) {
                Lag lag = tables.lag(projection);
                readings.put("holdfast.projection.lag.events" + projection, (double) lag.events());
                readings.put("holdfast.projection.lag.seconds" + projection, seconds(lag.oldest()));
                readings.put(
                        "holdfast.projection.parked.entities" + projection, (double) tables.parkedCount(projection));
                readings.put("holdfast.projection.paused" + projection, tables.paused(projection) ? 1.0 : 0.0);
            }
            readings.put("holdfast.journal.oldest.writer.seconds", seconds(tables.openWriter()));
            Backlog backlog = Backlog.read(database);
            readings.put("holdfast.owed.entities", (double) backlog.owed());
            readings.put("holdfast.owed.due.entities", (double) backlog.due());
            readings.put("holdfast.owed.oldest.seconds", seconds(backlog.oldest()));
            readStock();
        } catch (SQLException | RuntimeException e) {
            readings.clear();
            LOG.debug("the read side could not be measured", e);
        }
    }

    private void readStock() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select count(*), coalesce(extract(epoch from now() - min(attention_at)), 0),
                           (select count(*) from pool_view where deficit > 0 and status <> 'ARCHIVED'),
                           (select count(*) from (select from reservation_view
                                                  where status = 'MANUAL_REVIEW' limit 10000) marked)
                    from (select attention_at from reservation_view
                          where status = 'RESERVED' and attention_at <= now() limit 10000) overdue
                    """);
                ResultSet r = s.executeQuery()) {
            r.next();
            readings.put("holdfast.reservations.overdue", r.getDouble(1));
            readings.put("holdfast.reservations.overdue.oldest.seconds", r.getDouble(2));
            readings.put("holdfast.pools.in-deficit", r.getDouble(3));
            readings.put("holdfast.reservations.under-review", r.getDouble(4));
        }
    }

    private static double seconds(Optional<Duration> age) {
        return age.map(Duration::toMillis).orElse(0L) / 1000.0;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
