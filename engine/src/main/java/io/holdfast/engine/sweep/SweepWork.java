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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass after another. A pass goes by (wake_at, persistence_id) and never back, so entities that stay due (their effect keeps failing)
 * can't keep the sweeper from those behind them.
 */
final class SweepWork implements FleetWork {

    private static final Logger LOG = LoggerFactory.getLogger(SweepWork.class);
    private static final Owed BEGINNING = Owed.justAfter(OffsetDateTime.MIN);

    private final SweepSettings settings;
    private final Waker waker;
    private final SweepListener listener;

    private @Nullable Owed place; // where the current pass is; null between passes
    private final Passes passes;
    private int woken;

    SweepWork(SweepSettings settings, Waker waker, SweepListener listener) {
        this.settings = settings;
        this.passes = new Passes(settings.interval());
        this.waker = waker;
        this.listener = listener;
    }

    @Override
    public String name() {
        return Sweeper.WORK;
    }

    @Override
    public void begin(Connection connection) {
        place = null; // what was left of an interrupted pass comes with the next
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        Owed from = place;
        if (from == null) {
            Duration early = passes.untilNext();
            if (!early.isZero()) {
                return Pause.of(early);
            }
            from = BEGINNING;
            passes.begin();
            woken = 0;
        }
        int limit = Math.min(settings.batch(), settings.wakesPerSecond());
        int found = wakeAfter(connection, from, limit);
        woken += found;
        if (found < limit) {
            place = null;
            listener.passed(woken);
            return Pause.of(passes.untilNext());
        }
        return Pause.of(Duration.ofSeconds(1).multipliedBy(found).dividedBy(settings.wakesPerSecond()));
    }

    @Override
    public void failed(Throwable failure) {
        listener.failed(failure);
    }

    private int wakeAfter(Connection connection, Owed from, int limit) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("select o.machine, o.persistence_id, o.wake_at from owed o where o.wake_at"
                        + " < now() - ? * interval '1 millisecond' and (o.wake_at, o.persistence_id) > (?, ?) order by"
                        + " o.wake_at, o.persistence_id limit ?")) {
            s.setLong(1, settings.grace().toMillis());
            s.setObject(2, from.wakeAt());
            s.setString(3, from.persistenceId());
            s.setInt(4, limit);
            int found = 0;
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found++;
                    place = new Owed(r.getString(1), r.getString(2), r.getObject(3, OffsetDateTime.class));
                    wake(place.machine(), place.entityId());
                }
            }
            return found;
        }
    }

    private void wake(String machine, String entityId) {
        try {
            waker.wake(machine, entityId);
        } catch (RuntimeException e) { // one that can't be asked must not keep the others from being asked
            LOG.warn("sweeper: {} {} could not be woken, the next pass tries again", machine, entityId, e);
            listener.notWoken(machine, entityId, e);
        }
    }
}
