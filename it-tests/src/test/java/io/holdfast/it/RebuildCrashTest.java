package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.fault.FaultProxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node killed with SIGKILL between two steps of the rebuild of a pool, and started again. Then, though nobody asks: the rebuild is carried
 * out, under the epoch that was journaled for it, and the pool has what the journals say.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RebuildCrashTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Site site;
    private static NodeProcess node;

    /** Where the rebuild stands when the node dies. */
    enum Moment {
        THE_EPOCH_IS_NOT_RAISED_IN_REDIS,
        THE_EPOCH_IS_RAISED_AND_NOBODY_HEARD,
        NO_FENCE_IS_LOADED,
        FENCES_ARE_LOADED_AND_NOBODY_HEARD,
        THE_POOL_IS_NOT_OPENED,
        THE_POOL_IS_OPENED_AND_NOBODY_HEARD;

        /** Only scripts of a rebuild name it, only its chunks name a reservation, and only the last of them the status to come. */
        private String text(String reservation) {
            return switch (this) {
                case THE_EPOCH_IS_NOT_RAISED_IN_REDIS, THE_EPOCH_IS_RAISED_AND_NOBODY_HEARD -> "REBUILD:";
                case NO_FENCE_IS_LOADED, FENCES_ARE_LOADED_AND_NOBODY_HEARD -> reservation;
                case THE_POOL_IS_NOT_OPENED, THE_POOL_IS_OPENED_AND_NOBODY_HEARD -> "\r\nOPEN\r\n";
            };
        }

        private boolean isDoneInRedis() {
            return switch (this) {
                case THE_EPOCH_IS_NOT_RAISED_IN_REDIS, NO_FENCE_IS_LOADED, THE_POOL_IS_NOT_OPENED -> false;
                case THE_EPOCH_IS_RAISED_AND_NOBODY_HEARD,
                        FENCES_ARE_LOADED_AND_NOBODY_HEARD,
                        THE_POOL_IS_OPENED_AND_NOBODY_HEARD -> true;
            };
        }

        /** Stops the line there. Gives what is so once the rebuild has come to it. */
        Callable<Boolean> stop(FaultProxy line, String pool, String reservation) {
            if (!isDoneInRedis()) {
                return line.holdRequest(text(reservation))::hasSprung;
            }
            line.muteAfter(text(reservation));
            String stock = "hf:{" + pool + "}:stock";
            String fence = "hf:{" + pool + "}:r:" + reservation;
            return () -> Site.askRedis(site.redis.uri(), redis -> switch (this) {
                case THE_EPOCH_IS_RAISED_AND_NOBODY_HEARD -> "REBUILDING".equals(redis.hget(stock, "status"));
                case FENCES_ARE_LOADED_AND_NOBODY_HEARD -> "2".equals(redis.hget(fence, "epoch"));
                case THE_POOL_IS_OPENED_AND_NOBODY_HEARD ->
                    "2".equals(redis.hget(stock, "epoch")) && "OPEN".equals(redis.hget(stock, "status"));
                case THE_EPOCH_IS_NOT_RAISED_IN_REDIS, NO_FENCE_IS_LOADED, THE_POOL_IS_NOT_OPENED ->
                    throw new IllegalStateException("Redis has nothing to show of " + this);
            });
        }
    }

    @BeforeAll
    static void open() throws Exception {
        site = Site.open("rebuild_crash", Map.of());
        node = site.startProcess("""
            redis { command-timeout = 500ms, connect-timeout = 500ms }
              reservation { attempt-timeout = 600ms, reopen-over = 0s }
              reconciliation.every = 0s
              sweeper { grace = 1s, interval = 1s }\
            """);
    }

    @AfterAll
    static void close() {
        node.close();
        site.close();
    }

    static Stream<Arguments> the_rebuild_is_carried_out_under_its_epoch_and_nothing_is_lost_or_there_twice() {
        return Crash.rounds()
                .boxed()
                .flatMap(round -> Stream.of(Moment.values()).map(moment -> Arguments.of(moment, round)));
    }

    @ParameterizedTest
    @MethodSource
    void the_rebuild_is_carried_out_under_its_epoch_and_nothing_is_lost_or_there_twice(Moment moment, int round)
            throws Exception {
        String dish = "d" + moment.ordinal() + "-" + round;
        Client client = new Client(node.address());
        assertThat(client.createPool(dish, 10).status()).isEqualTo(201);
        client.hold(dish, "held", 3);
        client.hold(dish, "sold", 2);
        client.confirm(dish, "sold");
        client.hold(dish, "gone", 4);
        client.cancel(dish, "gone");
        awaitStatus(client, dish, "held", "RESERVED");
        awaitStatus(client, dish, "sold", "CONFIRMED");
        awaitStatus(client, dish, "gone", "CANCELED");

        Callable<Boolean> reached = moment.stop(site.toRedis, Client.pool(dish), Client.idOf(dish, "held"));
        CompletableFuture<Answer> asked = client.postAsync(
                "/v1/pools/" + Client.pool(dish) + "/rebuild",
                Map.of(),
                Map.of("Idempotency-Key", "rebuild-" + dish, "Prefer", "wait=30"));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(reached);
        node.kill();
        assertThat(asked.join().status()).as("nobody was answered").isZero();
        site.toRedis.cut();
        site.toRedis.heal();
        node.restart();

        Client again = new Client(node.address());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(journal(dish)).endsWith("RebuildStarted", "PoolRebuilt"));
        assertThat(journal(dish)).containsOnlyOnce("RebuildStarted").containsOnlyOnce("PoolRebuilt");
        Answer pool = again.lookAtPool(dish);
        assertThat(pool.text("/status")).isEqualTo("OPEN");
        assertThat(List.of(
                        pool.number("/redis/books/epoch"),
                        pool.number("/redis/books/available"),
                        pool.number("/redis/books/reserved"),
                        pool.number("/redis/books/sold")))
                .containsExactly(2L, 5L, 3L, 2L);
        again.hold(dish, "last", 5);
        again.cancel(dish, "held");
        awaitStatus(again, dish, "last", "RESERVED");
        awaitStatus(again, dish, "held", "CANCELED");
        try (var database = site.database()) {
            Journals.of(database, Client.pool(dish)).agreeWith(again.lookAtPool(dish));
        }
    }

    private static void awaitStatus(Client client, String dish, String item, String status) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(client.look(dish, item).text("/status")).isEqualTo(status));
    }

    /** Types of what the pool's journal has, but for stalls, and for attempts to open it, of which there may be several. */
    private static List<String> journal(String dish) throws SQLException {
        try (var database = site.database();
                var question = database.prepareStatement("select type from journal_readable where entity_id = ?"
                        + " and type not in ('EffectStalled', 'OpeningBegun') order by sequence_number")) {
            question.setString(1, Client.pool(dish));
            List<String> types = new ArrayList<>();
            try (var rows = question.executeQuery()) {
                while (rows.next()) {
                    types.add(rows.getString(1));
                }
            }
            return types;
        }
    }
}
