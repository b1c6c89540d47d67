package io.holdfast.engine.sweep;

import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.Passes;
import io.holdfast.engine.fleet.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the window after another, soonest first. A pass that runs out of timers goes on where it stopped once some have rung, with
 * those whose time has come meanwhile; entities that have a timer already are passed over.
 */
final class AheadWork implements FleetWork {

    private static final Logger LOG = LoggerFactory.getLogger(AheadWork.class);
    private static final Duration UNTIL_SOME_HAVE_RUNG = Duration.ofMillis(100);

    private final AheadSettings settings;
    private final Timer timer;
    private final Waker waker;
    private final SweepListener listener;
    /** Outlives the loss of the lock: the timers do, too. */
    private final Set<Owed> planned = ConcurrentHashMap.newKeySet();

    private volatile boolean forgotten;
    private @Nullable Owed place; // where the current pass is; null between passes
    private final Passes passes;

    AheadWork(AheadSettings settings, Timer timer, Waker waker, SweepListener listener) {
        this.settings = settings;
        this.passes = new Passes(settings.interval());
        this.timer = timer;
        this.waker = waker;
        this.listener = listener;
    }

    @Override
    public String name() {
        return "wake-ahead";
    }

    @Override
    public void begin(Connection connection) {
        place = null;
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        Owed from = place;
        if (from == null) {
            Duration early = passes.untilNext();
            if (!early.isZero()) {
                return Pause.of(early);
            }
            passes.begin();
            // What is due already has somebody, or is the sweeper's.
            from = now(connection);
        }
        int room = settings.most() - planned.size();
        if (room < 1) {
            place = from;
            return Pause.of(UNTIL_SOME_HAVE_RUNG);
        }
        int limit = Math.min(settings.batch(), room);
        if (planAfter(connection, from, limit) < limit) {
            place = null;
            return Pause.of(passes.untilNext());
        }
        return Pause.NONE;
    }

    @Override
    public void failed(Throwable failure) {
        listener.failed(failure);
    }

    /** Timers that are set do nothing from here on. */
    void forget() {
        forgotten = true;
        planned.clear();
    }

    private static Owed now(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select now()");
                ResultSet r = s.executeQuery()) {
            r.next();
            return Owed.justAfter(r.getObject(1, OffsetDateTime.class));
        }
    }

    private int planAfter(Connection connection, Owed from, int limit) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            select machine, persistence_id, wake_at, ceil(extract(epoch from wake_at - now()) * 1000)::bigint
            from owed where wake_at <= now() + ? * interval '1 millisecond' and (wake_at, persistence_id) > (?, ?)
            order by wake_at, persistence_id limit ?
            """)) {
            s.setLong(1, settings.window().toMillis());
            s.setObject(2, from.wakeAt());
            s.setString(3, from.persistenceId());
            s.setInt(4, limit);
            int found = 0;
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found++;
                    place = new Owed(r.getString(1), r.getString(2), r.getObject(3, OffsetDateTime.class));
                    plan(place, Duration.ofMillis(r.getLong(4)));
                }
            }
            return found;
        }
    }

    /** Somewhat at random, so that a thousand due at noon are not read from the journal all at once. */
    private void plan(Owed wake, Duration left) {
        if (!planned.add(wake)) {
            return;
        }
        long lead = settings.lead().toMillis();
        Duration early = Duration.ofMillis(
                lead - (long) (lead / 2.0 * ThreadLocalRandom.current().nextDouble()));
        Duration delay = left.minus(early);
        listener.planned(wake.machine());
        timer.after(delay.isNegative() ? Duration.ZERO : delay, () -> ring(wake));
    }

    private void ring(Owed wake) {
        if (forgotten || !planned.remove(wake)) {
            return;
        }
        try {
            waker.wake(wake.machine(), wake.entityId());
        } catch (RuntimeException e) { // the sweeper comes to it when it is overdue
            LOG.warn("{} {} could not be woken ahead of its time", wake.machine(), wake.entityId(), e);
            listener.notWoken(wake.machine(), wake.entityId(), e);
        }
    }
}
