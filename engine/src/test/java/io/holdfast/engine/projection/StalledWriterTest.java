package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A writer that stands still in the middle of its transaction holds the readers up, and nothing more. On a PostgreSQL of its own: such a
 * writer is waited for by every reader of the server.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // it waits a minute
class StalledWriterTest {

    private static final int[] STALLS = {1, 15, 60};

    private final Witness witness = new Witness();
    private PostgresServer server;
    private RunningNodes nodes;

    @BeforeEach
    void begin() throws SQLException {
        server = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("stalled")));
        nodes = new RunningNodes(JournalDatabase.on(server));
        nodes.database.execute(Witness.TABLE);
        nodes.start(witness, 20);
    }

    @AfterEach
    void end() {
        nodes.close();
        server.close();
    }

    /** All three begin together, so that the test takes no longer than the longest. */
    @Test
    void what_comes_after_it_waits_for_1_and_15_and_60_seconds_and_then_comes_in_order() throws Exception {
        nodes.database.append("m|before", 1, "{}");
        nodes.awaitSeen(1);
        CompletableFuture<?>[] stalled = new CompletableFuture<?>[STALLS.length];
        for (int i = 0; i < STALLS.length; i++) {
            stalled[i] = stall(STALLS[i]);
        }
        nodes.append(3, 1, 4); // the others write on
        List<String> readable = new ArrayList<>(List.of("m|before#1"));
        for (int i = 0; i < STALLS.length - 1; i++) {
            assertThat(Witness.seen(nodes.database))
                    .as("while older ones are open")
                    .isEqualTo(readable);
            stalled[i].join();
            nodes.append(3, 5 + i, 5 + i);
            readable.add("m|stalled-" + STALLS[i] + "#1"); // older than all that still stand still
            await().untilAsserted(() -> assertThat(Witness.seen(nodes.database)).isEqualTo(readable));
            assertThat(nodes.projections.openWriter())
                    .hasValueSatisfying(age -> assertThat(age).isPositive());
            assertThat(nodes.projections.lag("witness").oldest()).isPresent();
        }
        stalled[STALLS.length - 1].join();
        int rows = 1 + STALLS.length + 3 * (4 + STALLS.length - 1);
        nodes.awaitSeen(rows);
        nodes.assertEachOnceInOrder();
        assertThat(nodes.projections.lag("witness").events()).isZero();
    }

    /** A writer that has written, and commits so many seconds later. Returns once it has written. */
    private CompletableFuture<Void> stall(int seconds) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        CompletableFuture<Void> committed = CompletableFuture.runAsync(
                () -> {
                    try (Connection c = nodes.database.connect();
                            Statement s = c.createStatement()) {
                        c.setAutoCommit(false);
                        JournalDatabase.append(c, "m|stalled-" + seconds, 1, "{}");
                        written.complete(null);
                        s.execute("select pg_sleep(" + seconds + ")");
                        c.commit();
                    } catch (SQLException e) {
                        written.completeExceptionally(e);
                        throw new IllegalStateException(e);
                    }
                },
                task -> Thread.ofPlatform().start(task));
        written.join();
        return committed;
    }

    @Test
    void the_time_out_of_its_transaction_bounds_the_wait() throws SQLException {
        for (String bound : new String[] {"transaction_timeout", "idle_in_transaction_session_timeout"}) {
            long seen = Long.parseLong(nodes.database.one("select count(*) from seen"));
            try (Connection c = nodes.database.connect();
                    Statement s = c.createStatement()) {
                s.execute("set " + bound + " = '300ms'");
                c.setAutoCommit(false);
                JournalDatabase.append(c, "m|" + bound, 1, "{}");
                nodes.database.append("m|behind-" + bound, 1, "{}");
                nodes.awaitSeen(seen + 1); // although nobody ends the transaction
                assertThatThrownBy(c::commit).isInstanceOf(SQLException.class);
            }
            assertThat(Witness.seen(nodes.database))
                    .contains("m|behind-" + bound + "#1")
                    .doesNotContain("m|" + bound + "#1");
        }
    }
}
