package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * {@link ProjectionProgress} by asking the database. Offset, journal, horizon and what is parked are seen in one snapshot: if no row before the position
 * lies beyond the offset, and no transaction before the position is open, the projection has passed it, and an idle one needs to write
 * nothing to show so. All who wait for one projection share one query at a time; nobody waits, nothing is asked.
 */
public final class ProgressWatch implements ProjectionProgress {

    private static final Duration ANSWER_MARGIN = Duration.ofSeconds(1);
    private static final JournalPosition NOWHERE = new JournalPosition(0);

    // All rows of the slices with a transaction id below the bound are handled, as far as they are waited for. So many
    // rows behind the offset are
    // looked at that a plan by the index is always the cheapest; where none of them is waited for, the last of them is
    // the bound.
    private static final String BOUNDS = """
        select o.slice_to - o.slice_from + 1 as slices,
               least(pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
                     (select least(min(e.xid) filter (where starts_with(e.persistence_id, ?)),
                                   case when count(*) = ? then max(e.xid) end)
                      from (select j.xid::text::bigint as xid, j.persistence_id from event_journal j
                            where (j.xid, j.ordering) > (o.xid, o.ordering) and j.slice between o.slice_from and o.slice_to
                            order by j.xid, j.ordering limit ?) e)) as bound,
               o.rebuilds
        from projection_offset o
        where o.projection = ? and not o.rebuild_requested and o.rewind_xid is null
        """;

    /** Rows behind the offset that are looked at for one of those that are waited for. */
    private static final int LOOKED_AT = 2_000;

    // An entity that goes on without one of its events is shown no more truly than one that is parked.
    private static final String SET_ASIDE = """
        select %s from projection_parked where projection = ?
        union all
        select projection, persistence_id, sequence_number, 'left out, as ordered by ' || skipped_by || ': ' || reason,
               0, left_out_at, 'infinity'
        from projection_skipped where projection = ? and left_out_at is not null
        """.formatted(ParkedTable.COLUMNS);

    // One statement is one snapshot: an entity is either handled up to here or among the parked, never neither.
    private static final String SEEN = """
        select aside.*, null::bigint as slices, null::bigint as bound, null::bigint as rebuilds from (%s) aside
        union all
        select null, null, null, null, null, null, null, bounds.* from (%s) bounds
        order by parked_at
        """.formatted(SET_ASIDE, BOUNDS);

    private static final int BOUNDS_FROM = ParkedTable.COLUMNS.split(",").length + 1;

    /** Where nothing but those who have just begun to wait is left, so much of the interval is enough. */
    private static final int SHARE_FOR_NEW_ONES = 2;

    private final String projection;
    private final String prefix;
    private final DataSource database;
    private final Duration interval;
    private final List<Waiter> waiters = new ArrayList<>();
    private final List<CompletableFuture<JournalPosition>> positions = new ArrayList<>();
    private boolean asking;
    private boolean reading;

    /** @param interval how often the database is asked while somebody waits */
    public ProgressWatch(String projection, DataSource database, Duration interval) {
        this(projection, "", database, interval);
    }

    private ProgressWatch(String projection, String prefix, DataSource database, Duration interval) {
        this.projection = projection;
        this.prefix = prefix;
        this.database = database;
        this.interval = interval;
    }

    /**
     * One for those to whom nothing matters but what the projection shows of the entities of one machine: it has passed a position when it
     * has handled everything that those journaled before. What others journaled is not waited for.
     *
     * @param interval how often the database is asked while somebody waits
     */
    public static ProgressWatch ofMachine(String projection, String machine, DataSource database, Duration interval) {
        return new ProgressWatch(projection, machine + "|", database, interval);
    }

    @Override
    public CompletionStage<JournalPosition> position() {
        CompletableFuture<JournalPosition> answer = new CompletableFuture<>();
        synchronized (positions) {
            positions.add(answer);
            if (!reading) {
                reading = true;
                Thread.ofVirtual().name("holdfast position").start(this::readWhileAsked);
            }
        }
        return answer;
    }

