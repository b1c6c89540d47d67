package io.holdfast.engine.journal.jdbc;

import static io.holdfast.engine.journal.jdbc.JournalSite.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.journal.jdbc.Outcomes.Outcome;
import io.holdfast.localstack.SharedStack;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import scala.concurrent.Future;

/** The journal on a real PostgreSQL that works. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class GroupCommitTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final JournalSite site = new JournalSite(SharedStack.postgres());
    private final Notes notes = new Notes();

    @AfterEach
    void close() {
        site.close();
    }

    /** Lets writes gather behind a lock on the whole table. */
    private static final class Locked implements AutoCloseable {
        private final Connection connection;

        Locked(JournalSite site, String mode) throws SQLException {
            connection = site.connect();
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("lock table event_journal in " + mode + " mode");
            }
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }

    @Test
    void writes_that_come_while_one_commits_share_the_next_commit() throws SQLException {
        RunningJournal journal = site.open(notes);
        List<Future<?>> writes = new ArrayList<>();
        try (var _ = new Locked(site, "exclusive")) {
            for (int i = 0; i < 300; i++) {
                writes.add(write(journal, "p" + i, 1, "w"));
            }
        }

        assertThat(writes).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        assertThat(site.rows()).hasSize(300);
        assertThat(notes.rows).hasValue(300);
        assertThat(notes.commits.get()).isLessThan(10);
        assertThat(site.ask("select count(distinct xid) from event_journal"))
                .containsExactly(String.valueOf(notes.commits.get()));
    }

    /** As a later version's migration does under a node that has planned its statements. */
    @Test
    void columns_that_are_changed_under_a_running_journal_fail_no_write_and_no_replay() {
        RunningJournal journal = site.open(notes, "jdbc-journal.slick.db.properties.prepareThreshold = 2");
        for (int n = 1; n <= 16; n++) {
            if (n == 9) {
                site.ask("alter table event_journal alter column event_ser_manifest type varchar(300),"
                        + " alter column adapter_manifest type varchar(300), add column note text");
            }
            assertThat(Outcomes.of(write(journal, "p", n, "w"))).isEqualTo(Outcome.STORED);
            assertThat(Outcomes.get(journal.page("p", 1, Long.MAX_VALUE, 400))).hasSize(n);
        }
        assertThat(site.rows()).hasSize(16);
    }

    @Test
    void rows_come_in_the_order_in_which_they_were_written() {
        RunningJournal journal = site.open(notes);
        Outcomes.of(journal.write(Rows.rows("p", 1, 40, "w"), Outcomes.nothingRejected()));

        assertThat(site.ask("select sequence_number from event_journal order by ordering"))
                .isEqualTo(site.ask("select sequence_number from event_journal order by sequence_number"));
    }

    @Test
    void ten_conflicts_fail_ten_entities_and_three_hundred_innocent_ones_go_through() throws SQLException {
        RunningJournal journal = site.open(notes);
        List<Future<?>> others = new ArrayList<>();
        for (int i = 0; i < 310; i += 31) {
            others.add(write(journal, "p" + i, 1, "another"));
        }
        others.forEach(Outcomes::of);
        List<Future<?>> writes = new ArrayList<>();
        try (var _ = new Locked(site, "exclusive")) {
            for (int i = 0; i < 310; i++) {
                writes.add(write(journal, "p" + i, 1, "w"));
            }
        }

        for (int i = 0; i < 310; i++) {
            assertThat(Outcomes.of(writes.get(i))).isEqualTo(i % 31 == 0 ? Outcome.NOT_WRITTEN : Outcome.STORED);
        }
        assertThat(notes.conflicts).hasValue(10);
        assertThat(site.rows())
                .hasSize(310)
                .filteredOn(row -> row.endsWith("another"))
                .hasSize(10);
    }

    @Test
    void a_row_that_can_not_be_stored_fails_alone_whatever_is_wrong_with_it() throws SQLException {
        RunningJournal journal = site.open(notes);
        List<Future<?>> innocent = new ArrayList<>();
        List<Future<?>> bad = new ArrayList<>();
        try (var _ = new Locked(site, "exclusive")) {
            for (int i = 0; i < 100; i++) {
                if (i == 20) {
                    bad.add(write(journal, "x".repeat(300), 1, "w"));
                }
                if (i == 50) {
                    bad.add(write(journal, "nul\0nul", 1, "w"));
                }
                if (i == 70) {
                    bad.add(write(journal, "q", 1, "x".repeat(300)));
                }
                innocent.add(write(journal, "p" + i, 1, "w"));
            }
        }

        assertThat(innocent).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        assertThat(bad).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.NOT_WRITTEN));
        assertThat(Outcomes.failure(bad.getFirst())).hasMessageContaining("too long");
        assertThat(notes.badRows).hasValue(3);
        assertThat(site.rows()).hasSize(100);
    }

    @Test
    void of_two_lives_of_one_entity_one_writes_and_the_other_is_told_so() throws SQLException {
        RunningJournal journal = site.open(notes);
        Future<?> old;
        Future<?> young;
        try (var _ = new Locked(site, "exclusive")) {
            old = write(journal, "p", 1, "old life");
            young = write(journal, "p", 1, "young life");
        }

        assertThat(Outcomes.of(old)).isEqualTo(Outcome.STORED);
        assertThat(Outcomes.of(young)).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(site.rows()).containsExactly("p/1/old life");
    }

    @Test
    void of_two_nodes_that_write_the_same_entities_one_wins_each_and_both_know_which() {
        RunningJournal here = site.open(new Notes());
        RunningJournal there = site.open(new Notes());
        List<Future<?>> mine = new ArrayList<>();
        List<Future<?>> theirs = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            mine.add(write(here, "p" + i, 1, "here"));
            theirs.add(write(there, "p" + (499 - i), 1, "there"));
        }

        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Outcome one = Outcomes.of(mine.get(i));
            Outcome other = Outcomes.of(theirs.get(499 - i));
            assertThat(List.of(one, other)).containsExactlyInAnyOrder(Outcome.STORED, Outcome.NOT_WRITTEN);
            expected.add("p" + i + "/1/" + (one == Outcome.STORED ? "here" : "there"));
        }
        assertThat(site.rows()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void a_table_that_is_locked_for_longer_than_a_statement_may_take_fails_nobody() throws SQLException {
        RunningJournal journal = site.open(notes, "holdfast-journal.write-deadline = 30s");
        List<Future<?>> writes = new ArrayList<>();
        try (var _ = new Locked(site, "exclusive")) {
            for (int i = 0; i < 100; i++) {
                writes.add(write(journal, "p" + i, 1, "w"));
            }
            // A statement gives up on its lock after a quarter of a second.
            await().atMost(PATIENCE).until(() -> notes.locked.get() > 6);
        }

        assertThat(writes).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        assertThat(notes.aside).hasValue(0);
        assertThat(site.rows()).hasSize(100);
    }

    @Test
    void a_table_that_stays_locked_ends_every_write_in_time_as_not_written_and_none_appears_later()
            throws SQLException {
        RunningJournal journal = site.open(notes);
        List<Future<?>> writes = new ArrayList<>();
        try (var _ = new Locked(site, "exclusive")) {
            for (int i = 0; i < 100; i++) {
                writes.add(write(journal, "p" + i, 1, "w"));
            }
            assertThat(writes).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.NOT_WRITTEN));
        }

        assertThat(Outcomes.of(write(journal, "after", 1, "w"))).isEqualTo(Outcome.STORED);
        assertThat(site.rows()).containsExactly("after/1/w");
        assertThat(notes.overdueNotWritten).hasValue(100);
    }

    @Test
    void a_key_in_somebodys_open_transaction_holds_up_its_own_entity_only() throws SQLException {
        RunningJournal journal = site.open(notes, "holdfast-journal.write-deadline = 30s");
        List<Future<?>> innocent = new ArrayList<>();
        Future<?> stuck = null;
        try (var other = site.connect();
                var statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("insert into event_journal (persistence_id, sequence_number, writer, event_ser_id,"
                    + " event_ser_manifest, event_payload) values ('p37', 1, 'another', 1, '', '')");
            for (int i = 0; i < 100; i++) {
                var one = write(journal, "p" + i, 1, "w");
                if (i == 37) {
                    stuck = one;
                } else {
                    innocent.add(one);
                }
            }
            assertThat(innocent).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
            assertThat(stuck).isNotNull().matches(one -> !one.isCompleted());
            assertThat(Outcomes.of(write(journal, "late comer", 1, "w"))).isEqualTo(Outcome.STORED);
            other.rollback();
        }

        assertThat(Outcomes.of(stuck)).isEqualTo(Outcome.STORED);
        assertThat(notes.aside.get()).isPositive();
        assertThat(site.rows()).hasSize(101);
    }

    @Test
    void a_full_queue_refuses_at_once_and_clearly_and_what_was_taken_is_stored() throws SQLException {
        RunningJournal journal =
                site.open(notes, "holdfast-journal { queue = 10, batch-rows = 5, write-deadline = 30s }");
        List<Future<?>> taken = new ArrayList<>();
        Future<?> refused;
        try (var _ = new Locked(site, "exclusive")) {
            taken.add(write(journal, "first", 1, "w"));
            await().atMost(PATIENCE).until(() -> journal.waiting() == 0);
            for (int i = 0; i < 10; i++) {
                taken.add(write(journal, "p" + i, 1, "w"));
            }
            refused = write(journal, "one too many", 1, "w");
            assertThat(refused.isCompleted()).isTrue();
        }

        assertThat(Outcomes.failure(refused)).hasMessage("too many writes wait already (10)");
        assertThat(Outcomes.of(refused)).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(notes.refused).hasValue(1);
        assertThat(taken).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        assertThat(site.rows()).hasSize(11);
    }

    @Test
    void a_batch_is_bounded_in_bytes_as_well() throws SQLException {
        RunningJournal journal = site.open(notes, "holdfast-journal { batch-size = 100KiB, write-deadline = 30s }");
        String large = "x".repeat(40_000);
        List<Future<?>> writes = new ArrayList<>();
        try (var _ = new Locked(site, "exclusive")) {
            for (int i = 0; i < 10; i++) {
                writes.add(journal.write(List.of(Rows.row("p" + i, 1, "w", large)), Outcomes.nothingRejected()));
            }
        }

        assertThat(writes).allSatisfy(one -> assertThat(Outcomes.of(one)).isEqualTo(Outcome.STORED));
        assertThat(notes.commits.get()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void entities_that_start_at_the_same_time_share_look_ups_and_a_new_id_has_number_zero() throws SQLException {
        RunningJournal journal = site.open(notes);
        for (int i = 0; i < 100; i++) {
            Outcomes.of(journal.write(Rows.rows("p" + i, 1, 1 + i % 7, "w"), Outcomes.nothingRejected()));
        }
        List<Future<Object>> asked = new ArrayList<>();
        try (var _ = new Locked(site, "access exclusive")) {
            for (int i = 0; i < 100; i++) {
                asked.add(journal.highestSequenceNumber("p" + i));
                asked.add(journal.highestSequenceNumber("new" + i));
            }
        }

        for (int i = 0; i < 100; i++) {
            assertThat(Outcomes.get(asked.get(2 * i))).isEqualTo(1L + i % 7);
            assertThat(Outcomes.get(asked.get(2 * i + 1))).isEqualTo(0L);
        }
        assertThat(notes.lookUps).hasValue(200);
        assertThat(notes.lookUpQueries.get()).isLessThan(10);
    }

    @Test
    void an_id_that_can_not_be_asked_for_fails_alone() throws SQLException {
        RunningJournal journal = site.open(notes);
        List<Future<Object>> asked = new ArrayList<>();
        Future<Object> bad;
        try (var _ = new Locked(site, "access exclusive")) {
            asked.add(journal.highestSequenceNumber("a"));
            bad = journal.highestSequenceNumber("nul\0nul");
            asked.add(journal.highestSequenceNumber("b"));
        }

        assertThat(asked).allSatisfy(one -> assertThat(Outcomes.get(one)).isEqualTo(0L));
        await().atMost(PATIENCE).until(bad::isCompleted);
        assertThat(bad.value().get().isFailure()).isTrue();
    }

    @Test
    void entities_that_replay_at_the_same_time_share_queries_and_get_their_own_rows_in_order() throws SQLException {
        RunningJournal journal = site.open(notes);
        for (int i = 0; i < 50; i++) {
            Outcomes.of(journal.write(Rows.rows("p" + i, 1, 20, "w"), Outcomes.nothingRejected()));
        }
        List<Future<List<ReplayReads.Line>>> pages = new ArrayList<>();
        try (var _ = new Locked(site, "access exclusive")) {
            for (int i = 0; i < 50; i++) {
                pages.add(journal.page("p" + i, 3, 12, 5));
            }
            pages.add(journal.page("nobody", 1, Long.MAX_VALUE, 400));
        }

        for (int i = 0; i < 50; i++) {
            String id = "p" + i;
            List<ReplayReads.Line> lines = Outcomes.get(pages.get(i));
            assertThat(lines).extracting(line -> line.row().sequenceNumber()).containsExactly(3L, 4L, 5L, 6L, 7L);
            assertThat(lines)
                    .allSatisfy(line -> assertThat(line.row().persistenceId()).isEqualTo(id));
            assertThat(new String(lines.getFirst().row().payload().bytes(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"of\":\"" + id + "\",\"number\":3}");
        }
        assertThat(Outcomes.get(pages.getLast())).isEmpty();
        assertThat(notes.replayQueries.get()).isLessThan(10);
    }

    @Test
    void who_listens_is_notified_after_a_commit() throws SQLException {
        RunningJournal journal = site.open(notes, "holdfast-journal.notify-interval = 1ms");
        try (var listening = listen()) {
            for (int number = 1; number <= 3; number++) {
                Outcomes.of(write(journal, "p", number, "w"));
                await().atMost(PATIENCE).until(() -> !heard(listening).isEmpty());
            }
        }
    }

    @Test
    void many_commits_within_the_interval_are_one_notification() throws SQLException {
        RunningJournal journal = site.open(notes, "holdfast-journal.notify-interval = 1h");
        try (var listening = listen()) {
            for (int number = 1; number <= 20; number++) {
                Outcomes.of(write(journal, "p", number, "w"));
            }
            List<String> heard = new ArrayList<>();
            await().atMost(PATIENCE).until(() -> heard.addAll(heard(listening)));
            site.ask("select pg_notify('holdfast_journal', 'the end')");
            await().atMost(PATIENCE).until(() -> heard.addAll(heard(listening)));

            assertThat(heard).containsExactly("", "the end");
        }
    }

    private Connection listen() throws SQLException {
        Connection connection = site.connect();
        try (var statement = connection.createStatement()) {
            statement.execute("listen holdfast_journal");
        }
        return connection;
    }

    private static List<String> heard(Connection connection) throws SQLException {
        return Stream.of(connection.unwrap(PGConnection.class).getNotifications(1))
                .map(PGNotification::getParameter)
                .toList();
    }
}
