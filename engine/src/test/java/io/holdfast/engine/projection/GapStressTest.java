package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many writers whose transactions stall, roll back in part or whole, and commit in another order than their rows are numbered, while two
 * nodes read, one of them is cut off, and another comes. A reader that went by the numbers would miss rows.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class GapStressTest {

    private static final int WRITERS = 6;
    private static final int TRANSACTIONS = 60;

    private final Witness witness = new Witness();
    private final Mailbox mailbox = new Mailbox();
    private RunningNodes nodes;

    @BeforeEach
    void begin() throws SQLException {
        nodes = new RunningNodes(JournalDatabase.on(SharedStack.postgres()));
        nodes.database.execute(Witness.TABLE);
    }

    @AfterEach
    void end() {
        nodes.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void no_row_is_missed_or_repeated(int numbersCachedByEachWriter) throws Exception {
        nodes.database.execute("alter sequence event_journal_ordering_seq cache " + numbersCachedByEachWriter);
        for (int node = 0; node < 2; node++) {
            nodes.start(witness, 50);
            nodes.start(mailbox, 50);
        }
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int writer = w;
            writers.add(CompletableFuture.runAsync(
                    () -> write(writer), task -> Thread.ofPlatform().start(task)));
        }
        await().until(() -> !Witness.seen(nodes.database).isEmpty());
        nodes.cutSessions("witness");
        nodes.start(witness, 50);
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();

        long rows = Long.parseLong(nodes.database.one("select count(*) from event_journal"));
        assertThat(rows).isGreaterThan(WRITERS * TRANSACTIONS);
        nodes.awaitSeen(rows);
        nodes.assertEachOnceInOrder();
        await().untilAsserted(() -> assertThat(mailbox.distinct()).hasSize((int) rows));
        assertThat(nodes.database.one(
                        "select count(*) from (select ordering < max(ordering) over (order by at rows between"
                                + " unbounded preceding and 1 preceding) as behind from seen) x where behind"))
                .as("rows that a reader by number could have missed")
                .isNotEqualTo("0");
    }

    private void write(int writer) {
        Random random = new Random(writer);
        try (Connection c = nodes.database.connect()) {
            c.setAutoCommit(false);
            for (int t = 0; t < TRANSACTIONS; t++) {
                boolean stalls = random.nextInt(100) < 8;
                int rows = 1 + random.nextInt(8);
                Savepoint savepoint = null;
                for (int n = 1; n <= rows; n++) {
                    if (random.nextInt(12) == 0) {
                        savepoint = c.setSavepoint();
                    }
                    JournalDatabase.append(c, "m|" + writer + "-" + t, n, "{}");
                    if (savepoint != null) {
                        c.rollback(savepoint); // and the row is written after all, with another number
                        JournalDatabase.append(c, "m|" + writer + "-" + t, n, "{}");
                        savepoint = null;
                    }
                    if (stalls && n == 1) {
                        stall(c, random.nextInt(300));
                    }
                }
                if (random.nextInt(20) == 0) {
                    c.rollback();
                } else {
                    c.commit();
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In the middle of a transaction, as a server or a network does it. */
    private static void stall(Connection c, int millis) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute("select pg_sleep(" + millis + " / 1000.0)");
        }
    }
}
