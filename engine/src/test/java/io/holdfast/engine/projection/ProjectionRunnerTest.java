package io.holdfast.engine.projection;

import static io.holdfast.engine.projection.JournalDatabase.quick;
import static io.holdfast.engine.projection.JournalDatabase.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.fleet.Bell;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.SessionSource;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import io.holdfast.localstack.fault.Trap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProjectionRunnerTest {

    private static final OrderedBy BY = new OrderedBy("test", "to see");

    private final List<ProjectionRunner> runners = new ArrayList<>();
    private final Witness witness = new Witness();
    private JournalDatabase database;
    private Projections projections;
    private ProjectionOrders orders;

    @BeforeEach
    void begin() throws SQLException {
        database = JournalDatabase.on(SharedStack.postgres());
        database.execute(Witness.TABLE);
        projections = new Projections(database.pool());
        orders = new ProjectionOrders(database.pool());
    }

    @AfterEach
    void end() {
        runners.forEach(ProjectionRunner::close);
        database.close();
    }

    private ProjectionRunner run(int batchRows) {
        return run(database.sessions(), batchRows, new Hearing());
    }

    private ProjectionRunner run(SessionSource sessions, int batchRows, ProjectionListener listener) {
        ProjectionRunner runner = new ProjectionRunner(
                witness, sessions, new JournalFeed(new Bell()), quick(), settings(batchRows), listener);
        runners.add(runner);
        runner.start();
        return runner;
    }

    private void append(int entities, int events) throws SQLException {
        try (Connection c = database.connect()) {
            c.setAutoCommit(false);
            for (int n = 1; n <= events; n++) {
                for (int e = 0; e < entities; e++) {
                    JournalDatabase.append(c, "m|" + e, n, "{}");
                }
                c.commit();
            }
        }
    }

    private void retry(String persistenceId) throws SQLException {
        assertThat(orders.retry("witness", persistenceId, BY)).isInstanceOf(Ordered.Accepted.class);
    }

    private void rebuildOrdered() throws SQLException {
        assertThat(orders.rebuild("witness", BY)).isInstanceOf(Ordered.Accepted.class);
    }

    private void awaitSeen(long events) {
        await().untilAsserted(() ->
                assertThat(database.one("select count(*) from seen")).isEqualTo(Long.toString(events)));
    }

    /** Every event once, and those of one entity in their order. */
    private void assertEachOnceInOrder() throws SQLException {
        assertThat(database.query("select persistence_id || '#' || sequence_number from seen order by 1"))
                .isEqualTo(database.query(
                        "select persistence_id || '#' || sequence_number from event_journal order by 1"));
        assertThat(database.one("select count(*) from (select sequence_number - row_number() over (partition by"
                        + " persistence_id order by at) as d from seen) x where d <> 0"))
                .as("events out of their entity's order")
                .isEqualTo("0");
    }

    /** Has a writer stand still until others have overtaken it, or all the others stand still too. */
    private static final class Overtaking {
        private int moving;
        private int passed;

        Overtaking(int writers) {
            moving = writers;
        }

        synchronized void letPass(int others) throws InterruptedException {
            int until = passed + others;
            moving--;
            notifyAll();
            while (passed < until && moving > 0) {
                wait();
            }
            moving++;
        }

        synchronized void passed() {
            passed++;
            notifyAll();
        }

        synchronized void finished() {
            moving--;
            notifyAll();
        }
    }

    private static final class Hearing implements ProjectionListener {
        final AtomicInteger failures = new AtomicInteger();
        final CountDownLatch began = new CountDownLatch(1);

        @Override
        public void holds(String projection, List<Slices> slices) {
            began.countDown();
        }

        @Override
        public void failed(String projection, Throwable failure) {
            failures.incrementAndGet();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class once_each {

        @Test
        void a_journal_that_was_there_before_is_read_in_batches_and_what_comes_later_as_it_comes() throws SQLException {
            append(50, 20);
            run(64);
            awaitSeen(1000);
            database.append("m|late", 1, "{}");
            awaitSeen(1001);
            assertEachOnceInOrder();
        }

        @Test
        void writers_that_commit_in_another_order_than_they_write_hide_nothing() throws Exception {
            run(32);
            int writers = 6;
            int transactions = 80;
            Overtaking overtaking = new Overtaking(writers);
            List<Throwable> failures = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                int writer = w;
                threads.add(Thread.ofPlatform().start(() -> {
                    try (Connection c = database.connect()) {
                        c.setAutoCommit(false);
                        for (int t = 0; t < transactions; t++) {
                            String id = "m|" + writer + "-" + t;
                            JournalDatabase.append(c, id, 1, "{}");
                            Savepoint savepoint = t % 7 == 0 ? c.setSavepoint() : null;
                            JournalDatabase.append(c, id, 2, "{}");
                            if (savepoint != null) {
                                c.rollback(savepoint);
                                JournalDatabase.append(c, id, 2, "{}");
                            }
                            if ((t + writer) % 8 == 0) {
                                overtaking.letPass(10);
                            }
                            if (t % 10 == 9) {
                                c.rollback();
                            } else {
                                c.commit();
                            }
                            overtaking.passed();
                        }
                    } catch (Throwable e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    } finally {
                        overtaking.finished();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            awaitSeen(Long.parseLong(database.one("select count(*) from event_journal")));
            assertEachOnceInOrder();
            assertThat(database.one(
                            "select count(*) from (select ordering < max(ordering) over (order by at rows between"
                                    + " unbounded preceding and 1 preceding) as behind from seen) x where behind"))
                    .as("events that a reader by ordering could have missed")
                    .isNotEqualTo("0");
        }

        @Test
        void an_event_of_a_stalled_transaction_waits_and_what_is_older_does_not() throws SQLException {
            run(10);
            try (Connection stalled = database.connect()) {
                database.append("m|before", 1, "{}");
                stalled.setAutoCommit(false);
                JournalDatabase.append(stalled, "m|stalled", 1, "{}");
                database.append("m|after", 1, "{}");
                await().untilAsserted(() -> assertThat(Witness.seen(database)).containsExactly("m|before#1"));
                assertThat(projections.lag("witness").events()).isEqualTo(1);
                assertThat(projections.lag("witness").openWriter()).isPresent();
                stalled.commit();
            }
            await().untilAsserted(() ->
                    assertThat(Witness.seen(database)).containsExactly("m|before#1", "m|stalled#1", "m|after#1"));
        }

        /** The handler has done all its work; were it committed by itself, it would be done twice. */
        @Test
        void a_connection_cut_when_the_offset_is_moved_leaves_nothing_of_the_handler_either() throws SQLException {
            try (FaultProxy proxy = FaultProxy.to(
                    SharedStack.postgres().host(), SharedStack.postgres().port())) {
                run(database.sessionsThrough(throughProxy(proxy)), 7, new Hearing());
                append(3, 2);
                awaitSeen(6);
                List<Trap> traps = List.of(
                        proxy.loseRequest("update projection_offset"), proxy.loseReplyTo("update projection_offset"));
                database.append("m|0", 3, "{}");
                traps.forEach(trap -> trap.await(Duration.ofSeconds(20)));
                database.append("m|1", 3, "{}");
                awaitSeen(8);
                assertEachOnceInOrder();
            }
        }

        private String throughProxy(FaultProxy proxy) {
            return database.url().replaceFirst(":\\d+/", ":" + proxy.port() + "/")
                    + "?prepareThreshold=0"; // so that COMMIT can be seen
        }

        @Test
        void a_connection_cut_in_the_handler_leaves_nothing_of_it() throws SQLException {
            AtomicBoolean cut = new AtomicBoolean();
            witness.mishap((connection, row) -> {
                if (row.sequenceNumber() == 5 && cut.compareAndSet(false, true)) {
                    terminateMe(connection);
                }
            });
            append(3, 10);
            run(7);
            awaitSeen(30);
            assertThat(cut).isTrue();
            assertEachOnceInOrder();
            assertThat(projections.parked("witness", 10)).isEmpty();
        }

        @Test
        void a_commit_whose_answer_is_lost_is_not_done_again() throws SQLException {
            try (FaultProxy proxy = FaultProxy.to(
                    SharedStack.postgres().host(), SharedStack.postgres().port())) {
                Hearing hearing = new Hearing();
                run(database.sessionsThrough(throughProxy(proxy)), 7, hearing);
                append(3, 2);
                awaitSeen(6);
                var trap = proxy.loseReplyTo("COMMIT");
                try (Connection c = database.connect()) {
                    for (int n = 3; n <= 10; n++) {
                        JournalDatabase.append(c, "m|0", n, "{}");
                    }
                }
                trap.await(Duration.ofSeconds(10));
                awaitSeen(14);
                assertEachOnceInOrder();
                assertThat(hearing.failures).hasPositiveValue();
            }
        }

        /** Statements that a session has planned before fail once after that. */
        @Test
        void a_journal_whose_columns_are_changed_while_it_is_read_sets_nobody_aside() throws SQLException {
            run(1);
            append(2, 10);
            awaitSeen(20);
            database.execute(
                    "alter table event_journal alter column event_ser_manifest type varchar(300), add column note"
                            + " text");
            for (int n = 11; n <= 20; n++) {
                database.append("m|0", n, "{}");
            }
            awaitSeen(30);
            assertEachOnceInOrder();
            assertThat(projections.parked("witness", 10)).isEmpty();
        }

        /** An output column that casts to text and is sorted by its name sorts as text: 10 before 9. */
        @Test
        void transactions_come_by_their_number_and_not_by_its_digits() throws SQLException {
            database.append("m|tenth", 1, "{}");
            database.append("m|ninth", 1, "{}");
            database.execute(
                    "update event_journal set xid = '10' where persistence_id = 'm|tenth'",
                    "update event_journal set xid = '9' where persistence_id = 'm|ninth'");
            run(10);
            awaitSeen(2);
            assertThat(Witness.seen(database)).containsExactly("m|ninth#1", "m|tenth#1");
        }

        @Test
        void a_jump_of_the_ordering_changes_nothing() throws SQLException {
            run(10);
            append(3, 3);
            database.execute("select setval('event_journal_ordering_seq', 50000000)");
            database.append("m|0", 4, "{}");
            awaitSeen(10);
            assertEachOnceInOrder();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class poison {

        private final AtomicBoolean mended = new AtomicBoolean();

        private void poison(Witness.Mishap mishap) {
            witness.mishap((connection, row) -> {
                if (!mended.get() && row.persistenceId().equals("m|1") && row.sequenceNumber() == 3) {
                    mishap.strike(connection, row);
                }
            });
        }

        private void assertOnlyTheEntityIsHeldUp(String reason) throws SQLException {
            append(3, 6);
            run(100);
            awaitSeen(2 + 6 + 6);
            assertThat(projections.parked("witness", 10)).singleElement().satisfies(parked -> {
                assertThat(parked.persistenceId()).isEqualTo("m|1");
                assertThat(parked.sequenceNumber()).isEqualTo(3);
                assertThat(parked.reason()).contains(reason);
            });
            database.append("m|1", 7, "{}");
            database.append("m|2", 7, "{}");
            awaitSeen(15);
            assertThat(projections.lag("witness").events()).isZero();
        }

        private void assertItCatchesUp() throws SQLException {
            mended.set(true);
            retry("m|1");
            awaitSeen(20);
            await().untilAsserted(
                            () -> assertThat(projections.parked("witness", 10)).isEmpty());
            database.append("m|1", 8, "{}");
            awaitSeen(21);
            assertEachOnceInOrder();
        }

        @Test
        void an_event_the_handler_can_not_read_stops_its_entity_alone_until_it_can() throws SQLException {
            poison((connection, row) -> {
                throw new IllegalArgumentException("no such type");
            });
            assertOnlyTheEntityIsHeldUp("no such type");
            assertItCatchesUp();
        }

        @Test
        void an_event_that_breaks_a_constraint_stops_its_entity_alone() throws SQLException {
            database.execute("create table strict (n int check (n > 0))");
            poison((connection, row) -> execute(connection, "insert into strict values (0)"));
            assertOnlyTheEntityIsHeldUp("strict_n_check");
            assertItCatchesUp();
        }

        @Test
        void an_event_that_breaks_a_constraint_only_at_commit_stops_its_entity_alone() throws SQLException {
            database.execute(
                    "create table late (n int unique deferrable initially deferred)", "insert into late values (1)");
            poison((connection, row) -> execute(connection, "insert into late values (1)"));
            assertOnlyTheEntityIsHeldUp("late_n_key");
            assertItCatchesUp();
        }

        @Test
        void an_sql_error_that_the_handler_swallowed_does_not_become_an_offset() throws SQLException {
            poison((connection, row) -> {
                try {
                    execute(connection, "select 1/0");
                } catch (SQLException swallowed) {
                    assertThat(swallowed.getSQLState()).isEqualTo("22012");
                }
            });
            assertOnlyTheEntityIsHeldUp("aborted");
            assertItCatchesUp();
        }

        @Test
        void an_sql_error_behind_a_savepoint_is_the_handlers_own_affair() throws SQLException {
            poison((connection, row) -> {
                Savepoint before = connection.setSavepoint();
                try {
                    execute(connection, "select 1/0");
                } catch (SQLException expected) {
                    connection.rollback(before);
                }
            });
            append(3, 6);
            run(100);
            awaitSeen(18);
            assertThat(projections.parked("witness", 10)).isEmpty();
        }

        @Test
        void a_handler_that_ends_the_transaction_is_stopped() throws SQLException {
            poison((connection, row) -> connection.commit());
            assertOnlyTheEntityIsHeldUp("does not end its transaction");
            assertItCatchesUp();
        }

        @Test
        void a_new_start_tries_what_is_parked_again() throws SQLException {
            poison((connection, row) -> {
                throw new IllegalStateException("not by this version");
            });
            assertOnlyTheEntityIsHeldUp("not by this version");
            runners.removeFirst().close();
            mended.set(true);
            run(100);
            awaitSeen(20);
            assertEachOnceInOrder();
        }

        @Test
        void an_entity_that_fails_again_stays_parked_at_the_event_that_fails() throws SQLException {
            poison((connection, row) -> {
                throw new IllegalStateException("first reason");
            });
            assertOnlyTheEntityIsHeldUp("first reason");
            witness.mishap((connection, row) -> {
                if (row.persistenceId().equals("m|1") && row.sequenceNumber() == 5) {
                    throw new IllegalStateException("second reason");
                }
            });
            retry("m|1");
            await().untilAsserted(() -> assertThat(projections.parked("witness", 10))
                    .singleElement()
                    .satisfies(parked -> {
                        assertThat(parked.sequenceNumber()).isEqualTo(5);
                        assertThat(parked.reason()).contains("second reason");
                        assertThat(parked.attempts()).isEqualTo(1);
                    }));
            witness.mishap((connection, row) -> {});
            retry("m|1");
            awaitSeen(20);
            assertEachOnceInOrder();
        }

        @Test
        void what_is_parked_is_tried_again_by_itself_and_later_each_time() throws SQLException {
            poison((connection, row) -> {
                throw new IllegalStateException("not yet");
            });
            append(3, 6);
            ProjectionSettings base = settings(100);
            ProjectionRunner runner = new ProjectionRunner(
                    witness,
                    database.sessions(),
                    new JournalFeed(new Bell()),
                    quick(),
                    new ProjectionSettings(
                            base.batchRows(),
                            base.gather(),
                            base.pollLongest(),
                            base.workers(),
                            base.rowAttempts(),
                            base.parkedLimit(),
                            new Backoff(Duration.ofMillis(10), Duration.ofHours(1), 60, 0),
                            base.ackTimeout()),
                    ProjectionListener.NONE);
            runners.add(runner);
            runner.start();
            await().untilAsserted(() -> assertThat(projections.parked("witness", 10))
                    .singleElement()
                    .satisfies(parked -> {
                        assertThat(parked.attempts()).as("after 10 and 600 ms").isEqualTo(2);
                        assertThat(parked.retryAt()).isAfter(parked.parkedAt().plusSeconds(36));
                    }));
            mended.set(true);
            database.execute("update projection_parked set retry_at = now()"); // as if the time had come
            awaitSeen(18);
            assertEachOnceInOrder();
        }

        @Test
        void when_too_many_are_parked_the_projection_stops_rather_than_set_everybody_aside() throws SQLException {
            AtomicBoolean broken = new AtomicBoolean(true);
            witness.mishap((connection, row) -> {
                if (broken.get()) {
                    throw new IllegalStateException("nothing works");
                }
            });
            append(20, 1);
            ProjectionRunner runner = run(100);
            await().untilAsserted(() -> assertThat(runner.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("its limit")));
            assertThat(projections.parked("witness", 100)).hasSize(10);
            broken.set(false);
            awaitSeen(10);
            for (ParkedEntity parked : projections.parked("witness", 100)) {
                retry(parked.persistenceId());
            }
            awaitSeen(20);
            assertEachOnceInOrder();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class surroundings {

        @Test
        void a_missing_table_parks_nobody_and_is_waited_for() throws SQLException {
            witness.mishap((connection, row) -> execute(connection, "insert into not_yet values (1)"));
            append(2, 2);
            ProjectionRunner runner = run(100);
            await().untilAsserted(() -> assertThat(runner.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("not_yet")));
            assertThat(projections.parked("witness", 10)).isEmpty();
            database.execute("create table not_yet (n int)");
            awaitSeen(4);
            assertEachOnceInOrder();
            await().until(() -> runner.trouble().isEmpty());
        }

        @Test
        void a_lock_held_longer_than_anyone_waits_for_it_parks_nobody() throws SQLException {
            database.execute("create table busy (n int)");
            witness.mishap((connection, row) -> {
                execute(connection, "set local lock_timeout = 20");
                execute(connection, "insert into busy values (1)");
            });
            Hearing hearing = new Hearing();
            append(2, 2);
            try (Connection blocker = database.connect()) {
                blocker.setAutoCommit(false);
                execute(blocker, "lock table busy in access exclusive mode");
                run(database.sessions(), 100, hearing);
                await().until(() -> hearing.failures.get() >= 3);
            }
            awaitSeen(4);
            assertThat(projections.parked("witness", 10)).isEmpty();
            assertEachOnceInOrder();
        }

        @Test
        void driver_settings_that_hide_a_failed_statement_are_refused() {
            ProjectionRunner runner =
                    run(database.sessionsThrough(database.url() + "?autosave=always"), 10, new Hearing());
            await().untilAsserted(() -> assertThat(runner.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("autosave")));
        }

        @Test
        void a_journal_restored_from_another_cluster_is_refused_and_can_be_taken_over() throws SQLException {
            append(3, 3);
            database.execute(
                    "update event_journal set xid = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8");
            ProjectionRunner runner = run(10);
            await().untilAsserted(() -> assertThat(runner.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("restoring a dump")));
            database.execute(
                    "update event_journal set xid = '3'",
                    "update projection_offset set xid = '0', ordering = 0, rebuild_requested = true");
            awaitSeen(9);
            database.append("m|0", 4, "{}");
            awaitSeen(10);
            assertEachOnceInOrder();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class in_the_fleet {

        @Test
        void another_node_takes_over_when_the_running_one_loses_its_connection() throws Exception {
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch cut = new CountDownLatch(1);
            AtomicBoolean first = new AtomicBoolean(true);
            witness.mishap((connection, row) -> {
                if (row.sequenceNumber() == 3 && first.compareAndSet(true, false)) {
                    entered.countDown();
                    awaitLatch(cut); // as if frozen, with a transaction open
                }
            });
            append(2, 5);
            ProjectionRunner one = run(4);
            entered.await();
            ProjectionRunner two = run(4);
            assertThat(one.running()).isTrue();
            assertThat(two.running()).isFalse();
            database.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast"
                    + " projection witness'");
            awaitSeen(10);
            assertThat(two.running()).isTrue();
            cut.countDown(); // the first one wakes up, and its transaction is worth nothing
            database.append("m|0", 6, "{}");
            awaitSeen(11);
            assertEachOnceInOrder();
            await().until(one::running); // and it takes its part again
        }

        /** Its session ends it: nobody has to notice, and nothing is done to it from outside. */
        @Test
        void a_node_that_freezes_with_a_transaction_open_holds_nobody_up_for_longer_than_a_transaction_may_take()
                throws Exception {
            AtomicBoolean first = new AtomicBoolean(true);
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch thaw = new CountDownLatch(1);
            witness.mishap((connection, row) -> {
                if (row.sequenceNumber() == 3 && first.compareAndSet(true, false)) {
                    entered.countDown();
                    awaitLatch(thaw);
                }
            });
            append(2, 5);
            runHasty(ProjectionListener.NONE);
            entered.await();
            otherHandlesAll(thaw);
        }

        @Test
        void a_node_that_freezes_between_transactions_holds_nobody_up_for_longer_than_a_session_may_be_silent()
                throws Exception {
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch thaw = new CountDownLatch(1);
            append(2, 5);
            runHasty(new ProjectionListener() {
                @Override
                public void holds(String projection, List<Slices> slices) {
                    entered.countDown();
                    awaitLatch(thaw);
                }
            });
            entered.await();
            otherHandlesAll(thaw);
        }

        private void runHasty(ProjectionListener listener) {
            ProjectionRunner runner = new ProjectionRunner(
                    witness, database.sessions(), new JournalFeed(new Bell()), hasty(), settings(4), listener);
            runners.add(runner);
            runner.start();
        }

        private void otherHandlesAll(CountDownLatch thaw) throws SQLException {
            assertThat(Witness.seen(database)).hasSizeLessThan(10);
            ProjectionRunner other = run(4);
            awaitSeen(10);
            assertThat(other.running()).isTrue();
            thaw.countDown();
            database.append("m|0", 6, "{}");
            awaitSeen(11);
            assertEachOnceInOrder();
        }

        @Test
        void a_node_that_stops_hands_over() throws SQLException {
            ProjectionRunner one = run(4);
            await().until(one::running);
            ProjectionRunner two = run(4);
            append(2, 2);
            awaitSeen(4);
            one.close();
            await().until(two::running);
            assertThat(one.running()).isFalse();
            database.append("m|0", 3, "{}");
            awaitSeen(5);
            assertEachOnceInOrder();
        }
    }

    @Nested
    @DisplayNameGeneration(ReplaceUnderscores.class)
    class rebuild {

        @Test
        void everything_is_forgotten_and_read_again_while_more_comes_in() throws SQLException {
            append(5, 10);
            run(8);
            awaitSeen(50);
            rebuildOrdered();
            try (Connection c = database.connect()) {
                for (int n = 11; n <= 20; n++) {
                    JournalDatabase.append(c, "m|0", n, "{}");
                }
            }
            database.awaitObeyed();
            awaitSeen(60);
            assertEachOnceInOrder();
        }

        @Test
        void forgetting_may_take_longer_than_any_other_statement() throws SQLException {
            append(2, 3);
            witness.clearsBy("select pg_sleep(0.9)");
            ProjectionRunner runner = new ProjectionRunner(
                    witness,
                    database.sessions(),
                    new JournalFeed(new Bell()),
                    hasty(),
                    settings(8),
                    ProjectionListener.NONE);
            runners.add(runner);
            runner.start();
            awaitSeen(6);
            rebuildOrdered();
            database.awaitObeyed();
            awaitSeen(6);
            assertEachOnceInOrder();
        }

        @Test
        void what_was_parked_gets_its_chance() throws SQLException {
            AtomicBoolean broken = new AtomicBoolean(true);
            witness.mishap((connection, row) -> {
                if (broken.get() && row.persistenceId().equals("m|1")) {
                    throw new IllegalStateException("can't");
                }
            });
            append(3, 2);
            run(8);
            awaitSeen(4);
            broken.set(false);
            rebuildOrdered();
            awaitSeen(6);
            assertEachOnceInOrder();
            assertThat(projections.parked("witness", 10)).isEmpty();
        }
    }

    /** Nothing may take long. */
    private static FleetSettings hasty() {
        return new FleetSettings(
                Duration.ofMillis(20),
                Duration.ofMillis(400),
                Duration.ofMillis(400),
                Duration.ofMillis(400),
                quick().backoff());
    }

    private static void terminateMe(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet r = s.executeQuery("select pg_terminate_backend(pg_backend_pid())")) {
            r.next();
        } catch (SQLException gone) {
            assertThat(gone.getSQLState()).startsWith("57P01"); // and the next statement finds the connection broken
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute(sql);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
