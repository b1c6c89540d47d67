package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationIds;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReservationRoutesTest {

    private TestNode node;

    @BeforeEach
    void start() {
        node = TestNode.withPool(10);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static String wish(String item, long quantity) {
        return """
            {"pool":"%s","order_id":"o1","order_item_id":"%s","user_id":"u1","quantity":%s}\
            """.formatted(TestNode.POOL, item, quantity);
    }

    private static String id(String item) {
        return ReservationIds.journalFirst("m1", "noodles", item);
    }

    private static String at(String item) {
        return "/v1/reservations/" + id(item);
    }

    private Answer reserve(String item, long quantity, String... headers) {
        return node.post("/v1/reservations", wish(item, quantity), headers);
    }

    @Test
    void a_hold_is_answered_201_with_all_of_the_reservation_and_its_address() {
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("Location")).contains(at("i1"));
        assertThat(answer.header("Content-Type")).contains("application/json");
        assertThat(answer.header("Idempotency-Replayed")).isEmpty();
        var json = answer.json();
        assertThat(json.path("reservation_id").asText()).isEqualTo(id("i1"));
        assertThat(json.path("status").asText()).isEqualTo("RESERVED");
        assertThat(json.path("sequence_number").asLong()).isEqualTo(2);
        assertThat(json.at("/terms/pool").asText()).isEqualTo(TestNode.POOL);
        assertThat(json.at("/terms/order_id").asText()).isEqualTo("o1");
        assertThat(json.at("/terms/user_id").asText()).isEqualTo("u1");
        assertThat(json.at("/terms/quantity").asLong()).isEqualTo(3);
        assertThat(json.at("/terms/order_type").asText()).isEqualTo("INSTANT");
        assertThat(json.at("/terms/attention_at").asText()).matches("\\d{4}-.*Z");
        assertThat(json.at("/units/held").asLong()).isEqualTo(3);
        assertThat(json.at("/books/available").asLong()).isEqualTo(7);
        assertThat(json.at("/books/reserved").asLong()).isEqualTo(3);
        assertThat(json.path("working").isArray()).isTrue();
        assertThat(json.at("/links/journal").asText()).isEqualTo(at("i1") + "/journal");
    }

    @Test
    void the_same_wish_again_is_answered_as_the_first_time_and_says_so() {
        Answer first = reserve("i1", 3);
        Answer again = reserve("i1", 3);

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).contains("true");
        assertThat(again.json()).isEqualTo(first.json());
    }

    @Test
    void order_of_fields_blanks_spelled_out_defaults_and_a_fraction_of_zeros_make_no_other_content() {
        reserve("i1", 3, "Idempotency-Key", "k1");
        Answer again = node.post("/v1/reservations", """
            { "quantity" : 3.0 , "order_type":"INSTANT", "user_id":"u1",
              "order_item_id":"i1", "order_id":"o1", "pool":"%s" }\
            """.formatted(TestNode.POOL), "Idempotency-Key", "k1");

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).contains("true");
    }

    @Test
    void the_same_key_with_other_content_is_422_and_changes_nothing() {
        reserve("i1", 3, "Idempotency-Key", "k1");
        Answer other = reserve("i1", 2, "Idempotency-Key", "k1");

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("KEY_REUSED");
        assertThat(other.text("reservation_url")).isEqualTo(at("i1"));
        assertThat(node.get(at("i1")).json().at("/units/held").asLong()).isEqualTo(3);
    }

    @Test
    void the_same_key_for_another_operation_is_422() {
        reserve("i1", 3, "Idempotency-Key", "k1");
        Answer cancel = node.post(at("i1") + "/cancel", "{\"order_id\":\"o1\"}", "Idempotency-Key", "k1");

        assertThat(cancel.status()).isEqualTo(422);
        assertThat(cancel.code()).isEqualTo("KEY_REUSED");
        assertThat(node.get(at("i1")).text("status")).isEqualTo("RESERVED");
    }

    @Test
    void the_same_key_for_another_reservation_is_another_request() {
        assertThat(reserve("i1", 3, "Idempotency-Key", "k1").status()).isEqualTo(201);
        Answer other = reserve("i2", 2, "Idempotency-Key", "k1");

        assertThat(other.status()).isEqualTo(201);
        assertThat(other.header("Idempotency-Replayed")).isEmpty();
    }

    @Test
    void another_quantity_under_another_key_is_422_other_content() {
        reserve("i1", 3, "Idempotency-Key", "k1");
        Answer other = reserve("i1", 2, "Idempotency-Key", "k2");

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("OTHER_CONTENT");
        assertThat(other.text("status_now")).isEqualTo("RESERVED");
    }

    @Test
    void sold_out_is_409_and_says_that_it_is_recorded_and_where() {
        Answer answer = reserve("i1", 11);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        assertThat(answer.code()).isEqualTo("SOLD_OUT");
        assertThat(answer.text("detail")).contains("It had ");
        assertThat(answer.text("type")).isEqualTo("/errors/SOLD_OUT");
        assertThat(answer.text("instance")).isEqualTo("/v1/reservations");
        assertThat(answer.json().path("status").asInt()).isEqualTo(409);
        assertThat(answer.json().path("recorded").asBoolean()).isTrue();
        assertThat(answer.json().path("retryable").asBoolean(true)).isFalse();
        assertThat(answer.text("reservation_id")).isEqualTo(id("i1"));
        assertThat(answer.text("reservation_url")).isEqualTo(at("i1"));
        assertThat(answer.text("status_now")).isEqualTo("REJECTED");
        assertThat(node.get(at("i1")).json().at("/rejection/code").asText()).isEqualTo("SOLD_OUT");
        Answer again = reserve("i1", 11);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.header("Idempotency-Replayed")).contains("true");
        assertThat(again.json()).isEqualTo(answer.json());
    }

    @Test
    void the_next_one_at_a_sold_out_pool_is_409_that_says_nothing_was_recorded_and_may_come_again() {
        reserve("i1", 10);
        assertThat(reserve("i2", 1).json().path("recorded").asBoolean()).isTrue();
        Answer answer = reserve("i3", 1);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("SOLD_OUT");
        assertThat(answer.json().path("recorded").asBoolean(true)).isFalse();
        assertThat(answer.text("pool")).isEqualTo(TestNode.POOL);
        assertThat(node.get(at("i3")).status()).isEqualTo(404);
        node.post(at("i1") + "/cancel", "{\"order_id\":\"o1\",\"reason\":\"declined\"}", "Idempotency-Key", "k1");
        assertThat(reserve("i3", 1).status()).isEqualTo(201);
    }

    @Test
    void a_retry_of_a_hold_that_succeeded_is_answered_reserved_after_the_pool_sold_out() {
        reserve("i1", 4, "Idempotency-Key", "k1");
        reserve("i2", 6);
        assertThat(reserve("i3", 1).code()).isEqualTo("SOLD_OUT");

        assertThat(reserve("i1", 4, "Idempotency-Key", "k1").status()).isEqualTo(201);
    }

    @Test
    void what_is_not_settled_in_time_is_202_with_its_address_and_never_an_error() {
        node.stock.fallSilent();
        Answer answer = reserve("i1", 3, "Prefer", "wait=0");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.header("Location")).contains(at("i1"));
        assertThat(answer.header("Retry-After")).contains("1");
        assertThat(answer.header("Preference-Applied")).contains("wait=0");
        assertThat(answer.text("status")).isEqualTo("PREPARING");
        var working = answer.json().path("working").path(0);
        assertThat(working.path("effect").asText()).isEqualTo("try");
        assertThat(working.path("operation_id").asText()).isEqualTo("TRY:" + id("i1"));
        assertThat(working.path("attempts").asInt()).isEqualTo(1);
        Answer again = reserve("i1", 3, "Prefer", "respond-async");
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.header("Idempotency-Replayed")).contains("true");
    }

    @Test
    void no_answer_is_503_that_says_it_may_be_recorded_and_where_to_look() {
        node.fault = _ -> CompletableFuture.completedFuture(Outcome.unknown("connection to 10.0.0.7 lost"));
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(answer.text("detail")).contains("may have been recorded", "same key");
        assertThat(answer.text("reservation_url")).isEqualTo(at("i1"));
        assertThat(answer.header("Location")).contains(at("i1"));
        assertThat(answer.header("Retry-After")).isPresent();
        assertThat(answer.body()).doesNotContain("10.0.0.7");
    }

    @Test
    void an_entity_that_never_answers_is_unknown_when_patience_and_grace_are_over() {
        try (TestNode hasty = TestNode.start(settings -> new HttpSettings(
                settings.host(),
                settings.port(),
                settings.limits(),
                new HttpSettings.Patience(
                        Duration.ZERO, Duration.ofSeconds(1), Duration.ofMillis(50), Duration.ofSeconds(2)),
                settings.access()))) {
            hasty.put("/v1/pools/" + TestNode.POOL, "{\"total\":1}", "Prefer", "wait=1");
            hasty.fault = _ -> new CompletableFuture<>();
            Answer answer = hasty.post("/v1/reservations", wish("i1", 1));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("OUTCOME_UNKNOWN");
            assertThat(answer.header("Retry-After")).contains("2");
        }
    }

    @Test
    void not_taken_is_503_that_says_nothing_was_changed() {
        node.fault = _ -> CompletableFuture.completedFuture(Outcome.unavailable("starting"));
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("UNAVAILABLE");
        assertThat(answer.header("Retry-After")).contains("1");
    }

    @Test
    void a_journal_that_can_not_be_read_is_503_of_its_own_code() {
        node.fault = _ ->
                CompletableFuture.completedFuture(Outcome.unavailable(EngineRefusal.JOURNAL_UNREADABLE.asReason()));
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("JOURNAL_UNREADABLE");
        assertThat(answer.header("Retry-After")).contains("1");
    }

    @Test
    void a_fault_of_the_server_is_500_with_an_incident_and_nothing_from_inside() {
        node.fault = _ -> {
            throw new IllegalStateException("secret at jdbc:postgresql://db/holdfast");
        };
        Answer answer = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}", "Idempotency-Key", "k1");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.text("incident")).matches("[0-9a-f]{16}");
        assertThat(answer.body()).doesNotContain("secret", "Exception", "jdbc");
    }

    @Test
    void somebody_elses_answer_is_never_taken_for_this_ones() {
        reserve("i1", 3);
        node.fault = _ -> node.reservations.look(id("i1"));
        Answer answer = reserve("i2", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(answer.text("reservation_id")).isEqualTo(id("i2"));
    }

    @Test
    void an_unknown_pool_is_404_and_nothing_is_journaled() {
        Answer answer = node.post("/v1/reservations", """
            {"pool":"m1:rice:2026-11-29","order_id":"o1","order_item_id":"i1","quantity":1}\
            """);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("POOL_UNKNOWN");
        assertThat(answer.json().path("recorded").asBoolean(true)).isFalse();
        assertThat(node.reservations.journaled()).isEmpty();
    }

    @Test
    void a_suspect_pool_is_503_and_nothing_is_journaled() {
        node.standing = Optional.of(Outcome.known(new PoolStanding.Suspect("another Redis process")));
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("POOL_SUSPECT");
        assertThat(answer.header("Retry-After")).contains("1");
        assertThat(answer.text("pool_url")).isEqualTo("/v1/pools/" + TestNode.POOL);
        assertThat(node.reservations.journaled()).isEmpty();
    }

    @Test
    void a_pool_that_is_being_created_is_503_and_nothing_is_journaled() {
        node.standing = Optional.of(Outcome.known(new PoolStanding.NotReady()));
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("POOL_NOT_READY");
        assertThat(node.reservations.journaled()).isEmpty();
    }

    @Test
    void a_scheduled_order_without_pool_is_for_the_day_of_its_processing_time() {
        node.put("/v1/pools/m1:noodles:2099-01-01", "{\"total\":1}");
        Answer answer = node.post("/v1/reservations", """
            {"merchant":"m1","dish":"noodles","order_id":"o1","order_item_id":"i1","quantity":1,
             "processing_time":"2099-01-01T10:00:00Z"}\
            """);

        assertThat(answer.json().at("/terms/pool").asText()).isEqualTo("m1:noodles:2099-01-01");
    }

    @Test
    void a_repeat_is_answered_as_the_first_time_although_the_pool_became_suspect() {
        reserve("i1", 3);
        node.standing = Optional.of(Outcome.known(new PoolStanding.Suspect("another Redis process")));

        Answer again = reserve("i1", 3);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).contains("true");
    }

    @Test
    void a_directory_that_cannot_tell_is_503_and_nothing_is_journaled() {
        node.standing = Optional.of(Outcome.unavailable("database down"));
        Answer answer = reserve("i1", 3);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("UNAVAILABLE");
        assertThat(node.reservations.journaled()).isEmpty();
    }

    @Test
    void merchant_and_dish_choose_the_pool_of_the_business_day() {
        Answer answer = node.post("/v1/reservations", """
            {"merchant":"m1","dish":"noodles","order_id":"o1","order_item_id":"i1","quantity":2}\
            """);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().at("/terms/pool").asText()).isEqualTo(TestNode.POOL);
        assertThat(answer.text("reservation_id")).isEqualTo(id("i1"));
    }

    @Test
    void a_scheduled_order_keeps_its_processing_time() {
        Answer answer = node.post("/v1/reservations", """
            {"pool":"%s","order_id":"o1","order_item_id":"i1","quantity":2,
             "processing_time":"2099-11-29T18:30:00+08:00"}\
            """.formatted(TestNode.POOL));

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.json().at("/terms/order_type").asText()).isEqualTo("SCHEDULED");
        assertThat(answer.json().at("/terms/processing_time").asText()).isEqualTo("2099-11-29T10:30:00Z");
    }

    @Test
    void confirm_sells_the_units() {
        reserve("i1", 3);
        Answer answer = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("CONFIRMED");
        assertThat(answer.json().at("/units/confirmed").asLong()).isEqualTo(3);
        assertThat(answer.json().at("/books/sold").asLong()).isEqualTo(3);
        assertThat(node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}").header("Idempotency-Replayed"))
                .contains("true");
    }

    @Test
    void confirm_for_another_order_moves_nothing() {
        reserve("i1", 3);
        Answer answer = node.post(at("i1") + "/confirm", "{\"order_id\":\"o2\"}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("OTHER_ORDER");
        assertThat(answer.json().path("retryable").asBoolean(true)).isFalse();
        var now = node.get(at("i1")).json();
        assertThat(now.path("status").asText()).isEqualTo("RESERVED");
        assertThat(now.at("/refused/0/code").asText()).isEqualTo("OTHER_ORDER");
        assertThat(now.at("/refused/0/fact/order_id").asText()).isEqualTo("o2");
    }

    @Test
    void no_news_of_another_order_moves_anything() {
        reserve("i1", 3);
        for (String news : List.of(
                "/confirm {\"order_id\":\"o2\"}",
                "/cancel {\"order_id\":\"o2\"}",
                "/refunds {\"order_id\":\"o2\",\"refund_id\":\"r1\",\"quantity\":1}",
                "/refunds {\"order_id\":\"o2\",\"refund_id\":\"r2\"}")) {
            String[] parts = news.split(" ", 2);
            assertThat(node.post(at("i1") + parts[0], parts[1]).code()).as(news).isEqualTo("OTHER_ORDER");
        }
        assertThat(node.get(at("i1")).text("status")).isEqualTo("RESERVED");
        assertThat(node.post(at("i1") + "/refunds", "{\"order_id\":\"o1\",\"refund_id\":\"r1\",\"quantity\":1}")
                        .status())
                .isEqualTo(200);
        Answer again = node.post(at("i1") + "/refunds", "{\"refund_id\":\"r1\",\"quantity\":1}");
        assertThat(again.header("Idempotency-Replayed")).contains("true");
    }

    @Test
    void cancel_gives_the_units_back_and_a_confirm_afterwards_is_a_conflict() {
        reserve("i1", 3);
        Answer canceled = node.post(at("i1") + "/cancel", "{\"order_id\":\"o1\",\"reason\":\"payment failed\"}");

        assertThat(canceled.status()).isEqualTo(200);
        assertThat(canceled.text("status")).isEqualTo("CANCELED");
        assertThat(canceled.json().at("/cancellation/cause").asText()).isEqualTo("ORDER_CREATED_FAILED");
        assertThat(canceled.json().at("/cancellation/reason").asText()).isEqualTo("payment failed");
        assertThat(canceled.json().at("/books/available").asLong()).isEqualTo(10);
        Answer confirm = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}");
        assertThat(confirm.status()).isEqualTo(409);
        assertThat(confirm.code()).isEqualTo("ORDER_ALREADY_FAILED");
        assertThat(confirm.text("status_now")).isEqualTo("CANCELED");
        Answer retry = reserve("i1", 3, "Idempotency-Key", "late");
        assertThat(retry.status()).isEqualTo(409);
        assertThat(retry.code()).isEqualTo("WAS_CANCELED");
    }

    @Test
    void cancel_before_the_try_leaves_a_tombstone_and_the_late_try_is_refused() {
        Answer cancel = node.post(at("i1") + "/cancel", "{\"order_id\":\"o1\"}");
        assertThat(cancel.status()).isEqualTo(200);
        assertThat(cancel.text("status")).isEqualTo("CANCELED");
        assertThat(cancel.json().has("terms")).isFalse();
        assertThat(cancel.json().at("/cancellation/order_id").asText()).isEqualTo("o1");

        Answer late = reserve("i1", 3);
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.code()).isEqualTo("WAS_CANCELED");
    }

    @Test
    void sixteen_cancels_before_the_try_at_once_all_succeed() {
        List<Answer> answers = IntStream.range(0, 16)
                .mapToObj(n ->
                        node.postLater(at("i1") + "/cancel", "{\"order_id\":\"o1\"}", "Idempotency-Key", "cancel-" + n))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(reserve("i1", 1).code()).isEqualTo("WAS_CANCELED");
    }

    @Test
    void a_partial_refund_returns_its_units_and_the_rest_stays_sold() {
        reserve("i1", 3);
        node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}");
        Answer refund = node.post(at("i1") + "/refunds", "{\"refund_id\":\"r1\",\"quantity\":2}");

        assertThat(refund.status()).isEqualTo(200);
        assertThat(refund.text("status")).isEqualTo("CONFIRMED");
        assertThat(refund.json().at("/units/refunded").asLong()).isEqualTo(2);
        assertThat(refund.json().at("/refunds/0/refund_id").asText()).isEqualTo("r1");
        assertThat(refund.json().at("/refunds/0/result").asText()).isEqualTo("REFUNDED");
        assertThat(node.post(at("i1") + "/refunds", "{\"refund_id\":\"r1\",\"quantity\":1}")
                        .code())
                .isEqualTo("REFUND_ID_REUSED");
        assertThat(node.post(at("i1") + "/refunds", "{\"refund_id\":\"r2\",\"quantity\":2}")
                        .code())
                .isEqualTo("REFUND_EXCEEDS");
        assertThat(node.get(at("i1")).json().at("/refused/1/code").asText()).isEqualTo("REFUND_EXCEEDS");
        assertThat(node.get(at("i1")).json().at("/refused/1/fact/refund_id").asText())
                .isEqualTo("r2");
        Answer rest = node.post(at("i1") + "/refunds", "{\"refund_id\":\"r3\"}");
        assertThat(rest.status()).isEqualTo(200);
        assertThat(rest.text("status")).isEqualTo("REFUNDED");
    }

    @Test
    void the_same_request_sixteen_times_at_once_holds_once() {
        List<Answer> answers = IntStream.range(0, 16)
                .mapToObj(_ -> node.postLater("/v1/reservations", wish("i1", 3), "Idempotency-Key", "k1"))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).allMatch(answer -> answer.status() == 201);
        assertThat(answers)
                .extracting(Answer::json)
                .containsOnly(answers.getFirst().json());
        assertThat(answers.stream().filter(a -> a.header("Idempotency-Replayed").isEmpty()))
                .hasSize(1);
        assertThat(node.get(at("i1")).json().at("/books/reserved").asLong()).isEqualTo(3);
    }

    @Test
    void the_list_is_paged_by_a_cursor_and_filtered() {
        for (int n = 1; n <= 5; n++) {
            reserve("i" + n, 1);
        }
        node.post(at("i3") + "/cancel", "{\"order_id\":\"o1\"}");

        var first =
                node.get("/v1/reservations?order_id=o1&status=RESERVED&limit=3").json();
        assertThat(first.path("reservations")).hasSize(3);
        assertThat(first.at("/reservations/0/status").asText()).isEqualTo("RESERVED");
        assertThat(first.at("/reservations/0/created_at").asText()).endsWith("Z");
        assertThat(first.at("/reservations/0").has("working")).isFalse();
        assertThat(first.path("next").asText())
                .isEqualTo("/v1/reservations?order_id=o1&status=RESERVED&limit=3&cursor="
                        + first.path("next_cursor").asText());
        var second = node.get(first.path("next").asText()).json();
        assertThat(second.path("reservations")).hasSize(1);
        assertThat(second.has("next")).isFalse();
        assertThat(node.get("/v1/reservations").json().path("reservations")).hasSize(5);
    }

    @Test
    void what_was_never_asked_for_is_404() {
        assertThat(node.get(at("never")).status()).isEqualTo(404);
        assertThat(node.get(at("never")).code()).isEqualTo("UNKNOWN_RESERVATION");
        assertThat(node.get(at("never") + "/journal").code()).isEqualTo("UNKNOWN_RESERVATION");
        assertThat(node.get(at("never")).text("reservation_url")).isEqualTo(at("never"));
    }

    @Test
    void the_journal_shows_who_why_and_the_state_after_each_event() {
        reserve(
                "i1",
                3,
                "Idempotency-Key",
                "k1",
                "traceparent",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}");

        var json = node.get(at("i1") + "/journal").json();
        assertThat(json.path("sound").asBoolean()).isTrue();
        var first = json.path("entries").path(0);
        assertThat(first.path("kind").asText()).isEqualTo("EVENT");
        assertThat(first.path("event").asText()).isEqualTo("HoldRequested");
        assertThat(first.at("/cause/id").asText()).isEqualTo("k1");
        assertThat(first.at("/cause/actor").asText()).isEqualTo("anonymous");
        assertThat(first.at("/cause/kind").asText()).isEqualTo("REQUEST");
        assertThat(first.at("/cause/trace_id").asText()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(first.at("/cause/hash").asText()).matches("[0-9a-f]{64}");
        assertThat(first.at("/state_after/name").asText()).isEqualTo("Preparing");
        assertThat(json.path("entries")).hasSize(4);

        var page = node.get(at("i1") + "/journal?after=1&limit=2").json();
        assertThat(page.path("entries")).hasSize(2);
        assertThat(page.path("next").asText()).isEqualTo(at("i1") + "/journal?after=3&limit=2");
    }

    @Test
    void confirm_before_the_try_is_kept_and_decided_when_the_hold_is_granted() {
        Answer early = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}", "Prefer", "wait=0");
        assertThat(early.status()).isEqualTo(202);
        assertThat(early.text("status")).isEqualTo("NONE");
        assertThat(early.json().at("/noted/0/fact").asText()).isEqualTo("ORDER_CREATED");
        assertThat(node.get(at("i1")).status()).isEqualTo(200);

        reserve("i1", 3);
        assertThat(node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}").text("status"))
                .isEqualTo("CONFIRMED");
    }

    @Test
    void confirm_of_fewer_units_releases_the_rest() {
        reserve("i1", 3);
        Answer answer = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\",\"quantity\":1}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/units/confirmed").asLong()).isEqualTo(1);
        assertThat(answer.json().at("/units/released").asLong()).isEqualTo(2);
        assertThat(answer.json().at("/books/available").asLong()).isEqualTo(9);
        Answer more = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\",\"quantity\":2}");
        assertThat(more.status()).isEqualTo(409);
        assertThat(more.code()).isEqualTo("ORDER_QUANTITY_CONFLICT");
    }

    @Test
    void a_confirmed_scheduled_order_keeps_its_hold_until_its_time() {
        node.post("/v1/reservations", """
            {"pool":"%s","order_id":"o1","order_item_id":"i1","quantity":2,
             "processing_time":"2099-11-29T18:30:00+08:00"}\
            """.formatted(TestNode.POOL));
        Answer answer = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("CREATED_RESERVED");
    }

    @Test
    void a_reservation_under_review_shows_why_and_keeps_what_comes() {
        reserve("i1", 3);
        node.reservations
                .ask(
                        id("i1"),
                        new Cause("f1", "", Cause.Kind.OPERATOR, "eve", Optional.empty()),
                        new ReservationCommand.Freeze("looks wrong"),
                        Duration.ZERO)
                .toCompletableFuture()
                .join();
        Answer confirm = node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}", "Prefer", "wait=0");

        assertThat(confirm.status()).isEqualTo(202);
        assertThat(confirm.text("status")).isEqualTo("MANUAL_REVIEW");
        assertThat(confirm.json().at("/review/trigger").asText()).isEqualTo("FROZEN");
        assertThat(confirm.json().at("/review/reason").asText()).isEqualTo("looks wrong");
        assertThat(confirm.json().at("/review/kept_status").asText()).isEqualTo("RESERVED");
        assertThat(confirm.json().at("/noted/0/fact").asText()).isEqualTo("ORDER_CREATED");
    }

    @Test
    void a_person_stops_a_reservation_and_says_how_it_goes_on() {
        reserve("i1", 3);
        Answer frozen = node.post(at("i1") + "/freeze", "{\"reason\":\"disputed\"}", "Idempotency-Key", "k1");
        assertThat(frozen.status()).as(frozen.body()).isEqualTo(200);
        assertThat(frozen.text("status")).isEqualTo("MANUAL_REVIEW");
        assertThat(frozen.json().at("/review/trigger").asText()).isEqualTo("FROZEN");
        assertThat(frozen.json().at("/review/resolutions").toString())
                .isEqualTo("[\"CONTINUE\",\"CONFIRMED\",\"CANCELED\",\"REFUNDED\"]");
        assertThat(node.post(at("i1") + "/freeze", "{\"reason\":\"disputed\"}", "Idempotency-Key", "k1")
                        .header("Idempotency-Replayed"))
                .contains("true");
        node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}", "Prefer", "wait=0");

        Answer resolved = resolve("i1", "CONTINUE", "k2");

        assertThat(resolved.status()).as(resolved.body()).isEqualTo(200);
        assertThat(resolved.json().has("review")).isFalse();
        assertThat(node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}").text("status"))
                .as("what came meanwhile was kept")
                .isEqualTo("CONFIRMED");
        assertThat(resolve("i1", "CONTINUE", "k2").header("Idempotency-Replayed"))
                .contains("true");
        var journal = node.get(at("i1") + "/journal").json().path("entries");
        var lifted = StreamSupport.stream(journal.spliterator(), false)
                .filter(entry -> entry.path("event").asText().equals("ReviewLifted"))
                .toList();
        assertThat(lifted).singleElement().satisfies(entry -> {
            assertThat(entry.at("/cause/kind").asText()).isEqualTo("OPERATOR");
            assertThat(entry.at("/cause/actor").asText()).isEqualTo("anonymous");
            assertThat(entry.at("/data/reason").asText()).isEqualTo("looked into it");
        });
    }

    private Answer resolve(String item, String resolution, String key) {
        return node.post(
                at(item) + "/resolve",
                "{\"resolution\":\"" + resolution + "\",\"reason\":\"looked into it\"}",
                "Idempotency-Key",
                key);
    }

    @Test
    void what_the_kept_state_contradicts_can_not_be_decided() {
        reserve("i1", 3);
        node.post(at("i1") + "/confirm", "{\"order_id\":\"o1\"}");
        Answer frozen = node.post(at("i1") + "/freeze", "{\"reason\":\"disputed\"}", "Idempotency-Key", "k1");
        assertThat(frozen.json().at("/review/resolutions").toString()).isEqualTo("[\"CONTINUE\",\"REFUNDED\"]");

        Answer answer = resolve("i1", "CANCELED", "k2");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("RESOLUTION_NOT_ALLOWED");
        assertThat(answer.text("status_now")).isEqualTo("MANUAL_REVIEW");

        assertThat(resolve("i1", "REFUNDED", "k3").text("status")).isEqualTo("REFUNDED");
        assertThat(resolve("i1", "REFUNDED", "k4").code()).isEqualTo("NOT_UNDER_REVIEW");
        assertThat(node.post(at("i1") + "/freeze", "{\"reason\":\"again\"}", "Idempotency-Key", "k5")
                        .code())
                .isEqualTo("ALREADY_ENDED");
    }

    @Test
    void nobody_decides_about_a_reservation_that_nobody_asked_for() {
        Answer freeze = node.post(at("i1") + "/freeze", "{\"reason\":\"why\"}", "Idempotency-Key", "k1");
        Answer resolve = resolve("i1", "CONTINUE", "k2");
        for (Answer answer : List.of(freeze, resolve)) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.code()).isEqualTo("UNKNOWN_RESERVATION");
        }
    }

    @Test
    void a_decision_has_a_key_and_a_reason_and_is_one_there_is() {
        reserve("i1", 3);
        Answer noKey = node.post(at("i1") + "/freeze", "{\"reason\":\"why\"}");
        assertThat(noKey.status()).isEqualTo(400);
        assertThat(noKey.faults()).containsExactly("header /Idempotency-Key missing");
        assertThat(node.post(at("i1") + "/freeze", "{}", "Idempotency-Key", "k1")
                        .faults())
                .containsExactly("body /reason missing");
        assertThat(node.post(at("i1") + "/resolve", "{\"resolution\":\"SOLD\"}", "Idempotency-Key", "k2")
                        .faults())
                .containsExactlyInAnyOrder("body /resolution bad_syntax", "body /reason missing");
        assertThat(node.post(at("i1") + "/resolve", "{\"reason\":\"why\"}", "Idempotency-Key", "k3")
                        .faults())
                .containsExactly("body /resolution missing");
    }

    @Test
    void more_queries_than_may_wait_are_503_at_once_and_the_rest_is_served() {
        var limits = HttpSettings.Limits.DEFAULT;
        try (TestNode narrow = TestNode.start(settings -> new HttpSettings(
                settings.host(),
                settings.port(),
                new HttpSettings.Limits(
                        limits.bodyBytes(),
                        limits.bodyTime(),
                        limits.json(),
                        limits.connections(),
                        limits.backlog(),
                        1,
                        1,
                        1,
                        2),
                settings.patience(),
                settings.access()))) {
            var gate = new CountDownLatch(1);
            narrow.beforeList = () -> await(gate);
            List<CompletableFuture<Answer>> answers = IntStream.range(0, 3)
                    .mapToObj(_ -> narrow.getLater("/v1/reservations"))
                    .toList();
            Answer refused = (Answer) CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new))
                    .join();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("TOO_BUSY");
            assertThat(refused.header("Retry-After")).contains("1");
            assertThat(narrow.get("/health/live").status()).isEqualTo(200);
            gate.countDown();
            assertThat(answers.stream().map(CompletableFuture::join).map(Answer::status))
                    .containsExactlyInAnyOrder(200, 200, 503);
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_database_that_can_not_be_read_is_500_and_says_nothing_of_it() {
        node.beforeList = () -> {
            throw new IllegalStateException("password of the database");
        };
        Answer answer = node.get("/v1/reservations");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.body()).doesNotContain("password");
    }
}
