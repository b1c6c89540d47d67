package io.holdfast.engine.journal.jdbc;

import static io.holdfast.engine.journal.jdbc.JournalSite.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.journal.jdbc.Outcomes.Outcome;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.Trap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.concurrent.Future;

/** The journal on a PostgreSQL that fails, and on a network that does. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
class JournalFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String INSERT = "insert into event_journal";
    private static final String READ_BACK = "e.write_timestamp";

    private final JournalSite site = new JournalSite(SharedStack.postgres());
    private final Notes notes = new Notes();

    @AfterEach
    void close() {
        site.close();
    }

    /** What happens to the next statements of a batch, in this order. */
    private enum Loss {
        INSERT_NEVER_ARRIVES,
        ANSWER_TO_INSERT_IS_LOST,
        READ_BACK_NEVER_ARRIVES,
        ANSWER_TO_READ_BACK_IS_LOST;

        /** @param row text that is in the insert which is struck */
        Trap set(JournalSite site, String row) {
            return switch (this) {
                case INSERT_NEVER_ARRIVES -> site.network.loseRequest(row);
                case ANSWER_TO_INSERT_IS_LOST -> site.network.loseReplyTo(row);
                case READ_BACK_NEVER_ARRIVES -> site.network.loseRequest(READ_BACK);
                case ANSWER_TO_READ_BACK_IS_LOST -> site.network.loseReplyTo(READ_BACK);
            };
        }
    }

    static Stream<Arguments> losses() {
        return Stream.of(
                        List.of(Loss.INSERT_NEVER_ARRIVES),
                        List.of(Loss.ANSWER_TO_INSERT_IS_LOST),
                        List.of(Loss.INSERT_NEVER_ARRIVES, Loss.READ_BACK_NEVER_ARRIVES),
                        List.of(Loss.INSERT_NEVER_ARRIVES, Loss.ANSWER_TO_READ_BACK_IS_LOST),
                        List.of(Loss.ANSWER_TO_INSERT_IS_LOST, Loss.READ_BACK_NEVER_ARRIVES),
                        List.of(Loss.ANSWER_TO_INSERT_IS_LOST, Loss.ANSWER_TO_READ_BACK_IS_LOST),
                        List.of(Loss.INSERT_NEVER_ARRIVES, Loss.INSERT_NEVER_ARRIVES),
                        List.of(Loss.INSERT_NEVER_ARRIVES, Loss.ANSWER_TO_INSERT_IS_LOST),
                        List.of(
                                Loss.INSERT_NEVER_ARRIVES,
                                Loss.READ_BACK_NEVER_ARRIVES,
                                Loss.ANSWER_TO_INSERT_IS_LOST,
                                Loss.ANSWER_TO_READ_BACK_IS_LOST))
                .flatMap(losses -> Stream.of(Struck.values()).map(struck -> Arguments.of(losses, struck)));
    }

    /**
     * Which statement the losses strike: what is refused was lost without loss, so the answers that matter are those of the statements that
     * commit. Of a batch with a conflict and a row that can't be stored they are pieces: rows 0 to 4 after the first cut, 7 to 9 after the
     * second, 5 alone after the third.
     */
    private enum Struck {
        A_BATCH_WITHOUT_TROUBLE(5, 0, false),
        A_BATCH_THAT_IS_REFUSED(5, 0, true),
        ITS_FIRST_PIECE(0, 1, true),
        ITS_LAST_PIECE(9, 2, true),
        A_PIECE_OF_ONE(5, 3, true);

        private final String row;
        private final int afterCuts;
        private final boolean trouble;

        Struck(int row, int afterCuts, boolean trouble) {
            this.row = "{\"of\":\"p" + row + "\"";
            this.afterCuts = afterCuts;
            this.trouble = trouble;
        }
    }

    @ParameterizedTest(name = "{0} of {1}")
    @MethodSource("losses")
    void an_answer_that_is_lost_at_any_point_of_a_batch_is_settled_and_nobody_is_told_what_is_not_so(
            List<Loss> losses, Struck struck) throws Exception {
        RunningJournal journal = site.open(notes, "holdfast-journal.write-deadline = 30s");
        Outcomes.of(write(journal, "taken", 1, "another"));
        List<Trap> traps = new CopyOnWriteArrayList<>();
        Runnable setTraps = () -> losses.forEach(loss -> traps.add(loss.set(site, struck.row)));
        notes.whenSplit = cuts -> {
            if (cuts == struck.afterCuts) {
                setTraps.run();
            }
        };
        List<Future<?>> innocent = new ArrayList<>();
        List<Future<?>> guilty = new ArrayList<>();
        try (var other = site.connect();
                var lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("lock table event_journal in exclusive mode");
            // While this one is at work, the batch gathers.
            innocent.add(write(journal, "first", 1, "w"));
            await().atMost(PATIENCE).until(() -> notes.locked.get() > 0);
            for (int i = 0; i < 10; i++) {
                innocent.add(write(journal, "p" + i, 1, "w"));
                if (i == 3 && struck.trouble) {
                    guilty.add(write(journal, "taken", 1, "w"));
                }
                if (i == 6 && struck.trouble) {
                    guilty.add(write(journal, "x".repeat(300), 1, "w"));
                }
            }
            if (struck.afterCuts == 0) {
                setTraps.run();
            }
            other.rollback();
        }

        assertThat(innocent).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        if (struck.trouble) {
            assertThat(Outcomes.of(guilty.getFirst())).isEqualTo(Outcome.NOT_WRITTEN);
            assertThat(Outcomes.of(guilty.getLast()))
                    .as("in doubt if it was in a statement that was lost")
                    .isIn(Outcome.NOT_WRITTEN, Outcome.UNKNOWN);
        }
        assertThat(traps).hasSameSizeAs(losses).allMatch(Trap::hasSprung);
        assertThat(site.rows())
                .hasSize(12)
                .filteredOn(row -> row.endsWith("/w"))
                .hasSize(11);
    }

    @Test
    void a_statement_that_arrives_long_after_its_repetition_changes_nothing() {
        RunningJournal journal = site.open(notes);
        Trap held = site.network.holdRequest(INSERT);

        assertThat(Outcomes.of(write(journal, "p", 1, "w"))).isEqualTo(Outcome.STORED);
        held.release();

        assertThat(site.rows()).containsExactly("p/1/w");
        assertThat(notes.settledAbsent).hasValue(1);
    }

    @Test
    void a_statement_that_may_still_arrive_when_the_time_is_over_is_unknown_and_so_it_is() {
        RunningJournal journal = site.open(notes);
        Trap held = site.network.holdRequest(INSERT);
        Future<?> write = write(journal, "p", 1, "w");
        held.await(PATIENCE);
        site.network.refuse();

        assertThat(Outcomes.of(write)).isEqualTo(Outcome.UNKNOWN);
        assertThat(site.rows()).isEmpty();
        held.release();
        assertThat(site.rows()).containsExactly("p/1/w");

        site.network.heal();
        assertThat(Outcomes.of(write(journal, "p", 1, "next life"))).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(Outcomes.get(journal.highestSequenceNumber("p"))).isEqualTo(1L);
    }

    @Test
    void while_the_database_is_away_nothing_is_sent_so_what_ends_is_not_written() {
        RunningJournal journal = site.open(notes);
        Outcomes.of(write(journal, "before", 1, "w"));
        site.network.refuse();
        // The connection that is open finds out by losing one.
        Outcomes.of(write(journal, "lost", 1, "w"));

        Future<?> write = write(journal, "p", 1, "w");
        Future<Object> read = journal.highestSequenceNumber("p");

        assertThat(Outcomes.of(write)).isEqualTo(Outcome.NOT_WRITTEN);
        await().atMost(PATIENCE).until(read::isCompleted);
        assertThat(read.value().get().isFailure()).isTrue();
        site.network.heal();
        assertThat(Outcomes.of(write(journal, "p", 1, "w"))).isEqualTo(Outcome.STORED);
        assertThat(site.rows()).contains("before/1/w", "p/1/w");
    }

    @Test
    void a_writer_that_hangs_in_its_connection_ends_what_it_holds_and_what_waits_for_it_in_time() {
        RunningJournal journal = site.open(notes);
        Outcomes.of(write(journal, "before", 1, "w"));
        site.network.blackhole();

        Future<?> sent = write(journal, "p", 1, "w");
        await().atMost(PATIENCE).until(() -> journal.waiting() == 0);
        Future<?> behind = write(journal, "q", 1, "w");

        assertThat(Outcomes.of(sent)).isEqualTo(Outcome.UNKNOWN);
        assertThat(Outcomes.of(behind)).isEqualTo(Outcome.NOT_WRITTEN);
        site.network.cut();
        site.network.heal();
        assertThat(Outcomes.of(write(journal, "r", 1, "w"))).isEqualTo(Outcome.STORED);
    }

    @Test
    void a_writer_that_hangs_while_it_sends_is_freed_by_force() {
        RunningJournal journal = site.open(notes);
        Outcomes.of(write(journal, "before", 1, "w"));
        site.network.blackhole();
        // More than the buffers between here and there take: the thread hangs in a write, which no time-out of the
        // network ends.
        var large = List.of(Rows.row("p", 1, "w", "x".repeat(24_000_000)));

        assertThat(Outcomes.of(journal.write(large, Outcomes.nothingRejected())))
                .isEqualTo(Outcome.UNKNOWN);
        await().atMost(PATIENCE).until(() -> notes.disconnects.get() > 0);
        site.network.cut();
        site.network.heal();
        assertThat(Outcomes.of(write(journal, "r", 1, "w"))).isEqualTo(Outcome.STORED);
    }

    @Test
    void closed_with_a_batch_on_its_way_it_tells_everybody_what_is_known_and_leaves_no_thread() throws Exception {
        var group = new ThreadGroup("of this journal");
        RunningJournal[] opened = new RunningJournal[1];
        Thread opener = new Thread(group, () -> opened[0] = site.open(notes));
        opener.start();
        opener.join();
        RunningJournal journal = opened[0];
        assertThat(group.activeCount()).isPositive();
        Trap held = site.network.holdRequest(INSERT);
        Future<?> sent = write(journal, "p", 1, "w");
        held.await(PATIENCE);
        Future<?> behind = write(journal, "q", 1, "w");

        journal.close();

        assertThat(Outcomes.of(sent)).isEqualTo(Outcome.UNKNOWN);
        assertThat(Outcomes.of(behind)).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(Outcomes.failure(write(journal, "r", 1, "w"))).hasMessage("the journal is closed");
        await().atMost(PATIENCE).until(journal.highestSequenceNumber("p")::isCompleted);
        await().atMost(PATIENCE).until(() -> group.activeCount() == 0);
        held.release();
        assertThat(site.rows()).as("what was unknown came all the same").containsExactly("p/1/w");
    }

    @Test
    void a_full_queue_refuses_while_a_lost_batch_is_being_settled_and_all_that_was_taken_is_stored() {
        RunningJournal journal = site.open(notes, "holdfast-journal { queue = 3, write-deadline = 30s }");
        Outcomes.of(write(journal, "before", 1, "w"));
        site.network.refuse();
        site.network.cut();
        List<Future<?>> taken = new ArrayList<>(List.of(write(journal, "lost", 1, "w")));
        await().atMost(PATIENCE).until(() -> journal.waiting() == 0 && notes.disconnects.get() > 1);
        for (int i = 0; i < 3; i++) {
            taken.add(write(journal, "p" + i, 1, "w"));
        }

        Future<?> refused = write(journal, "one too many", 1, "w");

        assertThat(refused.isCompleted()).isTrue();
        assertThat(Outcomes.of(refused)).isEqualTo(Outcome.NOT_WRITTEN);
        site.network.heal();
        assertThat(taken).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        assertThat(site.rows()).containsExactly("before/1/w", "lost/1/w", "p0/1/w", "p1/1/w", "p2/1/w");
    }

    @Test
    void connections_killed_under_load_lose_nothing_and_fail_nobody() {
        RunningJournal journal = site.open(notes, "holdfast-journal.write-deadline = 30s");
        try (var load = new Load(journal)) {
            for (int kills = 0; kills < 29; kills++) {
                int before = load.stored();
                await().atMost(PATIENCE).until(() -> load.stored() > before + 20);
                site.ask("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                        + " and pid <> pg_backend_pid()");
            }
            load.endsWithNothingLost(site);
        }
        assertThat(notes.disconnects.get()).isGreaterThan(20);
    }

    @Test
    void a_server_that_stops_at_once_and_starts_again_under_load_loses_nothing_and_fails_nobody() {
        try (var server = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("journal-crash")));
                var crashing = new JournalSite(server)) {
            RunningJournal journal = crashing.open(notes, "holdfast-journal.write-deadline = 120s");
            try (var load = new Load(journal)) {
                await().atMost(PATIENCE).until(() -> load.stored() > 200);
                server.stopImmediately();
                server.start();
                int before = load.stored();
                await().atMost(PATIENCE).until(() -> load.stored() > before + 200);
                load.endsWithNothingLost(crashing);
            }
        }
    }

    /** Entities that write one event after the other. */
    private static final class Load implements AutoCloseable {
        private static final int ENTITIES = 64;

        private final RunningJournal journal;
        private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
        private final List<Future<?>> failed = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicBoolean ends = new AtomicBoolean();

        Load(RunningJournal journal) {
            this.journal = journal;
            for (int i = 0; i < ENTITIES; i++) {
                String id = "load" + i;
                threads.add(Thread.ofVirtual().start(() -> live(id)));
            }
        }

        private void live(String id) {
            for (long number = 1; !ends.get(); number++) {
                Future<?> write = write(journal, id, number, "w");
                if (Outcomes.of(write) != Outcome.STORED) {
                    synchronized (failed) {
                        failed.add(write);
                    }
                    return;
                }
                acknowledged.put(id, number);
            }
        }

        int stored() {
            return acknowledged.values().stream().mapToInt(Long::intValue).sum();
        }

        void endsWithNothingLost(JournalSite site) {
            close();
            synchronized (failed) {
                assertThat(failed).isEmpty();
            }
            List<String> expected = new ArrayList<>();
            acknowledged.forEach((id, last) -> {
                for (long number = 1; number <= last; number++) {
                    expected.add(id + "/" + number + "/w");
                }
            });
            assertThat(site.rows()).containsExactlyInAnyOrderElementsOf(expected);
        }

        @Override
        public void close() {
            ends.set(true);
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
