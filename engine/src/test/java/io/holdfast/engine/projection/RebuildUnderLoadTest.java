package io.holdfast.engine.projection;

import static io.holdfast.engine.projection.RunningNodes.SOMEBODY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.SharedStack;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A projection is begun anew, more than once, while writers go on. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RebuildUnderLoadTest {

    private final Witness witness = new Witness();
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
    @ValueSource(ints = {1, 3})
    void from_zero_it_comes_level_with_everything_once(int members) throws SQLException {
        for (int i = 0; i < members; i++) {
            nodes.start(witness, 200);
        }
        nodes.append(50, 1, 20);
        nodes.awaitSeen(1000);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            try (Connection c = nodes.database.connect()) {
                for (int n = 1; !stop.get(); n++) {
                    JournalDatabase.append(c, "m|live-" + n % 7, (n - 1) / 7 + 1, "{}");
                    written.set(n);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        for (int time = 1; time <= 3; time++) {
            int before = written.get();
            await().until(() -> written.get() > before + 20);
            assertThat(nodes.orders.rebuild("witness", SOMEBODY)).isInstanceOf(Ordered.Accepted.class);
            nodes.database.awaitObeyed();
        }
        stop.set(true);
        writer.join();
        nodes.awaitSeen(1000 + written.get());
        nodes.assertEachOnceInOrder();
        var progress = new ProgressWatch("witness", nodes.database.pool(), Duration.ofMillis(2));
        JournalPosition now = progress.position().toCompletableFuture().join();
        assertThat(progress.awaitPassed(now, Duration.ofSeconds(20))
                        .toCompletableFuture()
                        .join())
                .isInstanceOfSatisfying(
                        Passage.Passed.class,
                        passed -> assertThat(passed.rebuilds()).isEqualTo(3L * Slices.SHARES));
    }
}
