package io.holdfast.engine.projection;

import static io.holdfast.engine.projection.JournalDatabase.quick;
import static io.holdfast.engine.projection.JournalDatabase.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.fleet.Bell;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProgressWatchTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final Witness witness = new Witness();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<ProjectionRunner> runners = new ArrayList<>();
    private JournalDatabase database;
    private ProgressWatch progress;

    @BeforeEach
    void begin() throws SQLException {
        database = JournalDatabase.on(SharedStack.postgres());
        database.execute(Witness.TABLE);
        progress = new ProgressWatch("witness", database.pool(), Duration.ofMillis(2));
    }

    @AfterEach
    void end() {
        release.countDown();
        runners.forEach(ProjectionRunner::close);
        database.close();
    }

    private void run() {
        ProjectionRunner runner = new ProjectionRunner(
                witness,
                database.sessions(),
                new JournalFeed(new Bell()),
                quick(),
                settings(10),
                ProjectionListener.NONE);
        runners.add(runner);
        runner.start();
    }

    private JournalPosition now() {
        return progress.position().toCompletableFuture().join();
    }

    private CompletableFuture<Passage> passed(JournalPosition position, Duration patience) {
        return progress.awaitPassed(position, patience).toCompletableFuture();
    }

    /** Holds the projection up at every event of this entity. */
    private void holdUpAt(String persistenceId) {
        witness.mishap((connection, row) -> {
            if (row.persistenceId().equals(persistenceId)) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }

    @Test
    void an_idle_projection_has_passed_now() throws SQLException {
        run();
        assertThat(passed(now(), LONG).join()).isEqualTo(new Passage.Passed(List.of(), 0));
        database.append("m|1", 1, "{}");
        JournalPosition after = now();
        assertThat(passed(after, LONG).join()).isEqualTo(new Passage.Passed(List.of(), 0));
        assertThat(Witness.seen(database)).containsExactly("m|1#1");
        for (int i = 0; i < 5; i++) { // transaction ids go by without an event
            database.execute("select pg_current_xact_id()");
        }
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
    }

    @Test
    void everything_acknowledged_before_the_position_is_in_the_view_when_it_has_passed() throws SQLException {
        run();
        for (int n = 1; n <= 20; n++) {
            database.append("m|1", n, "{}");
            assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
            assertThat(Witness.seen(database)).hasSize(n);
        }
    }

    @Test
    void it_has_not_passed_while_an_event_before_the_position_waits() throws SQLException {
        holdUpAt("m|held");
        run();
        database.append("m|held", 1, "{}");
        JournalPosition after = now();
        assertThat(passed(after, Duration.ofMillis(100)).join()).isInstanceOf(Passage.NotYet.class);
        CompletableFuture<Passage> waiting = passed(after, LONG);
        release.countDown();
        assertThat(waiting.join()).isInstanceOf(Passage.Passed.class);
        assertThat(Witness.seen(database)).containsExactly("m|held#1");
    }

    @Test
    void who_waits_for_one_machine_waits_for_no_event_of_another() throws SQLException {
        holdUpAt("m2|held");
        run();
        database.append("m|1", 1, "{}");
        ProgressWatch ofM = ProgressWatch.ofMachine("witness", "m", database.pool(), Duration.ofMillis(2));
        ProgressWatch ofM2 = ProgressWatch.ofMachine("witness", "m2", database.pool(), Duration.ofMillis(2));
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);

        database.append("m2|held", 1, "{}");
        JournalPosition after = now();
        assertThat(ofM.awaitPassed(after, LONG).toCompletableFuture().join()).isInstanceOf(Passage.Passed.class);
        CompletableFuture<Passage> itsOwn = ofM2.awaitPassed(after, LONG).toCompletableFuture();

        database.append("m|1", 2, "{}");
        JournalPosition behind = now();
        CompletableFuture<Passage> waiting = ofM.awaitPassed(behind, LONG).toCompletableFuture();
        assertThat(passed(behind, Duration.ofMillis(100)).join()).isInstanceOf(Passage.NotYet.class);
        assertThat(itsOwn).isNotDone();
        assertThat(waiting).isNotDone();
        release.countDown();
        assertThat(waiting.join()).isInstanceOf(Passage.Passed.class);
        assertThat(itsOwn.join()).isInstanceOf(Passage.Passed.class);
        assertThat(Witness.seen(database)).contains("m|1#2", "m2|held#1");
    }

    @Test
    void it_has_not_passed_while_a_transaction_before_the_position_is_open() throws SQLException {
        run();
        try (Connection open = database.connect()) {
            open.setAutoCommit(false);
            JournalDatabase.append(open, "m|open", 1, "{}");
            database.append("m|later", 1, "{}");
            JournalPosition after = now();
            assertThat(passed(after, Duration.ofMillis(100)).join()).isInstanceOf(Passage.NotYet.class);
            CompletableFuture<Passage> waiting = passed(after, LONG);
            open.commit();
            assertThat(waiting.join()).isInstanceOf(Passage.Passed.class);
        }
        assertThat(Witness.seen(database)).containsExactlyInAnyOrder("m|open#1", "m|later#1");
    }

    @Test
    void it_has_not_passed_before_the_projection_has_ever_run_on_all_slices() throws SQLException {
        assertThat(passed(now(), Duration.ofMillis(50)).join()).isInstanceOf(Passage.NotYet.class);
        database.execute("insert into projection_offset (projection, slice_from, slice_to, xid, ordering)"
                + " select 'witness', 16 * n, 16 * n + 15, '0', 0 from generate_series(0, 6) n");
        assertThat(passed(now(), Duration.ofMillis(50)).join()).isInstanceOf(Passage.NotYet.class);
        run();
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
    }

    @Test
    void what_is_parked_is_named() throws SQLException {
        witness.mishap((connection, row) -> {
            if (row.persistenceId().equals("m|bad")) {
                throw new IllegalStateException("can't");
            }
        });
        run();
        database.append("m|bad", 1, "{}");
        database.append("m|good", 1, "{}");
        assertThat(passed(now(), LONG).join())
                .isInstanceOfSatisfying(
                        Passage.Passed.class,
                        passage -> assertThat(passage.parked())
                                .singleElement()
                                .satisfies(parked ->
                                        assertThat(parked.persistenceId()).isEqualTo("m|bad")));
    }

    @Test
    void however_many_are_parked_all_are_named() throws SQLException {
        run();
        // Once it works: who begins makes all due that it finds.
        database.append("m|before", 1, "{}");
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
        database.execute("insert into projection_parked (projection, persistence_id, sequence_number, reason, retry_at)"
                + " select 'witness', 'm|' || n, 1, 'why', 'infinity' from generate_series(1, 1500) n");
        assertThat(passed(now(), LONG).join())
                .isInstanceOfSatisfying(
                        Passage.Passed.class,
                        passage -> assertThat(passage.parked()).hasSize(1500));
    }

    /** The parked entities are the last thing it must read before it may say that all is passed. */
    @Test
    void it_has_not_passed_while_it_can_not_be_asked_who_is_parked() throws SQLException {
        run();
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
        database.execute("alter table projection_parked rename to hidden");
        assertThat(passed(new JournalPosition(1), Duration.ofMillis(50)).join())
                .isInstanceOfSatisfying(
                        Passage.NotYet.class, notYet -> assertThat(notYet.why()).startsWith("the database"));
        database.execute("alter table hidden rename to projection_parked");
        assertThat(passed(new JournalPosition(1), LONG).join()).isInstanceOf(Passage.Passed.class);
    }

    @Test
    void it_needs_no_second_connection_to_ask_who_is_parked() throws SQLException {
        witness.mishap((connection, row) -> {
            throw new IllegalStateException("can't");
        });
        run();
        database.append("m|bad", 1, "{}");
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
        var one = database.pool();
        one.setMaximumPoolSize(1);
        ProgressWatch alone = new ProgressWatch("witness", one, Duration.ofMillis(2));
        assertThat(alone.awaitPassed(now(), LONG).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        Passage.Passed.class,
                        passage -> assertThat(passage.parked()).hasSize(1));
    }

    @Test
    void a_rebuild_shows_in_the_next_passage_even_if_it_was_never_seen_under_way() throws SQLException {
        run();
        database.append("m|1", 1, "{}");
        assertThat(passed(now(), LONG).join()).isEqualTo(new Passage.Passed(List.of(), 0));
        new ProjectionOrders(database.pool()).rebuild("witness", new OrderedBy("test", ""));
        assertThat(passed(now(), LONG).join()).isEqualTo(new Passage.Passed(List.of(), Slices.SHARES));
    }

    @Test
    void it_has_not_passed_while_a_rebuild_is_asked_for_or_under_way() throws SQLException {
        run();
        database.append("m|held", 1, "{}");
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
        holdUpAt("m|held");
        new ProjectionOrders(database.pool()).rebuild("witness", new OrderedBy("test", ""));
        assertThat(passed(now(), Duration.ofMillis(100)).join()).isInstanceOf(Passage.NotYet.class);
        release.countDown();
        assertThat(passed(now(), LONG).join()).isInstanceOf(Passage.Passed.class);
        assertThat(Witness.seen(database)).containsExactly("m|held#1");
    }

    @Test
    void a_database_that_answers_nothing_at_all_does_not_hold_the_caller() {
        try (FaultProxy proxy = FaultProxy.to(
                SharedStack.postgres().host(), SharedStack.postgres().port())) {
            String url = database.url().replaceFirst(":\\d+/", ":" + proxy.port() + "/");
            ProgressWatch dead = new ProgressWatch("witness", database.poolThrough(url), Duration.ofMillis(2));
            run();
            assertThat(dead.awaitPassed(new JournalPosition(1), LONG)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Passage.Passed.class);
            proxy.blackhole();
            assertThat(dead.awaitPassed(now(), Duration.ofMillis(10))
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Passage.NotYet.class);
            proxy.cut();
        }
    }

    /** Who has read the view and asks again must not be answered by what was seen while it read: the view may have been rebuilt since. */
    @Test
    void nobody_is_answered_by_what_was_seen_before_it_asked() throws Exception {
        run();
        database.append("m|1", 1, "{}");
        JournalPosition position = now();
        assertThat(passed(position, LONG).join()).isEqualTo(new Passage.Passed(List.of(), 0));
        CountDownLatch seen = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ProgressWatch slow = new ProgressWatch(
                "witness",
                StandingBeforeClose.of(database.pool(), () -> {
                    seen.countDown();
                    goOn.await();
                }),
                Duration.ofMillis(2));
        CompletableFuture<Passage> first = slow.awaitPassed(position, LONG).toCompletableFuture();
        seen.await(); // the database has said how far the view is
        new ProjectionOrders(database.pool()).rebuild("witness", new OrderedBy("test", ""));
        CompletableFuture<Passage> second = slow.awaitPassed(position, LONG).toCompletableFuture();
        goOn.countDown();
        assertThat(first.join()).isEqualTo(new Passage.Passed(List.of(), 0));
        assertThat(second.join()).isEqualTo(new Passage.Passed(List.of(), Slices.SHARES));
    }

    @Test
    void many_who_ask_where_the_journal_is_are_told_of_everything_journaled_before_they_asked() throws Exception {
        run();
        List<CompletableFuture<JournalPosition>> asked = new ArrayList<>();
        for (int n = 1; n <= 50; n++) {
            database.append("m|1", n, "{}");
            asked.add(progress.position().toCompletableFuture());
        }
        for (int n = 1; n <= 50; n++) {
            assertThat(passed(asked.get(n - 1).join(), LONG).join()).isInstanceOf(Passage.Passed.class);
            assertThat(Witness.seen(database)).hasSizeGreaterThanOrEqualTo(n);
        }
    }

    @Test
    void a_database_that_can_not_be_asked_is_not_yet() {
        ProgressWatch lost = new ProgressWatch(
                "witness", database.poolThrough("jdbc:postgresql://127.0.0.1:1/none"), Duration.ofMillis(2));
        Passage passage = lost.awaitPassed(new JournalPosition(1), Duration.ofMillis(50))
                .toCompletableFuture()
                .join();
        assertThat(passage)
                .isInstanceOfSatisfying(
                        Passage.NotYet.class, notYet -> assertThat(notYet.why()).startsWith("the database"));
    }
}
