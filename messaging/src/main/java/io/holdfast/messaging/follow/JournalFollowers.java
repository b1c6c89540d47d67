package io.holdfast.messaging.follow;

import io.holdfast.engine.fleet.Bell;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Offset;
import io.holdfast.messaging.out.JournalMessages;
import io.holdfast.messaging.out.JournalMessages.Written;
import io.holdfast.messaging.out.OutgoingMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Followers of one node's journal. One thread, and one connection at a time, serves all of them: it reads the end of the journal once for
 * everybody who is there, and pages of the past for those who are not yet. Without followers it reads nothing.
 *
 * <p>Every follower has its own place and asks for what comes next, so none is ever sent more than it takes. Where a follower stands within
 * what was read last it is served from memory, otherwise from the database; either way it sees the same rows in the same order, because
 * nothing can appear behind what was read.
 */
public final class JournalFollowers implements Followers, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JournalFollowers.class);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final JournalSource journal;
    private final JournalMessages ofTail;
    private final JournalMessages ofPast;
    private final Bell bell;
    private final FollowSettings settings;
    private final Semaphore places;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean rung = new AtomicBoolean();
    private final Runnable onBell = this::ring;

    // What follows is the thread's alone.

    private final Set<Follower> followers = new LinkedHashSet<>();
    /** What was read last, for followers that stand behind {@link #from}. */
    private final Deque<Row> window = new ArrayDeque<>();

    private Offset from = Offset.START;
    /** How far the end was read; null while nobody follows. */
    private @Nullable Offset head;

    private long notBefore = System.nanoTime();
    private boolean failing;

    /**
     * @param ofTail of the rows at the end, and of no others
     * @param ofPast of the rows of pages
     */
    public JournalFollowers(
            JournalSource journal, JournalMessages ofTail, JournalMessages ofPast, Bell bell, FollowSettings settings) {
        this.journal = journal;
        this.ofTail = ofTail;
        this.ofPast = ofPast;
        this.bell = bell;
        this.settings = settings;
        this.places = new Semaphore(settings.most());
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("holdfast-followers").factory());
    }

    /** Begins to look. Once. */
    public void start() {
        bell.add(onBell);
        long poll = settings.poll().toNanos();
        thread.scheduleWithFixedDelay(this::look, poll, poll, TimeUnit.NANOSECONDS);
    }

    /** How many follow now. */
    public int following() {
        return settings.most() - places.availablePermits();
    }

    @Override
    public Optional<Following> follow(Interest interest, Optional<Place> after) {
        return places.tryAcquire() ? Optional.of(new Follower(interest, after)) : Optional.empty();
    }

    private void ring() {
        if (following() > 0 && !rung.getAndSet(true)) {
            execute(this::look);
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("closed already", e);
        }
    }

    // ---- the thread

    private void look() {
        rung.set(false);
        try {
            readOn();
            List.copyOf(followers).forEach(this::serve);
            List.copyOf(followers).forEach(Follower::closeIfSilent);
        } catch (RuntimeException e) {
            LOG.error("the end of the journal could not be told on", e);
        }
    }

    /** Reads the end of the journal, for everybody. */
    private void readOn() {
        if (followers.isEmpty()) {
            head = null;
            window.clear();
            return;
        }
        if (System.nanoTime() - notBefore < 0) {
            return;
        }
        try {
            if (head == null) {
                head = journal.end();
                from = head;
            }
            JournalSource.Page page = journal.all(head, settings.tail());
            List<JournalRow> wanted = wanted(page.rows());
            for (Written written : ofTail.of(wanted)) {
                window.add(Row.of(written));
            }
            head = page.reached(settings.tail());
            failing = false;
            while (window.size() > settings.window()) {
                from = window.remove().offset();
            }
            if (page.rows().size() == settings.tail()) {
                ring();
            }
        } catch (SQLException e) {
            failed(e);
        }
    }

    private List<JournalRow> wanted(List<JournalRow> rows) {
        Set<String> entities = new HashSet<>();
        for (Follower follower : followers) {
            switch (follower.interest) {
                case Interest.Everybody _ -> {
                    return rows;
                }
                case Interest.Entity(String persistenceId) -> entities.add(persistenceId);
            }
        }
        return rows.stream()
                .filter(row -> entities.contains(row.persistenceId()))
                .toList();
    }

    private void failed(SQLException e) {
        if (!failing) {
            failing = true;
            LOG.warn("the journal can't be read for those who follow it; they wait", e);
        }
        notBefore = System.nanoTime() + AGAIN_AFTER.toNanos();
    }

    private void serve(Follower follower) {
        if (follower.waiting == null) {
            return;
        }
        try {
            Offset end = head;
            Offset place = follower.place;
            if (end != null && place != null && follower.isNear(end, place)) {
                follower.readWindow(end, place);
            } else if (System.nanoTime() - notBefore >= 0) {
                follower.readPage();
            }
        } catch (SQLException e) {
            failed(e);
        } catch (RuntimeException e) {
            LOG.error("what follows {} can't be told", follower.place, e);
            follower.fail(e);
        }
        follower.answerIfDue();
    }

    /** A row as followers see it. */
    private record Row(Offset offset, Written written) {

        static Row of(Written written) {
            JournalRow row = written.row();
            // Without the payload: windows are kept, and what was in it has been told.
            var shorter = new JournalRow(
                    row.persistenceId(), row.sequenceNumber(), row.xid(), row.ordering(), "", new byte[0]);
            return new Row(
                    Offset.of(row),
                    switch (written) {
                        case Written.Announced(var _, List<OutgoingMessage> messages, boolean rests) ->
                            new Written.Announced(shorter, messages, rests);
                        case Written.Unreadable(var _, String why) -> new Written.Unreadable(shorter, why);
                    });
        }
    }

    /** Its fields are the thread's, but for what is final. */
    private final class Follower implements Following {

        private final Interest interest;
        private final Optional<Place> after;
        private final AtomicBoolean open = new AtomicBoolean(true);

        /** The end of the journal as it was read when this one was first known: rows behind it are in the window if it wants them. */
        private @Nullable Offset since;
        /** All rows up to here were looked at; null before the first. */
        private @Nullable Offset place;

        private boolean atEnd;
        private boolean rests;
        private List<Told> told = new ArrayList<>();
        private @Nullable CompletableFuture<Portion> waiting;
        /** Once the patience of whoever waits is over, or since nobody does. */
        private long due = System.nanoTime();

        Follower(Interest interest, Optional<Place> after) {
            this.interest = interest;
            this.after = after;
        }

        @Override
        public CompletionStage<Portion> next(Duration patience) {
            var answer = new CompletableFuture<Portion>();
            try {
                thread.execute(() -> ask(answer, patience));
            } catch (RejectedExecutionException e) {
                answer.completeExceptionally(e);
            }
            return answer;
        }

        private void ask(CompletableFuture<Portion> answer, Duration patience) {
            if (!open.get()) {
                answer.completeExceptionally(new IllegalStateException("closed"));
                return;
            }
            if (waiting != null) {
                answer.completeExceptionally(new IllegalStateException("asked twice at once"));
                return;
            }
            waiting = answer;
            due = System.nanoTime() + patience.toNanos();
            if (followers.add(this)) {
                readOn();
                since = head;
            }
            serve(this);
        }

        /** Whether what comes next is in the window. */
        private boolean isNear(Offset end, Offset at) {
            Offset known = since == null ? end : since; // the database was away when it came
            since = known;
            return at.compareTo(known) >= 0 && at.compareTo(from) >= 0;
        }

        private void readWindow(Offset end, Offset begin) {
            int rows = 0;
            Offset last = begin;
            for (Row row : window) {
                if (row.offset().compareTo(last) > 0) {
                    if (rows == settings.page()) {
                        place = last;
                        atEnd = false;
                        return;
                    }
                    rows++;
                    last = row.offset();
                    take(row.offset(), row.written());
                }
            }
            place = last.compareTo(end) < 0 ? end : last;
            atEnd = true;
        }

        private void readPage() throws SQLException {
            Offset at = place == null ? begin() : place;
            if (at == null) {
                return;
            }
            JournalSource.Page page = switch (interest) {
                case Interest.Everybody _ -> journal.all(at, settings.page());
                case Interest.Entity(String persistenceId) -> journal.of(persistenceId, at, settings.page());
            };
            for (Written written : ofPast.of(page.rows())) {
                take(Offset.of(written.row()), written);
            }
            place = page.reached(settings.page());
            atEnd = page.rows().size() < settings.page();
            if (!atEnd && told.isEmpty()) {
                execute(() -> serve(this)); // behind the others
            }
        }

        /** An entity is read from its beginning, wherever the follower goes on: whether it rests is told by its last entry. */
        private @Nullable Offset begin() throws SQLException {
            Offset end = journal.end();
            if (after.isPresent() && after.get().row().compareTo(end) > 0) {
                fail(UnknownPlace.of(after.get()));
                return null;
            }
            return switch (interest) {
                case Interest.Everybody _ -> after.map(Place::before).orElse(end);
                case Interest.Entity _ -> Offset.START;
            };
        }

        private void take(Offset offset, Written written) {
            switch (interest) {
                case Interest.Everybody(var wanted, boolean faults) -> take(offset, written, wanted, faults);
                case Interest.Entity(String persistenceId) -> {
                    if (written.row().persistenceId().equals(persistenceId)) {
                        rests = written instanceof Written.Announced announced && announced.rests();
                        take(offset, written, _ -> true, true);
                    }
                }
            }
        }

        private void take(Offset offset, Written written, Predicate<OutgoingMessage> wanted, boolean faults) {
            switch (written) {
                case Written.Announced(var _, List<OutgoingMessage> messages, var _) -> {
                    for (int i = 0; i < messages.size(); i++) {
                        var at = new Place(offset, i + 1 == messages.size() ? Place.ALL : i + 1);
                        if (isAhead(at) && wanted.test(messages.get(i))) {
                            told.add(new Told.Announcement(at, messages.get(i)));
                        }
                    }
                }
                case Written.Unreadable(JournalRow row, var _) -> {
                    var at = Place.behind(offset);
                    if (faults && isAhead(at)) {
                        told.add(new Told.Unreadable(at, row.persistenceId(), row.sequenceNumber()));
                    }
                }
            }
        }

        private boolean isAhead(Place at) {
            return after.filter(behind -> at.compareTo(behind) <= 0).isEmpty();
        }

        private void answerIfDue() {
            CompletableFuture<Portion> answer = waiting;
            Offset at = place;
            if (answer == null || at == null) {
                return;
            }
            boolean ends = atEnd && rests;
            if (!told.isEmpty() || ends || (atEnd && System.nanoTime() - due >= 0)) {
                Place reached =
                        after.filter(behind -> behind.row().compareTo(at) > 0).orElse(Place.behind(at));
                var portion = new Portion(told, reached, ends);
                told = new ArrayList<>();
                waiting = null;
                due = System.nanoTime();
                answer.complete(portion);
            }
        }

        private void closeIfSilent() {
            if (waiting == null && System.nanoTime() - due > settings.silence().toNanos()) {
                LOG.info("a follower of {} asked for nothing for {} and is forgotten", interest, settings.silence());
                close();
            }
        }

        private void fail(RuntimeException why) {
            CompletableFuture<Portion> answer = waiting;
            waiting = null;
            due = System.nanoTime();
            if (answer != null) {
                answer.completeExceptionally(why);
            }
        }

        @Override
        public void close() {
            if (open.getAndSet(false)) {
                places.release();
                execute(() -> {
                    followers.remove(this);
                    fail(new IllegalStateException("closed"));
                });
            }
        }
    }

    /** Whoever still follows is told no more. */
    @Override
    public void close() {
        bell.remove(onBell);
        thread.shutdownNow();
    }
}
