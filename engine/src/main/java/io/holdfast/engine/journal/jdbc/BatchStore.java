package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalWriteFailed.Certainty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 *   <li>Kept waiting by a lock that is not on the whole table, so by a transaction that has added the key of one row and not ended: the same,
 *       and the one that waits is put aside, so that nobody waits with it.
 *   <li>Lost: on a new connection it is read which rows are there. Absence proves nothing while the old statement may still be at work, so
 *       what is absent is inserted again, and then waits on its keys.
 *   <li>Not now: again after a pause.
 *   <li>A write whose time is over ends: not written if no statement with it can be at work, else unknown.
 * </ol>
 */
final class BatchStore {

    /** Whoever has to do with the writes of a batch beside the table. */
    interface Surroundings {
        /** These are in the journal: their waiters are to be told. */
        void stored(List<Write> writes);

        /** These, of one entity, can't be stored now and hold up all others: somebody else is to try on. */
        void putAside(List<Write> writes);

        /** Lets the thread rest. */
        void rest(long millis) throws InterruptedException;
    }

    private static final String FOLLOWED_A_FAILURE = "an earlier write of the same entity failed";
    private static final long FIRST_PAUSE = 10;
    private static final long LONGEST_PAUSE = 500;

    private final JournalTable table;
    private final Surroundings surroundings;
    private final JournalListener listener;
    private final LongSupplier clock;

    /** @param clock nanoseconds */
    BatchStore(JournalTable table, Surroundings surroundings, JournalListener listener, LongSupplier clock) {
        this.table = table;
        this.surroundings = surroundings;
        this.listener = listener;
        this.clock = clock;
    }

    void store(List<Write> batch) throws InterruptedException {
        new Storing(batch).run();
    }

    /** What to do with the first piece. */
    private enum Step {
        INSERT,
        /** Its keys are taken: find out by whom. */
        READ_HOLDERS,
        /** The statement with it was lost: find out what it did. */
        READ_OUTCOME,
        /** It waited for a lock: find out whether everybody does. */
        ASK_FOR_LOCK
    }

    /** One batch on its way. */
    private final class Storing {

        private final Splitting<Write> left;
        private Step step = Step.INSERT;
        private @Nullable SQLException cause;
        private long pause = FIRST_PAUSE;

        Storing(List<Write> batch) {
            this.left = new Splitting<>(batch);
        }

        void run() throws InterruptedException {
            while (!left.isEmpty()) {
                if (!dropEnded() || !connect() || (step == Step.INSERT && !send())) {
                    continue;
                }
                try {
                    switch (step) {
                        case INSERT -> insert();
                        case READ_HOLDERS -> readHolders();
                        case READ_OUTCOME -> readOutcome();
                        case ASK_FOR_LOCK -> askForLock();
                    }
                    if (step != Step.ASK_FOR_LOCK) {
                        pause = FIRST_PAUSE;
                    }
                    step = Step.INSERT;
                } catch (SQLException e) {
                    cause = e;
                    failed(Fault.of(e), e);
                }
            }
        }

        private void failed(Fault fault, SQLException e) throws InterruptedException {
            boolean inserting = step == Step.INSERT;
            if (inserting) {
                left.first().forEach(fault == Fault.LOST ? Write::lost : Write::refused);
            }
            switch (fault) {
                case CONFLICT -> step = Step.READ_HOLDERS;
                case BAD_ROW -> {
                    step = Step.INSERT;
                    splitOrFail();
                }
                case LOCKED -> {
                    listener.locked();
                    if (inserting) {
                        step = Step.ASK_FOR_LOCK;
                    } else {
                        pause();
                    }
                }
                case NOT_NOW -> pause();
                case LOST -> {
                    if (inserting) {
                        step = Step.READ_OUTCOME;
                    }
                    disconnected(e);
                    pause();
                }
                case NEVER -> {
                    step = Step.INSERT;
                    left.first().forEach(write -> write.failed("the database takes no events", e));
                    left.removeFirst();
                }
            }
        }

