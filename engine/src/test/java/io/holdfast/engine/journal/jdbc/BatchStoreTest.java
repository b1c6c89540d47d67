package io.holdfast.engine.journal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.journal.jdbc.Outcomes.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The algorithm on a table in memory, in virtual time. A failure names its seed. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class BatchStoreTest {

    private static final int RUNS = 4000;
    private static final long PLENTY = 1_000_000_000;

    /** One store, its table, and what it was given. */
    private static final class Run implements BatchStore.Surroundings {
        final MemoryTable table;
        final List<Write> aside = new ArrayList<>();
        final BatchStore store;

        Run(Random random, int faultsInHundred) {
            table = new MemoryTable(random, faultsInHundred);
            store = new BatchStore(table, this, new JournalListener() {}, () -> table.now);
        }

        @Override
        public void stored(List<Write> writes) {
            writes.forEach(Write::stored);
        }

        @Override
        public void putAside(List<Write> writes) {
            aside.addAll(writes);
        }

        @Override
        public void rest(long millis) {
            table.now += millis;
        }

        void store(List<Write> batch) {
            try {
                store.store(batch);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Write write(List<JournalRow> rows, long lastStart) {
        return new Write(rows, Outcomes.nothingRejected(), lastStart, lastStart + 400);
    }

    private static Write write(String id, long number, String writer) {
        return write(List.of(Rows.row(id, number, writer)), PLENTY);
    }

    private static Outcome outcome(Write write) {
        return Outcomes.of(write.future());
    }

    private static Run calm() {
        return new Run(new Random(0), 0);
    }

    @Test
    void a_batch_without_trouble_is_one_statement() {
        Run run = calm();
        List<Write> batch = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            batch.add(write("p" + i, 1, "w"));
        }

        run.store(batch);

        assertThat(batch).allSatisfy(write -> assertThat(outcome(write)).isEqualTo(Outcome.STORED));
        assertThat(run.table.statements).isEqualTo(1);
    }

    @Test
    void conflicts_are_told_from_the_innocent_by_one_look() {
        Run run = calm();
        List<Write> batch = new ArrayList<>();
        for (int i = 0; i < 310; i++) {
            batch.add(write("p" + i, 1, "w"));
            if (i % 31 == 0) {
                run.table.put(Rows.row("p" + i, 1, "another"));
            }
        }

        run.store(batch);

        for (int i = 0; i < 310; i++) {
            assertThat(outcome(batch.get(i))).isEqualTo(i % 31 == 0 ? Outcome.NOT_WRITTEN : Outcome.STORED);
        }
        assertThat(run.table.statements).as("refused, looked, stored").isEqualTo(3);
    }

    @Test
    void of_two_lives_of_an_entity_in_one_batch_the_first_is_stored_and_the_second_refused() {
        Run run = calm();
        Write old = write("p", 1, "old");
        Write young = write("p", 1, "young");

        run.store(List.of(write("a", 1, "w"), old, young, write("b", 1, "w")));

        assertThat(outcome(old)).isEqualTo(Outcome.STORED);
        assertThat(outcome(young)).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(run.table.rows).hasSize(3);
    }

    @Test
    void rows_of_one_write_are_there_all_or_none() {
        Run run = calm();
        run.table.put(Rows.row("p", 3, "another"));
        Write three = write(Rows.rows("p", 1, 3, "w"), PLENTY);

        run.store(List.of(three, write("q", 1, "w")));

        assertThat(outcome(three)).isEqualTo(Outcome.NOT_WRITTEN);
        assertThat(run.table.rows).hasSize(2);
    }

    @Test
    void what_follows_a_write_that_failed_is_not_written_either_as_it_would_leave_a_hole() {
        Run run = calm();
        Write bad = write("bad", 1, "w");
        Write next = write("bad", 2, "w");
        // Only its id is bad, so that it would fail by itself: it must not even be tried.
        run.store(List.of(bad, write("a", 1, "w"), next));

        assertThat(Outcomes.failure(next.future())).hasMessageContaining("an earlier write");
        assertThat(run.table.rows).hasSize(1);
    }

    @Test
    void the_same_writer_with_another_event_in_the_place_is_no_success() {
        Run run = calm();
        run.table.put(Rows.row("p", 1, "w", "another event"));
        Write write = write("p", 1, "w");

        run.store(List.of(write));

        assertThat(outcome(write)).isEqualTo(Outcome.NOT_WRITTEN);
    }

    @Test
    void a_key_that_somebody_holds_is_put_aside_and_the_others_go_on() {
        Run run = calm();
        List<Write> batch = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            batch.add(write(i == 37 ? "stuck" : "p" + i, 1, "w"));
        }
        Write behindIt = write("stuck", 2, "w");
        batch.add(behindIt);

        run.store(batch);

        assertThat(run.aside).containsExactly(batch.get(37), behindIt);
        assertThat(run.table.rows).hasSize(99);
        batch.removeAll(run.aside);
        assertThat(batch).allSatisfy(write -> assertThat(outcome(write)).isEqualTo(Outcome.STORED));
        assertThat(run.aside).noneMatch(Write::hasEnded);
    }

    @Test
    void behind_a_lock_on_the_whole_table_nobody_is_blamed_and_all_end_in_time_as_not_written() {
        Run run = calm();
        run.table.locked = true;
        List<Write> batch = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            batch.add(write(List.of(Rows.row("p" + i, 1, "w")), 5_000));
        }

        run.store(batch);

        assertThat(batch).allSatisfy(write -> assertThat(outcome(write)).isEqualTo(Outcome.NOT_WRITTEN));
        assertThat(run.table.rows).isEmpty();
        assertThat(run.aside).isEmpty();
    }

    @Test
    void whatever_breaks_nobody_is_told_what_is_not_so() {
        for (long seed = 0; seed < RUNS; seed++) {
            try {
                anyBatch(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void anyBatch(long seed) {
        var random = new Random(seed);
        boolean calm = random.nextInt(4) == 0;
        Run run = new Run(random, calm ? 0 : 1 + random.nextInt(60));
        boolean hurried = random.nextInt(3) == 0;
        List<Write> batch = new ArrayList<>();
        Map<String, Long> last = new HashMap<>();
        for (int i = 1 + random.nextInt(60); i > 0; i--) {
            String id = (random.nextInt(20) == 0 ? "bad" : "p") + random.nextInt(50);
            String writer = random.nextInt(15) == 0 ? "old" : "w";
            long from = 1 + last.getOrDefault(id + writer, 0L);
            long to = from + random.nextInt(3);
            last.put(id + writer, to);
            batch.add(write(Rows.rows(id, from, to, writer), hurried ? 1 + random.nextInt(400) : PLENTY));
            if (random.nextInt(20) == 0) {
                run.table.put(Rows.row(id, to, "another"));
            }
        }

        run.store(batch);
        run.table.everythingArrives();

        for (Write write : batch) {
            long there = write.rows().stream()
                    .filter(row -> row.equals(
                            run.table.rows.get(new MemoryTable.Key(row.persistenceId(), row.sequenceNumber()))))
                    .count();
            String id = write.rows().getFirst().persistenceId();
            switch (outcome(write)) {
                case STORED -> assertThat(there).as(id).isEqualTo(write.rows().size());
                case NOT_WRITTEN -> assertThat(there).as(id).isZero();
                case UNKNOWN -> {
                    assertThat(run.table.everLost).contains(id);
                    assertThat(there).isIn(0L, (long) write.rows().size());
                }
            }
            if (calm && !hurried && there == 0) {
                assertThat(write.rows())
                        .as("only who is bad, or late, or behind one who is, is not stored")
                        .anyMatch(row -> id.startsWith("bad") || takenByAnother(run, row));
            }
        }
        noHoles(run, batch);
    }

    private static boolean takenByAnother(Run run, JournalRow row) {
        for (long number = 1; number <= row.sequenceNumber(); number++) {
            JournalRow there = run.table.rows.get(new MemoryTable.Key(row.persistenceId(), number));
            if (there != null && !there.writer().equals(row.writer())) {
                return true;
            }
        }
        return false;
    }

    /** Where a life's row is, its own earlier rows are too. */
    private static void noHoles(Run run, List<Write> batch) {
        for (Write write : batch) {
            for (JournalRow row : write.rows()) {
                var key = new MemoryTable.Key(row.persistenceId(), row.sequenceNumber());
                if (row.equals(run.table.rows.get(key)) && row.sequenceNumber() > 1) {
                    var before = run.table.rows.get(new MemoryTable.Key(row.persistenceId(), row.sequenceNumber() - 1));
                    assertThat(before).as("before %s", key).isNotNull();
                }
            }
        }
    }
}
