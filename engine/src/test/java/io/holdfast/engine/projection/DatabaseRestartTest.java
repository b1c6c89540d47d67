package io.holdfast.engine.projection;

import static io.holdfast.engine.projection.JournalDatabase.quick;
import static io.holdfast.engine.projection.JournalDatabase.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.fleet.Bell;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.localstack.SharedStack;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** On a PostgreSQL of its own, which is stopped, killed and started under a running projection. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DatabaseRestartTest {

    @Test
    void a_projection_goes_on_where_it_was_when_postgresql_is_back() throws SQLException {
        try (PostgresServer server = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("restarted")));
                JournalDatabase database = JournalDatabase.on(server)) {
            database.execute(Witness.TABLE);
            Witness witness = new Witness();
            try (ProjectionRunner runner = new ProjectionRunner(
                    witness,
                    database.sessions(),
                    new JournalFeed(new Bell()),
                    quick(),
                    settings(10),
                    ProjectionListener.NONE)) {
                runner.start();
                ProgressWatch progress = new ProgressWatch("witness", database.pool(), Duration.ofMillis(5));
                append(database, 1, 30);
                awaitSeen(database, 30);

                server.stop();
                await().until(() -> !runner.running() && runner.trouble().isPresent());
                CompletionStage<Passage> waiting = progress.awaitPassed(new JournalPosition(1), Duration.ofMinutes(1));
                server.start();
                append(database, 31, 60);
                awaitSeen(database, 60);
                assertThat(waiting.toCompletableFuture().join()).isInstanceOf(Passage.Passed.class);

                append(database, 61, 90);
                server.stopImmediately(); // wherever the projection is by now
                server.start();
                append(database, 91, 100);
                awaitSeen(database, 100);
                assertThat(database.one("select count(distinct sequence_number) from seen"))
                        .isEqualTo("100");
                append(database, 101, 130);
                awaitSeen(database, 130); // which need not be on disk
                server.stopImmediately();
                server.start();
                append(database, 131, 131);
                awaitSeen(database, 131);
                assertThat(database.one("select count(distinct sequence_number) from seen"))
                        .isEqualTo("131");
                await().until(() -> runner.trouble().isEmpty());
            }
        }
    }

    private static void append(JournalDatabase database, int from, int to) throws SQLException {
        for (int n = from; n <= to; n++) {
            database.append("m|1", n, "{}");
        }
    }

    private static void awaitSeen(JournalDatabase database, int events) {
        await().ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(database.one("select count(*) from seen")).isEqualTo(Integer.toString(events)));
    }
}
