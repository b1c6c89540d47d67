package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.fault.FaultProxy;
import io.holdfast.reservation.domain.ReservationIds;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
 * A node killed with SIGKILL at each point between two steps of two groups, one with enough of everything and one with a short line, and
 * started again. Then, though nobody asks: a group that was begun is held whole, or turned down whole, and every unit moved once.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class GroupCrashTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Site site;
    private static NodeProcess node;
    private static FaultProxy toNode;

    /** Where both groups stand when the node dies. */
    enum Moment {
        NOTHING_IS_JOURNALED,
        ALL_LINES_ARE_JOURNALED_AND_REDIS_WAS_NOT_REACHED,
        REDIS_DECIDED_AND_NOBODY_HEARD,
        REDIS_DECIDED_AND_THE_JOURNAL_DOES_NOT_KNOW,
        ALL_IS_JOURNALED_AND_NOBODY_WAS_ANSWERED
    }

    @BeforeAll
    static void open() throws Exception {
        site = Site.open("group_crash", Map.of());
        node = site.startProcess("""
            redis { command-timeout = 500ms, connect-timeout = 500ms }
              reservation { attempt-timeout = 600ms, shared-tag-merchants = ["%s"] }
              sweeper { grace = 1s, interval = 1s }\
            """.formatted(Client.MERCHANT));
        toNode = FaultProxy.to("127.0.0.1", node.address().getPort());
    }

    @AfterAll
    static void close() {
        toNode.close();
        node.close();
        site.close();
    }

    /** An order of two lines in pools of its own. */
    private record Order(String name, long secondHas) {

        String dish(int line) {
            return name + "-" + line;
        }

        String item(int line) {
            return name + "-i" + line;
        }

        String reservation(int line) {
            return ReservationIds.journalFirst(Client.MERCHANT, dish(line), item(line));
        }

        void prepare(Client client) {
            assertThat(client.createPool(dish(1), 5).status()).isEqualTo(201);
            assertThat(client.createPool(dish(2), secondHas).status()).isEqualTo(201);
        }

        CompletableFuture<Answer> ask(Client client) {
            List<Map<String, Object>> lines = new ArrayList<>();
            for (int line = 1; line <= 2; line++) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("pool", Client.pool(dish(line)));
                fields.put("order_item_id", item(line));
                fields.put("quantity", 2);
                lines.add(fields);
            }
            return client.postAsync(
                    "/v1/orders/" + name + "/reservations",
                    Map.of("lines", lines, "all_or_nothing", true),
                    Map.of("Idempotency-Key", "key-" + name, "Prefer", "wait=20"));
        }

        /** Types of what the journals of both lines have, line by line, but for stalls. */
        List<List<String>> journals() throws SQLException {
            List<List<String>> journals = new ArrayList<>();
            try (var database = site.database();
                    var question = database.prepareStatement("select type from journal_readable where entity_id = ?"
                            + " and type <> 'EffectStalled' order by sequence_number")) {
                for (int line = 1; line <= 2; line++) {
                    question.setString(1, reservation(line));
                    List<String> types = new ArrayList<>();
                    try (var rows = question.executeQuery()) {
                        while (rows.next()) {
                            types.add(rows.getString(1));
                        }
                    }
                    journals.add(types);
                }
            }
            return journals;
        }

        boolean journaled(String type) throws SQLException {
            return journals().stream().allMatch(types -> types.contains(type));
        }

        boolean ran() {
            return Site.askRedis(
                    site.redis.uri(),
                    redis -> redis.keys("hf:*:r:" + reservation(1)).size() == 1);
        }

        String outcome() {
            return secondHas < 2 ? "HoldDenied" : "HoldGranted";
        }

        List<Long> books(int line) {
            Answer pool = new Client(node.address()).lookAtPool(dish(line));
            return List.of(
                    pool.number("/redis/books/available"),
                    pool.number("/redis/books/reserved"),
                    pool.number("/redis/books/version"));
        }
    }

    private static void until(Callable<Boolean> fact) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(fact);
    }

    static Stream<Arguments> moments() {
        return Crash.rounds()
                .boxed()
                .flatMap(round -> Stream.of(Moment.values()).map(moment -> Arguments.of(moment, round)));
    }

    @ParameterizedTest
    @MethodSource("moments")
    void a_group_is_held_whole_or_turned_down_whole_though_nobody_asks(Moment moment, int round) throws Exception {
        String name = "g" + moment.ordinal() + "-" + round;
        var enough = new Order(name + "-enough", 5);
        var tooFew = new Order(name + "-short", 1);
        List<Order> both = List.of(enough, tooFew);
        Client direct = new Client(node.address());
        both.forEach(order -> order.prepare(direct));
        Client client = new Client(URI.create("http://127.0.0.1:" + toNode.port()));

        try (var journal = new HeldJournal(site.database(), site.database())) {
            List<CompletableFuture<Answer>> asked = new ArrayList<>();
            switch (moment) {
                case NOTHING_IS_JOURNALED -> {
                    journal.hold();
                    both.forEach(order -> asked.add(order.ask(client)));
                    until(journal::isWaitedFor);
                }
                case ALL_LINES_ARE_JOURNALED_AND_REDIS_WAS_NOT_REACHED -> {
                    site.toRedis.blackhole();
                    both.forEach(order -> asked.add(order.ask(client)));
                    until(() -> enough.journaled("HoldRequested") && tooFew.journaled("HoldRequested"));
                }
                case REDIS_DECIDED_AND_NOBODY_HEARD -> {
                    site.toRedis.muteAfter("EVALSHA");
                    both.forEach(order -> asked.add(order.ask(client)));
                    until(() -> enough.ran() && tooFew.ran());
                }
                case REDIS_DECIDED_AND_THE_JOURNAL_DOES_NOT_KNOW -> {
                    site.toRedis.muteAfter("EVALSHA");
                    both.forEach(order -> asked.add(order.ask(client)));
                    until(() -> enough.ran() && tooFew.ran());
                    journal.hold();
                    site.toRedis.heal();
                    until(journal::isWaitedFor);
                }
                case ALL_IS_JOURNALED_AND_NOBODY_WAS_ANSWERED -> {
                    toNode.muteAfter(" HTTP/1.1");
                    both.forEach(order -> asked.add(order.ask(client)));
                    until(() -> enough.journaled(enough.outcome()) && tooFew.journaled(tooFew.outcome()));
                }
            }
            node.kill();
            toNode.cut();
            asked.forEach(answer -> assertThat(answer.join().status()).isZero());
        }
        for (FaultProxy way : List.of(site.toRedis, toNode)) {
            // Cut first: what a dead node had sent must not arrive when the line is healed.
            way.cut();
            way.heal();
        }
        node.restart();

        for (Order order : both) {
            List<String> whole = List.of("HoldRequested", order.outcome());
            if (moment != Moment.NOTHING_IS_JOURNALED) {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(order.journals())
                                .as("journaled though nobody asks")
                                .containsExactly(whole, whole));
            }
            Answer answer = order.ask(new Client(node.address())).join();
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(order == enough ? 201 : 207);
            assertThat(answer.text("/result")).isEqualTo(order == enough ? "HELD" : "NONE_HELD");
            assertThat(order.journals()).containsExactly(whole, whole);
        }
        for (int line = 1; line <= 2; line++) {
            assertThat(enough.books(line)).as("moved once").containsExactly(3L, 2L, 2L);
        }
        assertThat(tooFew.books(1)).as("never moved").containsExactly(5L, 0L, 1L);
        assertThat(tooFew.books(2)).as("never moved").containsExactly(1L, 0L, 1L);
    }
}
