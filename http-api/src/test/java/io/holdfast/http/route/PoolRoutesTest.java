package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.machine.Cause;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PoolRoutesTest {

    private static final String POOL = "/v1/pools/" + TestNode.POOL;

    private TestNode node;

    @BeforeEach
    void start() {
        node = TestNode.start();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String statusOf(String item) {
        Answer answer = node.post(
                "/v1/reservations",
                "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o1\",\"order_item_id\":\"" + item
                        + "\",\"quantity\":1}");
        return answer.status() == 201 ? "held" : answer.code();
    }

    @Test
    void a_pool_is_created_once_however_often_it_is_put() {
        Answer made = node.put(POOL, "{\"total\":10}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Location")).contains(POOL);
        assertThat(made.text("status")).isEqualTo("OPEN");
        assertThat(made.json().at("/baseline/total").asLong()).isEqualTo(10);
        assertThat(made.json().at("/baseline/version").asLong()).isEqualTo(1);
        assertThat(made.json().at("/journal/books/available").asLong()).isEqualTo(10);
        assertThat(node.forgotten).containsExactly(PoolId.parse(TestNode.POOL));

        Answer again = node.put(POOL, "{\"total\":10}");
        assertThat(again.status()).as("this one made nothing").isEqualTo(200);
        assertThat(again.header("Location")).isEmpty();
        assertThat(again.header("Idempotency-Replayed")).contains("true");
        assertThat(node.put(POOL, "{\"total\":10}", "Idempotency-Key", "k1").status())
                .isEqualTo(200);
        assertThat(node.get(POOL).json().path("sequence_number").asLong()).isEqualTo(2);
    }

    @Test
    void another_total_for_a_pool_that_exists_is_409() {
        node.put(POOL, "{\"total\":10}");
        Answer other = node.put(POOL, "{\"total\":11}");

        assertThat(other.status()).isEqualTo(409);
        assertThat(other.code()).isEqualTo("ALREADY_INITIALIZED");
        assertThat(other.text("pool")).isEqualTo(TestNode.POOL);
        assertThat(other.text("pool_url")).isEqualTo(POOL);
    }

    @Test
    void an_empty_pool_is_a_pool() {
        assertThat(node.put(POOL, "{\"total\":0}").status()).isEqualTo(201);
        assertThat(statusOf("i1")).isEqualTo("SOLD_OUT");
    }

    @Test
    void reading_shows_the_numbers_of_redis_beside_those_of_the_last_operation() {
        node.put(POOL, "{\"total\":10}");
        statusOf("i1");

        var json = node.get(POOL).json();
        assertThat(json.at("/journal/books/available").asLong()).isEqualTo(10);
        assertThat(json.at("/redis/books/available").asLong()).isEqualTo(9);
        assertThat(json.at("/redis/books/reserved").asLong()).isEqualTo(1);
        assertThat(json.at("/redis/status").asText()).isEqualTo("OPEN");
        assertThat(json.at("/redis/trusted").asBoolean()).isTrue();

        node.stock.fallSilent();
        assertThat(node.get(POOL).status()).isEqualTo(200);
        assertThat(node.get(POOL).json().has("redis")).isFalse();
    }

    @Test
    void a_pool_that_was_never_made_is_404_whatever_is_asked_of_it() {
        assertThat(node.get(POOL).code()).isEqualTo("POOL_UNKNOWN");
        assertThat(node.get(POOL).status()).isEqualTo(404);
        assertThat(node.get(POOL).text("pool")).isEqualTo(TestNode.POOL);
        assertThat(node.get(POOL).text("pool_url")).isEqualTo(POOL);
        Answer pause = node.post(POOL + "/pause", "", "Idempotency-Key", "p1");
        assertThat(pause.status()).isEqualTo(404);
        assertThat(pause.code()).isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void the_total_can_be_lowered_below_what_is_held_and_leaves_a_deficit() {
        node.put(POOL, "{\"total\":3}");
        statusOf("i1");
        statusOf("i2");
        Answer lowered = node.post(POOL + "/adjustments", "{\"total\":1,\"expected_version\":1}");

        assertThat(lowered.status()).isEqualTo(200);
        assertThat(lowered.json().at("/journal/books/deficit").asLong()).isEqualTo(1);
        assertThat(lowered.json().at("/journal/books/available").asLong()).isZero();
        assertThat(lowered.json().at("/baseline/version").asLong()).isEqualTo(2);
        Answer retry = node.post(POOL + "/adjustments", "{\"total\":1,\"expected_version\":1}");
        assertThat(retry.status()).isEqualTo(200);
        assertThat(retry.header("Idempotency-Replayed")).contains("true");
        Answer stale = node.post(POOL + "/adjustments", "{\"total\":9,\"expected_version\":1}");
        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.code()).isEqualTo("BASELINE_CHANGED");
    }

    @Test
    void an_adjustment_can_be_based_on_the_tag_that_was_read_and_is_412_once_somebody_was_faster() {
        node.put(POOL, "{\"total\":10}");
        String tag = node.get(POOL).header("ETag").orElseThrow();
        assertThat(tag).isEqualTo("\"1\"");

        Answer first = node.post(POOL + "/adjustments", "{\"total\":12}", "If-Match", tag);
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("ETag")).contains("\"2\"");
        Answer retry = node.post(POOL + "/adjustments", "{\"total\":12}", "If-Match", tag);
        assertThat(retry.status()).isEqualTo(200);
        assertThat(retry.header("Idempotency-Replayed")).contains("true");

        Answer late = node.post(POOL + "/adjustments", "{\"total\":14}", "If-Match", tag);
        assertThat(late.status()).isEqualTo(412);
        assertThat(late.code()).isEqualTo("PRECONDITION_FAILED");
        assertThat(late.json().path("version_now").asLong()).isEqualTo(2);
        assertThat(node.get(POOL).json().at("/baseline/total").asLong()).isEqualTo(12);

        Answer body = node.post(POOL + "/adjustments", "{\"total\":14,\"expected_version\":1}");
        assertThat(body.code()).as("who names no If-Match").isEqualTo("BASELINE_CHANGED");
        assertThat(body.status()).isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "*, 200, ",
                "\"1\", 200, ",
                "W/\"1\", 412, ",
                "\"\", 412, ",
                "\"01\", 412, ",
                "\"abc\", 412, ",
                "\"9007199254740992\", 412, ",
                "1, 400, header /If-Match bad_syntax",
                "`\"1\", \"2\"`, 400, header /If-Match bad_syntax",
                "\"1, 400, header /If-Match bad_syntax"
            })
    void what_a_tag_may_be(String tag, int status, String fault) {
        node.put(POOL, "{\"total\":10}");
        Answer answer = node.post(POOL + "/adjustments", "{\"total\":12}", "If-Match", tag, "Idempotency-Key", "k");
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.faults()).isEqualTo(fault == null ? List.of() : List.of(fault));
        if (status == 412) {
            assertThat(node.post(POOL + "/adjustments", "{\"total\":13}", "Idempotency-Key", "k")
                            .status())
                    .as("the key is still free")
                    .isEqualTo(200);
        }
    }

    @Test
    void a_tag_where_it_means_nothing_or_something_else_than_the_body_is_refused() {
        node.put(POOL, "{\"total\":10}");
        assertThat(node.post(POOL + "/pause", "", "If-Match", "\"1\"", "Idempotency-Key", "p")
                        .faults())
                .containsExactly("header /If-Match unknown");
        assertThat(node.post(POOL + "/adjustments", "{\"total\":12,\"expected_version\":2}", "If-Match", "\"1\"")
                        .faults())
                .containsExactly("header /If-Match conflicting");
        assertThat(node.post(
                                "/v1/pools/m1:rice/adjustments",
                                "{\"total\":12}",
                                "If-Match",
                                "\"x\"",
                                "Idempotency-Key",
                                "k")
                        .code())
                .isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void the_same_adjustment_may_be_wanted_again_under_a_new_key() {
        node.put(POOL, "{\"total\":3}");
        node.post(POOL + "/adjustments", "{\"total\":5}", "Idempotency-Key", "a1");
        node.post(POOL + "/adjustments", "{\"total\":4}", "Idempotency-Key", "a2");
        node.post(POOL + "/adjustments", "{\"total\":5}", "Idempotency-Key", "a1");
        assertThat(node.get(POOL).json().at("/baseline/total").asLong()).isEqualTo(4);
        node.post(POOL + "/adjustments", "{\"total\":5}", "Idempotency-Key", "a3");
        assertThat(node.get(POOL).json().at("/baseline/total").asLong()).isEqualTo(5);
        assertThat(node.post(POOL + "/adjustments", "{\"total\":6}", "Idempotency-Key", "a1")
                        .code())
                .isEqualTo("KEY_REUSED");
    }

    @Test
    void a_paused_pool_takes_no_hold_until_it_is_resumed_and_a_closed_one_never() {
        node.put(POOL, "{\"total\":10}");
        Answer paused = node.post(POOL + "/pause", "{}", "Idempotency-Key", "p1");
        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.text("status")).isEqualTo("PAUSED");
        assertThat(statusOf("i1")).isEqualTo("POOL_PAUSED");

        assertThat(node.post(POOL + "/resume", "", "Idempotency-Key", "r1").text("status"))
                .isEqualTo("OPEN");
        assertThat(statusOf("i2")).isEqualTo("held");

        assertThat(node.post(POOL + "/close", "").text("status")).isEqualTo("CLOSED");
        assertThat(statusOf("i3")).isEqualTo("POOL_CLOSED");
        assertThat(node.post(POOL + "/resume", "", "Idempotency-Key", "r2").code())
                .isEqualTo("POOL_CLOSED");
    }

    @Test
    void an_operation_that_redis_has_not_answered_is_202_and_shown_as_waiting() {
        node.put(POOL, "{\"total\":10}");
        node.stock.fallSilent();
        Answer answer = node.post(POOL + "/adjustments", "{\"total\":12}", "Idempotency-Key", "a1", "Prefer", "wait=0");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.header("Location")).contains(POOL);
        assertThat(answer.header("Retry-After")).contains("1");
        assertThat(answer.json().at("/waiting/0/operation").asText()).isEqualTo("ADJUST");
        assertThat(answer.json().at("/waiting/0/operation_id").asText()).isEqualTo("a1");
        assertThat(answer.json().at("/waiting/0/total").asLong()).isEqualTo(12);
        assertThat(answer.json().at("/working/0/effect").asText()).isEqualTo("pool-adjust");
    }

    @Test
    void a_key_that_redis_would_not_take_as_an_id_goes_there_as_its_hash() {
        node.put(POOL, "{\"total\":10}");
        for (String key : List.of("a/b|c:{d}", "k".repeat(200))) {
            node.post(POOL + "/pause", "", "Idempotency-Key", key);
        }
        node.stock.fallSilent();
        Answer answer = node.post(POOL + "/pause", "", "Idempotency-Key", "a=b", "Prefer", "wait=0");
        assertThat(answer.json().at("/waiting/0/operation_id").asText()).matches("key-[0-9a-f]{32}");
        assertThat(node.pools.journal(TestNode.POOL).getLast().meta().cause().id())
                .isEqualTo("a=b");
        assertThat(OperationId.of("plain.key_1-2")).isEqualTo("plain.key_1-2");
        assertThat(OperationId.of("a=b")).isNotEqualTo(OperationId.of("a=c"));
    }

    @Test
    void a_comparison_can_be_asked_for_only_of_a_suspect_pool_and_under_a_key() {
        node.put(POOL, "{\"total\":10}");
        assertThat(node.post(POOL + "/verify", "").status()).isEqualTo(400);
        Answer trusted = node.post(POOL + "/verify", "", "Idempotency-Key", "v1");
        assertThat(trusted.status()).isEqualTo(409);
        assertThat(trusted.code()).isEqualTo("NOT_SUSPECT");

        node.stock.fallSilent();
        node.pools
                .ask(
                        TestNode.POOL,
                        new Cause("s1", "", Cause.Kind.REQUEST, "test", Optional.empty()),
                        new StockPoolCommand.Suspect("another Redis process answered"),
                        Duration.ZERO)
                .toCompletableFuture()
                .join();
        Answer asked = node.post(POOL + "/verify", "", "Idempotency-Key", "v2", "Prefer", "wait=0");
        assertThat(asked.status()).isEqualTo(202);
        assertThat(asked.text("status")).isEqualTo("SUSPECT");
        assertThat(asked.json().at("/working/0/effect").asText()).isEqualTo("pool-verify");
    }

    @Test
    void a_comparison_asked_for_of_an_open_pool_that_redis_does_not_serve_is_made() {
        node.put(POOL, "{\"total\":10}");
        node.stock.restart();
        assertThat(node.get(POOL).json().at("/status").asText()).isEqualTo("OPEN");
        assertThat(node.get(POOL).json().at("/redis/trusted").asBoolean()).isFalse();

        Answer asked = node.post(POOL + "/verify", "", "Idempotency-Key", "v1");
        assertThat(asked.status()).isEqualTo(200);
        assertThat(asked.text("status")).isEqualTo("OPEN");
        assertThat(node.get(POOL).json().at("/redis/trusted").asBoolean()).isTrue();
        assertThat(node.pools.journal(TestNode.POOL).stream()
                        .map(entry -> entry instanceof Entry.Happened<?> happened
                                ? happened.event().getClass().getSimpleName()
                                : "stalled"))
                .containsSubsequence("SuspicionRaised", "PoolReopened");
        assertThat(node.post(POOL + "/verify", "", "Idempotency-Key", "v2").code())
                .isEqualTo("NOT_SUSPECT");
        assertThat(node.post(POOL + "/verify", "", "Idempotency-Key", "v1").status())
                .as("asked again under its key")
                .isEqualTo(200);
    }

    @Test
    void a_comparison_asked_for_of_a_pool_that_redis_has_not_is_made_and_of_one_that_nobody_knows_is_404() {
        node.put(POOL, "{\"total\":10}");
        node.stock.loseAll();
        assertThat(node.post(POOL + "/verify", "", "Idempotency-Key", "v1").status())
                .isEqualTo(200);
        assertThat(node.post("/v1/pools/m1:nobody:2030-05-17/verify", "", "Idempotency-Key", "v1")
                        .code())
                .isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void a_suspect_pool_shows_why_and_what_is_being_done() {
        node.put(POOL, "{\"total\":10}");
        node.stock.fallSilent();
        node.pools
                .ask(
                        TestNode.POOL,
                        new Cause("s1", "", Cause.Kind.REQUEST, "test", Optional.empty()),
                        new StockPoolCommand.Suspect("another Redis process answered"),
                        Duration.ZERO)
                .toCompletableFuture()
                .join();

        var json = node.get(POOL).json();
        assertThat(json.path("status").asText()).isEqualTo("SUSPECT");
        assertThat(json.at("/suspicion/evidence").asText()).isEqualTo("another Redis process answered");
        assertThat(json.at("/suspicion/kept_status").asText()).isEqualTo("OPEN");
        assertThat(json.at("/working/0/effect").asText()).isEqualTo("pool-verify");
        assertThat(statusOf("i1")).isEqualTo("POOL_SUSPECT");
    }

    @Test
    void a_closed_pool_is_archived_once_drained_and_then_takes_nothing_any_more() {
        try (TestNode node = TestNode.withPool(5)) {
            String pool = "/v1/pools/" + TestNode.POOL;
            String order = "{\"pool\": \"" + TestNode.POOL + "\", \"order_id\": \"o\", \"quantity\": 1,";
            String id = node.post("/v1/reservations", order + "\"order_item_id\": \"i1\"}")
                    .text("reservation_id");
            assertThat(node.post(pool + "/archive", "{}").faults()).containsExactly("header /Idempotency-Key missing");
            assertThat(node.post(pool + "/archive", "{}", "Idempotency-Key", "a1")
                            .code())
                    .isEqualTo("NOT_CLOSED");
            node.post(pool + "/close", "{}");
            assertThat(node.post(pool + "/archive", "{}", "Idempotency-Key", "a2")
                            .code())
                    .isEqualTo("NOT_DRAINED");
            node.post("/v1/reservations/" + id + "/cancel", "{\"order_id\": \"o\"}");

            Answer archived = node.post(pool + "/archive", "{}", "Idempotency-Key", "a3");
            assertThat(archived.status()).isEqualTo(200);
            assertThat(archived.text("status")).isEqualTo("ARCHIVED");
            assertThat(archived.json().at("/baseline/total").asLong()).isEqualTo(5);
            assertThat(node.get(pool).text("status")).isEqualTo("ARCHIVED");
            assertThat(node.post(pool + "/archive", "{}", "Idempotency-Key", "a2")
                            .code())
                    .as("an id that ended stays ended")
                    .isEqualTo("NOT_DRAINED");
            assertThat(node.post(pool + "/resume", "{}", "Idempotency-Key", "r1")
                            .code())
                    .isEqualTo("POOL_ARCHIVED");
            Answer late = node.post("/v1/reservations", order + "\"order_item_id\": \"i2\"}");
            assertThat(late.code()).isEqualTo("POOL_ARCHIVED");
            assertThat(late.json().at("/recorded").asBoolean(true)).isFalse();
            assertThat(node.post("/v1/reservations", order + "\"order_item_id\": \"i1\"}")
                            .code())
                    .as("a repeat is answered by its reservation")
                    .isEqualTo("WAS_CANCELED");
        }
    }
}