        private boolean connect() throws InterruptedException {
            try {
                table.connect();
                return true;
            } catch (SQLException e) {
                disconnected(e);
                pause();
                return false;
            }
        }

        private void insert() throws SQLException {
            List<Write> piece = left.first();
            long before = clock.getAsLong();
            table.insert(piece);
            left.removeFirst();
            listener.committed(piece.size(), rows(piece), Duration.ofNanos(clock.getAsLong() - before));
            surroundings.stored(piece);
        }

        private void readHolders() throws SQLException {
            int before = left.first().size();
            if (settle() == before) {
                // Two of this very batch want one key, or it was no key of the journal's that was taken.
                splitOrFail();
            }
        }

        private void readOutcome() throws SQLException {
            int before = left.first().size();
            int absent = settle();
            listener.settled(before - absent, absent);
        }

        private void askForLock() throws SQLException, InterruptedException {
            if (table.isLocked()) {
                pause();
            } else if (left.split()) {
                listener.split();
            } else {
                Write stuck = left.first().getFirst();
                surroundings.putAside(left.takeOut(write -> write == stuck || stuck.isFollowedBy(write)));
            }
        }

        /** Ends what the table shows to be stored or taken, leaves the rest as the first piece, and returns how many those are. */
        private int settle() throws SQLException {
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
            surroundings.stored(stored);
            for (Write write : taken) {
                listener.conflict();
                write.taken(cause);
                failFollowers(write);
            }
            return absent.size();
        }

        private void splitOrFail() {
            if (left.split()) {
                listener.split();
                return;
            }
            Write culprit = left.first().getFirst();
            left.removeFirst();
            listener.badRow();
            culprit.failed("the database can't store this" + (cause == null ? "" : ": " + cause.getMessage()), cause);
            failFollowers(culprit);
        }

        /** What the same life of an entity wrote after a write that failed would leave a hole in its journal. */
        private void failFollowers(Write failed) {
            for (Write follower : left.takeOut(failed::isFollowedBy)) {
                follower.failed(FOLLOWED_A_FAILURE, null);
            }
        }

        /** False if nothing is left of the first piece. */
        private boolean dropEnded() {
            long now = clock.getAsLong();
            return keep(write -> {
                overdue(write.endIfOverdue(now));
                return !write.hasEnded();
            });
        }

        /** Marks the first piece as on its way. False if nothing is left of it. */
        private boolean send() {
            long now = clock.getAsLong();
            return keep(write -> {
                if (!write.mayBegin(now)) {
                    overdue(write.failed(Write.TOO_LATE, cause));
                }
                return write.send();
            });
        }

        private void overdue(@Nullable Certainty told) {
            if (told != null) {
                listener.overdue(told);
            }
        }

        /** Drops from the first piece what is not wanted any more, and what follows it. False if nothing is left of the piece. */
        private boolean keep(Predicate<Write> wanted) {
            List<Write> piece = left.first();
            List<Write> dropped = new ArrayList<>(0);
            for (Write write : piece) {
                if (follows(dropped, write)) {
                    write.failed(FOLLOWED_A_FAILURE, null);
                    dropped.add(write);
                } else if (!wanted.test(write)) {
                    dropped.add(write);
                }
            }
            if (dropped.isEmpty()) {
                return true;
            }
            List<Write> rest = new ArrayList<>(piece);
            rest.removeAll(dropped);
            left.replaceFirst(rest);
            dropped.forEach(this::failFollowers);
            if (rest.isEmpty()) {
                step = Step.INSERT;
            }
            return !rest.isEmpty();
        }

        private static boolean follows(List<Write> dropped, Write write) {
            for (Write before : dropped) {
                if (before.isFollowedBy(write)) {
                    return true;
                }
            }
            return false;
        }

        private void disconnected(SQLException why) {
            table.disconnect();
            listener.disconnected(why);
        }

        private void pause() throws InterruptedException {
            surroundings.rest(pause);
            pause = Math.min(LONGEST_PAUSE, 2 * pause);
        }
    }

    private static int rows(List<Write> writes) {
        int sum = 0;
        for (Write write : writes) {
            sum += write.rows().size();
        }
        return sum;
    }
}
