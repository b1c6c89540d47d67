package io.holdfast.node;

import io.holdfast.reservation.ledger.LedgerPartitions;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes partitions of the ledger ahead of time, at the start and every hour. Nobody depends on it: the projection makes what it lacks
 * itself, and is only held up for as long as that takes.
 */
final class LedgerUpkeep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerUpkeep.class);
    private static final Duration EVERY = Duration.ofHours(1);

    private final DataSource database;
    private final InstantSource clock;
    private final int months;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast ledger upkeep").factory());

    /** @param months how many behind the current one */
    LedgerUpkeep(DataSource database, InstantSource clock, int months) {
        this.database = database;
        this.clock = clock;
        this.months = months;
    }

    /** Begins. Once. */
    void start() {
        thread.scheduleWithFixedDelay(this::prepare, 0, EVERY.toMinutes(), TimeUnit.MINUTES);
    }

    private void prepare() {
        try {
            // Somewhere it is still yesterday.
            LocalDate earliest =
                    LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(1);
            int made = LedgerPartitions.prepare(database, earliest, months);
            if (made > 0) {
                LOG.info("{} partitions of the ledger were made, up to {} months ahead", made, months);
            }
        } catch (SQLException | RuntimeException e) {
            LOG.warn("partitions of the ledger could not be made ahead of time; it is tried again in {}", EVERY, e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