    /** A position read after they all have asked is good for all of them: when many pools are rebuilt at once, many ask. */
    private void readWhileAsked() {
        while (true) {
            List<CompletableFuture<JournalPosition>> asked;
            synchronized (positions) {
                if (positions.isEmpty()) {
                    reading = false;
                    return;
                }
                asked = List.copyOf(positions);
                positions.clear();
            }
            try (Connection c = database.getConnection();
                    PreparedStatement s = c.prepareStatement("select pg_snapshot_xmax(pg_current_snapshot())::text");
                    ResultSet r = s.executeQuery()) {
                r.next();
                var position = new JournalPosition(Long.parseLong(r.getString(1)));
                asked.forEach(answer -> answer.complete(position));
            } catch (Throwable e) { // whatever it is: those who ask must get their answer
                asked.forEach(answer -> answer.completeExceptionally(e));
            }
        }
    }

    @Override
    public CompletionStage<Passage> awaitPassed(JournalPosition position, Duration patience) {
        Waiter waiter = new Waiter(position, System.nanoTime() + patience.toNanos(), new CompletableFuture<>());
        synchronized (waiters) {
            waiters.add(waiter);
            if (!asking) {
                asking = true;
                Thread.ofVirtual().name("holdfast progress " + projection).start(this::askWhileAwaited);
            }
        }
        // Also if the database neither answers nor breaks the connection.
        return waiter.answer()
                .completeOnTimeout(
                        new Passage.NotYet(NOWHERE, "the database does not answer"),
                        patience.plus(ANSWER_MARGIN).toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void askWhileAwaited() {
        while (true) {
            List<Waiter> asked;
            synchronized (waiters) {
                asked = List.copyOf(waiters);
            }
            Seen seen = new Seen(NOWHERE, List.of(), 0);
            String trouble = "the projection has not come so far yet";
            try (Connection c = database.getConnection()) {
                seen = seen(c);
            } catch (Throwable e) { // whatever it is: those who wait must get their answer
                trouble = "the database can't be asked: " + e.getMessage();
            }
            List<Waiter> settled = settled(asked, seen.reached());
            for (Waiter waiter : settled) {
                waiter.answer().complete(seen.answer(waiter.position(), trouble));
            }
            synchronized (waiters) {
                if (waiters.isEmpty()) {
                    asking = false;
                    return;
                }
            }
            try {
                Thread.sleep(settled.size() == asked.size() ? interval.dividedBy(SHARE_FOR_NEW_ONES) : interval);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // nobody does: the thread is this object's own
            }
        }
    }

    /**
     * Those of them whose waiting ends. Who has begun to wait since is not among them: what was seen may be older than what it has read
     * meanwhile, and would not show that the projection was rebuilt under its reading.
     */
    private List<Waiter> settled(List<Waiter> asked, JournalPosition reached) {
        List<Waiter> settled = asked.stream()
                .filter(waiter ->
                        waiter.position().compareTo(reached) <= 0 || System.nanoTime() - waiter.deadline() >= 0)
                .toList();
        synchronized (waiters) {
            waiters.removeAll(Set.copyOf(settled));
        }
        return settled;
    }

    private Seen seen(Connection connection) throws SQLException {
        long lowest = Long.MAX_VALUE;
        long rebuilds = 0;
        int covered = 0;
        List<ParkedEntity> aside = new ArrayList<>();
        try (PreparedStatement s = connection.prepareStatement(SEEN)) {
            int looks = prefix.isEmpty() ? 1 : LOOKED_AT;
            s.setString(1, projection);
            s.setString(2, projection);
            s.setString(3, prefix);
            s.setInt(4, looks);
            s.setInt(5, looks);
            s.setString(6, projection);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    int slices = r.getInt(BOUNDS_FROM);
                    if (r.wasNull()) {
                        aside.add(ParkedTable.row(r));
                    } else {
                        covered += slices;
                        lowest = Math.min(lowest, r.getLong(BOUNDS_FROM + 1));
                        rebuilds += r.getLong(BOUNDS_FROM + 2);
                    }
                }
            }
        }
        return new Seen(new JournalPosition(covered == Slices.COUNT ? lowest : 0), aside, rebuilds);
    }

    private record Seen(JournalPosition reached, List<ParkedEntity> parked, long rebuilds) {

        Passage answer(JournalPosition wanted, String trouble) {
            return wanted.compareTo(reached) <= 0
                    ? new Passage.Passed(parked, rebuilds)
                    : new Passage.NotYet(reached, trouble);
        }
    }

    private record Waiter(JournalPosition position, long deadline, CompletableFuture<Passage> answer) {}
}
