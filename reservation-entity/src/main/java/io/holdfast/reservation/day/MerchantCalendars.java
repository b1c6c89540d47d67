package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.BusinessCalendar;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By which calendar each merchant's days are told: the zone the settings name for it, else the one stored with its baselines, else the
 * usual one. Stored zones are kept in memory, all of them, and asked for anew every now and then; a change on another node is known here
 * after that time, and what was known last holds while the database can't be asked.
 */
public final class MerchantCalendars implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MerchantCalendars.class);
    private static final String ALL = "0";

    private final Map<String, ZoneId> settled;
    private final ZoneId usual;
    private final BaselineTable table;
    private final Duration askEvery;
    private final Map<String, BusinessCalendar> stored = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holdfast calendars").factory());

    private String since = ALL; // guarded by this

    /**
     * @param settled zones that the settings of the nodes name
     * @param usual zone of merchants that have none
     * @param askEvery how long a change on another node may go unnoticed
     */
    public MerchantCalendars(Map<String, ZoneId> settled, ZoneId usual, BaselineTable table, Duration askEvery) {
        this.settled = Map.copyOf(settled);
        this.usual = usual;
        this.table = table;
        this.askEvery = askEvery;
    }

    /**
     * Reads all zones and begins to ask for changes. Once.
     *
     * @throws SQLException if they can't be read: without them days would be told wrong
     */
    public void start() throws SQLException {
        refresh();
        thread.scheduleWithFixedDelay(
                this::refreshIfPossible, askEvery.toMillis(), askEvery.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The merchant's calendar. Answers at once. */
    public BusinessCalendar of(String merchant) {
        ZoneId named = settled.get(merchant);
        return named != null ? new BusinessCalendar(named) : stored.getOrDefault(merchant, new BusinessCalendar(usual));
    }

    /** The zone that the settings name for this merchant: it can't be changed otherwise. */
    public Optional<ZoneId> settled(String merchant) {
        return Optional.ofNullable(settled.get(merchant));
    }

    /** Learns of changes now, such as those this node has just made. Blocking. */
    public synchronized void refresh() throws SQLException {
        BaselineTable.Zones zones = table.zonesSince(since);
        zones.changed().forEach((merchant, zone) -> stored.put(merchant, new BusinessCalendar(zone)));
        since = zones.since();
    }

    private void refreshIfPossible() {
        try {
            refresh();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("zones of merchants could not be asked for; those known stay", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
