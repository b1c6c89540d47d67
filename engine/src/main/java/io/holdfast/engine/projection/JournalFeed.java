package io.holdfast.engine.projection;

import io.holdfast.engine.fleet.Bell;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the projections of one node share: the bell that wakes them, and the rows that were read last. Projections that are about level come
 * to the same place one after the other, some in short steps and some in long ones, so the first reads the journal and the others take what
 * it found.
 *
 * <p>That is safe however old it is: what was read of a stretch is all there will ever be of it.
 */
public final class JournalFeed {

    /** A reader that is stuck must not stop the others. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Bell bell;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable JournalStretch latest;

    public JournalFeed(Bell bell) {
        this.bell = bell;
    }

    Bell bell() {
        return bell;
    }

    /**
     * The next readable rows of a group, at most {@code limit}; those of a group without {@link Group#upTo} may be fewer than there are by
     * now.
     */
    List<JournalRow> next(Connection connection, Group group, int limit) throws SQLException {
        if (group.upTo().isPresent()) { // the caller concludes from too few rows that there are no more
            return JournalReader.next(connection, group.slices(), group.from(), group.upTo(), limit);
        }
        List<JournalRow> known = known(group, limit);
        if (!known.isEmpty()) {
            return known;
        }
        boolean alone = await();
        try {
            known = known(group, limit);
            if (!known.isEmpty()) {
                return known;
            }
            List<JournalRow> rows = JournalReader.next(connection, group.slices(), group.from(), group.upTo(), limit);
            remember(group, rows);
            return rows;
        } finally {
            if (alone) {
                reading.unlock();
            }
        }
    }

    private boolean await() {
        try {
            return reading.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private List<JournalRow> known(Group group, int limit) {
        JournalStretch stretch = latest;
        return stretch == null ? List.of() : stretch.after(group.slices(), group.from(), limit);
    }

    /** Whoever is far behind has nothing the others need. */
    private synchronized void remember(Group group, List<JournalRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        JournalStretch read = new JournalStretch(group.slices(), group.from(), rows);
        JournalStretch stretch = latest;
        if (stretch == null || stretch.end().compareTo(read.end()) < 0) {
            latest = stretch == null ? read : stretch.continuedBy(read);
        }
    }
}
