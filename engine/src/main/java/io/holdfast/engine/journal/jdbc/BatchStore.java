package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stores one batch at a time, and ends every write of it:
 *
 * <ol>
 *   <li>All rows go into one statement, which is its own transaction.
 *   <li>Refused because a key is taken: who holds the keys is read. A write that finds its own rows is stored, one that finds another's has
 *       failed, the others go again. If that explains nothing, the batch is cut in two.
 *   <li>Refused because of a row: the batch is cut in two until the culprit stands alone and fails alone.
 *   <li>Lost: on a new connection it is read which rows are there. Absence proves nothing while the old statement may still be at work, so
 *       what is absent is inserted again, and then waits on its keys.
 *   <li>Not now: again after a pause.
 *   <li>A write whose time is over ends: not written if no statement with it can be at work, else unknown.
 * </ol>
 */
final class BatchStore {

    /** Lets the thread rest. */
    interface Rest {
        void rest(long millis) throws InterruptedException;
    }

    private static final long FIRST_PAUSE = 10;
    private static final long LONGEST_PAUSE = 500;

    private final JournalTable table;
    private final JournalListener listener;
    private final Consumer<List<Write>> whenStored;
    private final LongSupplier clock;
    private final Rest rest;

    /**
     * @param whenStored tells the waiters of these writes
     * @param clock nanoseconds
     */
    BatchStore(
            JournalTable table,
            JournalListener listener,
            Consumer<List<Write>> whenStored,
            LongSupplier clock,
            Rest rest) {
        this.table = table;
        this.listener = listener;
        this.whenStored = whenStored;
        this.clock = clock;
        this.rest = rest;
    }

    /** What to do with the first piece. */
    private enum Next {
        INSERT,
        /** Its keys are taken: find out by whom. */
        READ_HOLDERS,
        /** The statement with it was lost: find out what it did. */
        READ_OUTCOME
    }

    void store(List<Write> batch) throws InterruptedException {
        var left = new Splitting<>(batch);
        var next = Next.INSERT;
        SQLException cause = null;
        long pause = FIRST_PAUSE;
        while (!left.isEmpty()) {
            if (!connected()) {
                endOverdue(left);
                pause = pauseAfter(pause);
                continue;
            }
            if (!(next == Next.INSERT ? send(left) : endOverdue(left))) {
                next = Next.INSERT;
                continue;
            }
            try {
                switch (next) {
                    case INSERT -> insert(left);
                    case READ_HOLDERS -> readHolders(left, cause);
                    case READ_OUTCOME -> readOutcome(left, cause);
                }
                next = Next.INSERT;
                pause = FIRST_PAUSE;
            } catch (SQLException e) {
                cause = e;
                var fault = Fault.of(e);
                if (next == Next.INSERT) {
                    left.first().forEach(fault == Fault.LOST ? Write::lost : Write::refused);
                }
                switch (fault) {
                    case CONFLICT -> next = Next.READ_HOLDERS;
                    case BAD_ROW -> {
                        next = Next.INSERT;
                        splitOrFail(left, e);
                    }
                    case NOT_NOW -> pause = pauseAfter(pause);
                    case LOST -> {
                        next = next == Next.INSERT ? Next.READ_OUTCOME : next;
                        disconnected(e);
                        pause = pauseAfter(pause);
                    }
                    case NEVER -> {
                        next = Next.INSERT;
                        left.first().forEach(write -> write.failed("the database takes no events", e));
                        left.removeFirst();
                    }
                }
            }
        }
    }

    private boolean connected() {
        try {
            table.connect();
            return true;
        } catch (SQLException e) {
            disconnected(e);
            return false;
        }
    }

    private void disconnected(SQLException why) {
        table.disconnect();
        listener.disconnected(why);
    }

    private long pauseAfter(long pause) throws InterruptedException {
        rest.rest(pause);
        return Math.min(LONGEST_PAUSE, 2 * pause);
    }

