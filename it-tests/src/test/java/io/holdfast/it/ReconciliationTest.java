package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.it.Client.Answer;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Damage done by hand in Redis, and what a run says of it, over HTTP. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
class ReconciliationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Site site;
    private Client client;

    @BeforeEach
    void open(TestInfo test) {
        site = Site.open(
                "recon" + Integer.toHexString(test.getDisplayName().hashCode()),
                Map.of("HOLDFAST_RECONCILIATION_EVERY", "0s", "HOLDFAST_RECONCILIATION_MARGIN", "0s"));
        site.startNode();
        client = site.client();
        client.createPool("dish", 100);
        client.hold("dish", "held", 3);
        client.hold("dish", "sold", 5);
        client.confirm("dish", "sold");
        client.hold("dish", "gone", 2);
        client.cancel("dish", "gone");
        client.hold("dish", "part", 4);
        client.confirm("dish", "part");
        client.refund("dish", "part", "r1", 1);
    }

    @AfterEach
    void close() {
        site.close();
    }

    private static String stock() {
        return stock("dish");
    }

    private static String stock(String dish) {
        return "hf:{" + Client.pool(dish) + "}:stock";
    }

    private static String fence(String item) {
        return "hf:{" + Client.pool("dish") + "}:r:" + Client.idOf("dish", item);
    }

    /** Until what has moved so far is judged: a run leaves what moved a moment ago to the next one. */
    private void awaitWatermark() {
        Instant moved = Instant.now();
        await().atMost(PATIENCE).until(() -> {
            String watermark = compare().path("watermark").asText();
            return !watermark.isEmpty() && Instant.parse(watermark).isAfter(moved);
        });
    }

    private void damage(Consumer<RedisCommands<String, String>> hand) {
        awaitWatermark();
        Site.<Boolean>askRedis(site.redis.uri(), redis -> {
            hand.accept(redis);
            return true;
        });
    }

    private JsonNode run(Map<String, ?> wish) {
        Answer asked = client.post("/v1/reconciliations", wish, Map.of());
        assertThat(asked.status()).as("%s", asked.body()).isEqualTo(202);
        return ended(asked.text("/run"));
    }

    private JsonNode ended(String run) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                client.get("/v1/reconciliations/" + run).text("/status"))
                        .isEqualTo("COMPLETED"));
        return client.get("/v1/reconciliations/" + run).body();
    }

    private JsonNode repair() {
        return run(Map.of("pool", Client.pool("dish"), "full", true, "mode", "repair"));
    }

    /** State of each finding, by type. */
    private static List<String> states(JsonNode run) {
        return StreamSupport.stream(run.path("findings").spliterator(), false)
                .map(one -> one.path("type").asText() + " " + one.path("state").asText())
                .toList();
    }

    private long journaled(String type) throws SQLException {
        try (var database = site.database();
                var query = database.prepareStatement(
                        "select count(*) from journal_readable where machine = 'stock-pool' and type = ?")) {
            query.setString(1, type);
            var rows = query.executeQuery();
            rows.next();
            return rows.getLong(1);
        }
    }

    private JsonNode compare() {
        return run(Map.of("pool", Client.pool("dish"), "full", true));
    }

    /** Type, class and item of each finding. */
    private static List<String> found(JsonNode run) {
        return StreamSupport.stream(run.path("findings").spliterator(), false)
                .map(one -> one.path("type").asText() + " " + one.path("class").asText() + " "
                        + one.path("reservation_id").asText("pool"))
                .toList();
    }

    private static String of(String finding, String item) {
        return finding + " " + Client.idOf("dish", item);
    }

    @Test
    void where_nothing_differs_nothing_is_found_and_a_second_run_sees_that_nothing_moved() {
        JsonNode first = compare();
        assertThat(found(first)).isEmpty();
        assertThat(first.at("/counts/compared").asLong()).isEqualTo(4);
        assertThat(first.at("/counts/pools").asLong()).isEqualTo(1);
        JsonNode second = run(Map.of("all", true));
        assertThat(found(second)).isEmpty();
        assertThat(second.at("/counts/unchanged").asLong()).isEqualTo(1);
        assertThat(second.at("/counts/compared").asLong()).isZero();
    }

    @Test
    void each_damaged_fence_is_named_with_what_may_be_done_about_it() {
        client.hold("dish", "later", 1);
        damage(redis -> {
            redis.del(fence("held"));
            redis.hset(fence("sold"), "phase", "RESERVED");
            redis.hset(fence("sold"), "confirmed", "0");
            redis.hset(fence("gone"), "phase", "CONFIRMED");
            redis.hset(fence("part"), "refunded", "0");
            redis.hset(fence("later"), "phase", "CANCELED");
        });
        assertThat(found(compare()))
                .containsExactlyInAnyOrder(
                        of("FENCE_MISSING REPAIR", "held"),
                        of("FENCE_BEHIND REPAIR", "sold"),
                        of("FENCE_AHEAD MANUAL", "gone"),
                        of("FENCE_BEHIND REPAIR", "part"),
                        of("FENCE_AHEAD MANUAL", "later"));
    }

    @Test
    void a_fence_that_is_written_over_with_rubbish_is_named_and_disturbs_nobody_else() {
        damage(redis -> {
            redis.hset(fence("held"), "phase", "rubbish");
            redis.hset(fence("sold"), "quantity", "7");
        });
        assertThat(found(compare()))
                .containsExactlyInAnyOrder(of("FENCE_UNREADABLE MANUAL", "held"), of("FENCE_DIFFERS REPAIR", "sold"));
    }

    @Test
    void numbers_that_were_changed_are_named_with_what_they_must_be() {
        damage(redis -> {
            redis.hincrby(stock(), "available", 10);
            redis.hincrby(stock(), "reserved", -10);
            redis.hincrby(stock(), "reserved", 10 - 3);
            redis.hincrby(stock(), "available", 3 - 10);
        });
        JsonNode run = compare();
        assertThat(found(run)).containsExactly("NUMBERS_DIFFER REPAIR pool");
        assertThat(run.at("/findings/0/journal").asText())
                .isEqualTo("total 100, deficit 0, available 89, reserved 3, sold 8");
        assertThat(run.at("/findings/0/redis").asText())
                .isEqualTo("total 100, deficit 0, available 92, reserved 0, sold 8");
    }

    @Test
    void numbers_that_do_not_even_add_up_are_named() {
        damage(redis -> redis.hincrby(stock(), "available", 1));
        assertThat(found(compare())).containsExactly("NUMBERS_DIFFER REPAIR pool");
    }

    @Test
    void how_consistent_the_pools_are_and_by_how_much_they_are_not_is_measured() throws Exception {
        client.createPool("well", 5);
        client.createPool("unoffered", 5);
        client.createPool("promised", 5);
        client.hold("promised", "many", 4);
        client.adjust("promised", 1, "fewer");
        damage(redis -> {
            redis.hincrby(stock(), "available", 2);
            redis.hincrby(stock(), "reserved", -2);
            redis.hincrby(stock("unoffered"), "available", -1);
            redis.hset(stock("promised"), "deficit", "0");
        });
        run(Map.of("all", true, "full", true));
        measured("consistent_ratio", 0.25);
        measured("oversellable_units", 2);
        measured("undersold_units", 1);
        measured("oversold_units", 3);
        measured("open_findings", 3);
        run(Map.of("all", true, "full", true, "mode", "repair"));
        measured("consistent_ratio", 1);
        measured("oversellable_units", 0);
        measured("undersold_units", 0);
        measured("oversold_units", 0);
        measured("open_findings", 0);
        assertThat(Metrics.sum(site.address(0), "holdfast_reconciliation_repair_time_seconds_count"))
                .isEqualTo(3);
    }

    private void measured(String name, double value) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Metrics.sum(site.address(0), "holdfast_reconciliation_" + name))
                        .isEqualTo(value));
    }

    @Test
    void a_fence_of_nobody_explains_the_numbers_and_is_left_to_a_person() {
        String stranger = "hf:{" + Client.pool("dish") + "}:r:00000000000000000000000000000bad";
        damage(redis -> {
            redis.hset(
                    stranger,
                    Map.of("phase", "RESERVED", "quantity", "2", "confirmed", "0", "released", "0", "refunded", "0"));
            redis.hset(stranger, "epoch", "1");
            redis.hincrby(stock(), "available", -2);
            redis.hincrby(stock(), "reserved", 2);
        });
        assertThat(found(compare())).containsExactly("FENCE_UNKNOWN MANUAL 00000000000000000000000000000bad");
    }

    @Test
    void a_pool_that_redis_has_not_is_named() {
        damage(redis -> redis.del(stock()));
        assertThat(found(compare())).containsExactly("POOL_LOST REPAIR pool");
    }

    @Test
    void what_has_one_sided_evidence_is_put_right_under_the_pools_own_journal_and_life_goes_on() throws Exception {
        client.hold("dish", "later", 1);
        damage(redis -> {
            redis.del(fence("held"));
            redis.hset(fence("sold"), Map.of("phase", "RESERVED", "confirmed", "0"));
            redis.hset(fence("gone"), "phase", "RESERVED");
            redis.hset(fence("part"), "refunded", "0");
            redis.hset(fence("later"), "phase", "CANCELED");
        });
        JsonNode run = repair();
        assertThat(states(run))
                .containsExactlyInAnyOrder(
                        "FENCE_MISSING REPAIRED",
                        "FENCE_BEHIND REPAIRED",
                        "FENCE_LEFT_OVER REPAIRED",
                        "FENCE_BEHIND REPAIRED",
                        "FENCE_AHEAD OPEN");
        assertThat(run.at("/counts/repaired").asLong()).isEqualTo(4);
        assertThat(journaled("StockRepaired")).isEqualTo(4);
        assertThat(found(compare())).containsExactly(of("FENCE_AHEAD MANUAL", "later"));
        assertThat(client.confirm("dish", "held").text("/status")).isEqualTo("CONFIRMED");
        assertThat(client.refund("dish", "sold", "r1", 5).text("/status")).isEqualTo("REFUNDED");
        assertThat(client.refund("dish", "part", "r2", 3).text("/status")).isEqualTo("REFUNDED");
        assertThat(client.lookAtPool("dish").text("/status")).isEqualTo("OPEN");
        assertThat(client.lookAtPool("dish").number("/redis/books/sold")).isEqualTo(3);
    }

    @Test
    void a_hold_that_redis_lost_with_its_numbers_is_put_back_with_them() throws Exception {
        damage(redis -> {
            redis.del(fence("held"));
            redis.hincrby(stock(), "reserved", -3);
            redis.hincrby(stock(), "available", 3);
        });
        assertThat(states(repair())).containsExactlyInAnyOrder("FENCE_MISSING REPAIRED", "NUMBERS_DIFFER REPAIRED");
        assertThat(found(compare())).isEmpty();
        assertThat(client.cancel("dish", "held").text("/status")).isEqualTo("CANCELED");
        assertThat(client.lookAtPool("dish").number("/redis/books/available")).isEqualTo(92);
    }

    @Test
    void numbers_are_not_touched_while_a_person_has_to_decide_about_a_fence() throws Exception {
        damage(redis -> {
            redis.hset(fence("held"), "phase", "CANCELED");
            redis.hincrby(stock(), "reserved", -3);
            redis.hincrby(stock(), "available", 3);
        });
        assertThat(states(repair())).containsExactlyInAnyOrder("FENCE_AHEAD OPEN", "NUMBERS_DIFFER OPEN");
        assertThat(journaled("StockRepaired")).isZero();
    }

    @Test
    void two_runs_that_see_the_same_damage_repair_it_once() throws Exception {
        damage(redis -> redis.del(fence("held")));
        Map<String, ?> wish = Map.of("pool", Client.pool("dish"), "full", true, "mode", "repair");
        String first = client.post("/v1/reconciliations", wish, Map.of()).text("/run");
        String second = client.post("/v1/reconciliations", wish, Map.of()).text("/run");
        assertThat(states(ended(first))).containsExactly("FENCE_MISSING REPAIRED");
        assertThat(states(ended(second))).isEmpty();
        assertThat(journaled("StockRepaired")).isEqualTo(1);
    }

    @Test
    void numbers_that_do_not_add_up_are_put_right() throws Exception {
        damage(redis -> redis.hincrby(stock(), "available", 1));
        assertThat(states(repair())).containsExactly("NUMBERS_DIFFER REPAIRED");
        assertThat(client.hold("dish", "next", 1).text("/status")).isEqualTo("RESERVED");
        assertThat(journaled("SuspicionRaised")).isZero();
    }

    @Test
    void a_pool_that_redis_has_not_is_loaded_anew_by_itself() throws Exception {
        damage(redis -> redis.del(stock()));
        assertThat(states(repair())).containsExactly("POOL_LOST REPAIRED");
        assertThat(found(compare())).isEmpty();
        assertThat(journaled("PoolRebuilt")).isEqualTo(1);
    }

    @Test
    void damage_in_the_middle_of_traffic_is_put_right_and_the_pool_goes_on() throws Exception {
        var going = new AtomicBoolean(true);
        List<CompletableFuture<Void>> buyers = new ArrayList<>();
        client.adjust("dish", 1_000_000, "more");
        for (int buyer = 0; buyer < 8; buyer++) {
            int number = buyer;
            buyers.add(CompletableFuture.runAsync(() -> {
                Client mine = site.client();
                for (int i = 0; going.get(); i++) {
                    mine.hold("dish", "b" + number + "-" + i, 1);
                }
            }));
        }
        try {
            damage(redis -> redis.del(fence("held")));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(states(repair())).contains("FENCE_MISSING REPAIRED"));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.lookAtPool("dish").text("/status"))
                            .isEqualTo("OPEN"));
            assertThat(client.hold("dish", "after", 1).text("/status")).isEqualTo("RESERVED");
        } finally {
            going.set(false);
            buyers.forEach(CompletableFuture::join);
        }
        assertThat(found(compare())).isEmpty();
        assertThat(client.confirm("dish", "held").text("/status")).isEqualTo("CONFIRMED");
    }

    @Test
    void a_pool_with_much_traffic_and_no_damage_shows_no_finding() {
        client.createPool("busy", 100_000);
        var going = new AtomicBoolean(true);
        List<CompletableFuture<Void>> buyers = new ArrayList<>();
        for (int buyer = 0; buyer < 8; buyer++) {
            int number = buyer;
            buyers.add(CompletableFuture.runAsync(() -> {
                Client mine = site.client();
                for (int i = 0; going.get(); i++) {
                    String item = "b" + number + "-" + i;
                    mine.hold("busy", item, 2);
                    switch (i % 4) {
                        case 0 -> mine.confirm("busy", item);
                        case 1 -> mine.cancel("busy", item);
                        case 2 -> {
                            mine.confirm("busy", item, 1);
                            mine.refund("busy", item, "r", 1);
                        }
                        default -> {}
                    }
                }
            }));
        }
        try {
            for (int i = 0; i < 5; i++) {
                JsonNode run = run(Map.of("all", true, "full", i % 2 == 0));
                assertThat(found(run)).isEmpty();
                assertThat(run.at("/counts/skipped").asLong()).isZero();
            }
        } finally {
            going.set(false);
            buyers.forEach(CompletableFuture::join);
        }
        JsonNode quiet = run(Map.of("prefix", "m1:busy"));
        assertThat(found(quiet)).isEmpty();
        assertThat(quiet.at("/counts/pools").asLong()).isEqualTo(1);
    }

    @Test
    void a_run_whose_node_was_killed_is_taken_up_by_the_next_one_and_comes_to_its_end() throws Exception {
        for (int i = 0; i < 20; i++) {
            client.hold("dish", "many" + i, 1);
        }
        damage(redis -> redis.del(fence("held")));
        String slow = "reconciliation { every = 0s, margin = 0s, reservations-per-second = 1 }";
        site.closeNodes();
        var first = site.startProcess(slow);
        Client mine = new Client(first.address());
        String run = mine.post("/v1/reconciliations", Map.of("all", true, "full", true), Map.of())
                .text("/run");
        // The first page is compared; at this rate the next round is many seconds away.
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(mine.get("/v1/reconciliations/" + run).text("/findings/0/type"))
                                .isEqualTo("FENCE_MISSING"));
        first.kill();
        site.startNode();
        client = site.client();
        JsonNode ended = ended(run);
        assertThat(ended.path("taken_up").asInt()).isEqualTo(2);
        assertThat(found(ended)).containsExactly(of("FENCE_MISSING REPAIR", "held"));
        assertThat(ended.at("/counts/pools").asLong()).isEqualTo(1);
    }

    @Test
    void a_change_that_was_taken_out_of_the_ledger_is_named_and_left_to_a_person() throws Exception {
        awaitWatermark();
        try (var database = site.database();
                var delete = database.prepareStatement(
                        "delete from stock_ledger where pool = ? and reservation_id = ? and action = 'TRY'")) {
            delete.setString(1, Client.pool("dish"));
            delete.setString(2, Client.idOf("dish", "held"));
            assertThat(delete.executeUpdate()).isEqualTo(1);
        }
        JsonNode run = repair();
        assertThat(states(run)).containsExactly("LEDGER_INCOMPLETE OPEN");
        assertThat(found(run)).containsExactly("LEDGER_INCOMPLETE MANUAL pool");
        assertThat(run.at("/findings/0/journal").asText()).contains("1 missing");
    }

    @Test
    void a_key_names_one_run_and_a_wish_must_be_clear() {
        Map<String, ?> wish = Map.of("pool", Client.pool("dish"));
        Answer first = client.post("/v1/reconciliations", wish, Map.of("Idempotency-Key", "k1"));
        Answer again = client.post("/v1/reconciliations", wish, Map.of("Idempotency-Key", "k1"));
        assertThat(again.text("/run")).isEqualTo(first.text("/run"));
        assertThat(client.post("/v1/reconciliations", Map.of("all", true), Map.of("Idempotency-Key", "k1"))
                        .code())
                .isEqualTo("KEY_REUSED");
        assertThat(client.post("/v1/reconciliations", Map.of(), Map.of()).code())
                .isEqualTo("INVALID_REQUEST");
        assertThat(client.get("/v1/reconciliations/none").code()).isEqualTo("NO_SUCH_RUN");
        ended(first.text("/run"));
        assertThat(client.get("/v1/reconciliations").text("/runs/0/run")).isEqualTo(first.text("/run"));
    }
}
