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
 * What the projections of one node share: the bell that wakes them, and the rows one of them read last. Projections that are level come to
 * the same place within moments of each other, so the first reads the journal and the others take what it found.
 *
 * <p>That is safe however old it is: what was read of a stretch is all there will ever be of it.
 */
public final class JournalFeed {

    /** A reader that is stuck must not stop the others. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Bell bell;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable Stretch latest;

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
        Stretch stretch = latest;
        return stretch == null ? List.of() : stretch.after(group, limit);
    }

    /** Whoever is far behind has nothing the others need. */
    private void remember(Group group, List<JournalRow> rows) {
        Stretch stretch = latest;
        if (!rows.isEmpty() && (stretch == null || stretch.end().compareTo(Offset.of(rows.getLast())) < 0)) {
            latest = new Stretch(group.slices(), group.from(), rows);
        }
    }

    /** All rows of these slices behind {@code from}, up to the last of {@code rows}. */
    private record Stretch(List<Slices> slices, Offset from, List<JournalRow> rows) {

        Offset end() {
            return Offset.of(rows.getLast());
        }

        List<JournalRow> after(Group group, int limit) {
            Offset place = group.from();
            if (!slices.equals(group.slices()) || place.compareTo(from) < 0 || place.compareTo(end()) >= 0) {
                return List.of();
            }
            int low = 0;
            int high = rows.size(); // the first row behind the place is at low or later, and at high or earlier
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (Offset.of(rows.get(middle)).compareTo(place) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return rows.subList(low, Math.min(rows.size(), low + limit));
        }
    }
}