    private void insert(Splitting<Write> left) throws SQLException {
        List<Write> piece = left.first();
        long before = clock.getAsLong();
        table.insert(piece);
        left.removeFirst();
        whenStored.accept(piece);
        listener.committed(piece.size(), rows(piece), Duration.ofNanos(clock.getAsLong() - before));
    }

    private void readHolders(Splitting<Write> left, @Nullable SQLException cause) throws SQLException {
        int before = left.first().size();
        if (settle(left, cause) == before) {
            // Two of this very batch want one key, or it was no key of the journal's that was taken.
            splitOrFail(left, cause);
        }
    }

    private void readOutcome(Splitting<Write> left, @Nullable SQLException cause) throws SQLException {
        int before = left.first().size();
        int absent = settle(left, cause);
        listener.settled(before - absent, absent);
    }

    /** Ends what the table shows to be stored or taken, leaves the rest as the first piece, and returns how many those are. */
    private int settle(Splitting<Write> left, @Nullable SQLException cause) throws SQLException {
        List<Write> piece = left.first();
        List<JournalRow> rows = new ArrayList<>();
        piece.forEach(write -> rows.addAll(write.rows()));
        List<JournalRow.@Nullable Found> found = table.find(rows);
        List<Write> stored = new ArrayList<>();
        List<Write> taken = new ArrayList<>();
        List<Write> absent = new ArrayList<>();
        int from = 0;
        for (Write write : piece) {
            int to = from + write.rows().size();
            List<Write> list = switch (Presence.of(write.rows(), found.subList(from, to))) {
                case OWN -> stored;
                case ANOTHERS -> taken;
                case ABSENT -> absent;
            };
            list.add(write);
            from = to;
        }
        left.replaceFirst(absent);
        whenStored.accept(stored);
        for (Write write : taken) {
            write.taken(cause);
            listener.conflict();
            failFollowers(left, write);
        }
        return absent.size();
    }

    private void splitOrFail(Splitting<Write> left, @Nullable SQLException cause) {
        if (left.split()) {
            listener.split();
            return;
        }
        Write culprit = left.first().getFirst();
        left.removeFirst();
        culprit.failed(
                "the database can't store this: " + (cause == null ? "no reason given" : cause.getMessage()), cause);
        listener.badRow();
        failFollowers(left, culprit);
    }

    /** What the same life of an entity wrote after a write that failed would leave a hole in its journal. */
    private static void failFollowers(Splitting<Write> left, Write failed) {
        for (Write follower : left.takeOut(failed::isOfSameLifeAs)) {
            follower.failed("an earlier write of the same entity failed", null);
        }
    }

    /** Marks the first piece as on its way. False if nothing is left of it, as its time is over. */
    private boolean send(Splitting<Write> left) {
        long now = clock.getAsLong();
        return keep(left, write -> {
            if (!write.mayBegin(now)) {
                overdue(write.failed(Write.TOO_LATE, null));
            }
            return write.send();
        });
    }

    /** False if nothing is left of the first piece, as its time is over. */
    private boolean endOverdue(Splitting<Write> left) {
        long now = clock.getAsLong();
        return keep(left, write -> {
            overdue(write.endIfOverdue(now));
            return !write.hasEnded();
        });
    }

    private void overdue(@Nullable Certainty told) {
        if (told != null) {
            listener.overdue(told);
        }
    }

    private static boolean keep(Splitting<Write> left, Predicate<Write> wanted) {
        List<Write> piece = left.first();
        List<Write> over = new ArrayList<>(0);
        for (Write write : piece) {
            if (!wanted.test(write)) {
                over.add(write);
            }
        }
        if (over.isEmpty()) {
            return true;
        }
        List<Write> rest = new ArrayList<>(piece);
        rest.removeAll(over);
        left.replaceFirst(rest);
        over.forEach(write -> failFollowers(left, write));
        return !rest.isEmpty() && !left.isEmpty() && left.first().getFirst() == rest.getFirst();
    }

    private static int rows(List<Write> writes) {
        int sum = 0;
        for (Write write : writes) {
            sum += write.rows().size();
        }
        return sum;
    }
}
