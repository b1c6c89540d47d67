package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Cause;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import io.holdfast.reservation.entity.HoldDesk;
import io.holdfast.reservation.port.GatePressure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SaleRoutesTest {

    private static final String PATH = "/v1/sales/spring/skus/shoes/reservations";
    private static final String BODY = "{\"user_id\":\"ann\",\"request_id\":\"q1\"}";
    private static final String ID = "0123456789abcdef0123456789abcdef";
    private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");
    private static final AdmissionDesk.Answer.Queued QUEUED =
            new AdmissionDesk.Answer.Queued(ID, AT.plusSeconds(300), AT, Books.expected(1, 2, 10, 1, 0), false, false);

    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.start();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static Answer sale(String sku, String buckets) {
        return node.put(
                "/v1/pools/spring:" + sku,
                "{\"total\":7,\"sale\":{\"opens_at\":\"2026-11-30T12:00:00Z\",\"closes_at\":\"2026-11-30T13:00:00Z\""
                        + buckets + "}}");
    }

    @Test
    void a_sale_may_lie_in_several_buckets_and_shows_all_of_them() {
        Answer made = sale("hats", ",\"buckets\":3");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.json().at("/sale/buckets/count").asInt()).isEqualTo(3);
        assertThat(made.json().at("/sale/buckets/index").asInt(-1)).isZero();
        assertThat(made.json().at("/sale/buckets/total").asLong()).isEqualTo(7);
        assertThat(made.json().at("/baseline/total").asLong())
                .as("its own share")
                .isEqualTo(3);
        var shown = node.get("/v1/pools/spring:hats").json().at("/sale/buckets");
        assertThat(shown.at("/redis/available").asLong()).isEqualTo(24);
        assertThat(shown.at("/pools")).hasSize(3);
        assertThat(shown.at("/pools/1/pool").asText()).isEqualTo("spring:hats:b1");
        assertThat(node.get("/v1/pools/spring:hats")
                        .json()
                        .at("/sale/hand_off_backlog")
                        .asLong())
                .as("7 of each")
                .isEqualTo(21);
        assertThat(sale("hats", ",\"buckets\":3").status()).isEqualTo(200);
        assertThat(sale("hats", ",\"buckets\":4").code()).isEqualTo("ALREADY_INITIALIZED");
        for (String wrong : List.of("0", "65", "1.5", "\"2\"")) {
            assertThat(sale("caps", ",\"buckets\":" + wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void units_of_a_sale_in_buckets_are_asked_for_at_its_gate_and_not_at_a_pool_of_it() {
        assertThat(sale("gloves", ",\"buckets\":2").status()).isEqualTo(201);
        String line = "\"order_item_id\":\"i1\",\"user_id\":\"ann\",\"quantity\":1";
        for (Answer answer : List.of(
                node.post("/v1/reservations", "{\"pool\":\"spring:gloves\",\"order_id\":\"o1\"," + line + "}"),
                node.post(
                        "/v1/orders/o1/reservations",
                        "{\"all_or_nothing\":true,\"lines\":[{\"pool\":\"spring:gloves\"," + line
                                + "},{\"pool\":\"spring:gloves\"," + line.replace("i1", "i2") + "}]}"))) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.code()).isEqualTo("PART_OF_SALE");
            assertThat(answer.text("sale_pool")).isEqualTo("spring:gloves");
            assertThat(answer.text("sale_url")).isEqualTo("/v1/sales/spring/skus/gloves/reservations");
            assertThat(answer.json().path("recorded").asBoolean(true)).isFalse();
        }
    }

    @Test
    void one_bucket_is_a_sale_without_any() {
        assertThat(sale("belts", "").status()).isEqualTo(201);
        assertThat(sale("belts", ",\"buckets\":1").status()).isEqualTo(200);
        assertThat(node.get("/v1/pools/spring:belts").json().at("/sale").has("buckets"))
                .isFalse();
    }

    @Test
    void whoever_is_let_in_is_queued_and_told_where_to_read_more() {
        var asked = new AtomicReference<Wish>();
        node.gate = wish -> {
            asked.set(wish);
            return QUEUED;
        };
        Answer answer = node.post(
                PATH, "{\"user_id\":\"ann\",\"request_id\":\"q1\",\"quantity\":2}", "Prefer", "respond-async");
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.header("Preference-Applied")).contains("respond-async");
        assertThat(asked.get()).isEqualTo(new Wish("spring", "shoes", "ann", "q1", 2));
        assertThat(answer.header("Location")).contains("/v1/reservations/" + ID);
        assertThat(answer.header("Idempotency-Replayed")).isEmpty();
        assertThat(answer.text("status")).isEqualTo("QUEUED");
        assertThat(answer.text("reservation_id")).isEqualTo(ID);
        assertThat(answer.text("business_deadline")).isEqualTo("2026-11-30T12:05:00Z");
        assertThat(answer.json().path("journaled").asBoolean(true)).isFalse();
    }

    @Test
    void a_repeat_says_that_it_is_one() {
        node.gate =
                _ -> new AdmissionDesk.Answer.Queued(ID, QUEUED.deadline(), QUEUED.at(), QUEUED.books(), true, true);
        Answer answer = node.post(PATH, BODY);
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.header("Idempotency-Replayed")).contains("true");
        assertThat(answer.json().path("journaled").asBoolean()).isTrue();
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(new AdmissionDesk.Answer.SoldOut(), 409, "SOLD_OUT", false),
                Arguments.of(new AdmissionDesk.Answer.LimitReached(1, 1), 409, "LIMIT_REACHED", false),
                Arguments.of(new AdmissionDesk.Answer.Closed(), 409, "CLOSED", false),
                Arguments.of(new AdmissionDesk.Answer.NotStarted(AT), 409, "NOT_STARTED", false),
                Arguments.of(new AdmissionDesk.Answer.Paused(), 409, "SALE_PAUSED", false),
                Arguments.of(new AdmissionDesk.Answer.NoSale(), 409, "NO_SALE", false),
                Arguments.of(new AdmissionDesk.Answer.Ended(ID, "CANCELED"), 409, "ADMISSION_ENDED", false),
                Arguments.of(new AdmissionDesk.Answer.RequestReused(ID, 2), 422, "REQUEST_ID_REUSED", false),
                Arguments.of(
                        new AdmissionDesk.Answer.HeldBack(GatePressure.Reason.BROKER),
                        503,
                        "ADMISSION_HELD_BACK",
                        true),
                Arguments.of(
                        new AdmissionDesk.Answer.TurnedAway(HoldDesk.Reason.POOL_UNKNOWN), 404, "POOL_UNKNOWN", false),
                Arguments.of(
                        new AdmissionDesk.Answer.TurnedAway(HoldDesk.Reason.POOL_SUSPECT), 503, "POOL_SUSPECT", true),
                Arguments.of(new AdmissionDesk.Answer.Unsure(ID, "why"), 503, "OUTCOME_UNKNOWN", true),
                Arguments.of(new AdmissionDesk.Answer.Unreached("why"), 503, "UNAVAILABLE", true));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void each_other_answer_has_its_code(AdmissionDesk.Answer said, int status, String code, boolean again) {
        node.gate = _ -> said;
        Answer answer = node.post(PATH, BODY, "Prefer", "wait=3");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.header("Retry-After").isPresent()).isEqualTo(again);
        assertThat(answer.header("Preference-Applied")).contains("wait=3");
        assertThat(answer.text("pool")).isEqualTo("spring:shoes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/sales/spring/skus/shoes/reservations | {}",
                "/v1/sales/spring/skus/shoes/reservations | {'user_id':'a b','request_id':'q'}",
                "/v1/sales/spring/skus/shoes/reservations | {'user_id':'a','request_id':'q','quantity':0}",
                "/v1/sales/spring/skus/shoes/reservations | {'user_id':'a','request_id':'q','more':1}",
                "/v1/sales/sp%3Aring/skus/shoes/reservations | {'user_id':'a','request_id':'q'}",
                "/v1/sales/spring/skus/%7Bshoes/reservations | {'user_id':'a','request_id':'q'}"
            })
    void what_breaks_the_rules_never_reaches_the_gate(String path, String body) {
        node.gate = wish -> {
            throw new AssertionError("asked for " + wish);
        };
        Answer answer = node.post(path, body.replace('\'', '"'));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("INVALID_REQUEST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/confirm | {'order_id':'o'}",
                "/cancel | {'order_id':'o'}",
                "/refunds | {'refund_id':'r','quantity':1}"
            })
    void what_a_gate_let_in_takes_its_fate_from_its_order_alone(String action, String body) {
        var order = new OrderCreateRequested("m1", ID, "q1", "spring", "shoes", "ann", 1, AT, AT.plusSeconds(300));
        node.reservations
                .ask(
                        ID,
                        new Cause("admission", "", Cause.Kind.TIMER, "gate", Optional.empty()),
                        new ReservationCommand.Adopt(
                                order, PoolId.parse("spring:shoes"), QUEUED.books(), QUEUED.deadline()),
                        Duration.ZERO)
                .toCompletableFuture()
                .join();
        Answer answer = node.post("/v1/reservations/" + ID + action, body.replace('\'', '"'));
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("ORDER_DECIDES");
        assertThat(answer.text("order_url")).isEqualTo("/v1/orders/" + ID);
        assertThat(node.get("/v1/reservations/" + ID).text("status")).isEqualTo("RESERVED");
    }

    @Test
    void a_sale_is_put_with_its_window_and_keeps_the_newest_secret() {
        String sale = "{\"total\":5,\"sale\":{\"limit_per_user\":2,\"opens_at\":\"2026-11-30T12:00:00Z\","
                + "\"closes_at\":\"2026-11-30T13:00:00Z\"}}";
        Answer made = node.put("/v1/pools/spring:shoes", sale);
        assertThat(made.status()).isEqualTo(201);
        assertThat(node.put("/v1/pools/spring:shoes", sale).status()).isEqualTo(200);
        assertThat(node.put("/v1/pools/spring:shoes", sale.replace(":2,", ":3,"))
                        .code())
                .isEqualTo("ALREADY_INITIALIZED");
        assertThat(node.put("/v1/pools/spring:shoes", "{\"total\":5}").text("detail"))
                .as("the total is the same")
                .contains("or other terms of sale");
        Answer read = node.get("/v1/pools/spring:shoes");
        assertThat(read.json().at("/sale/limit_per_user").asLong()).isEqualTo(2);
        assertThat(read.json().at("/sale/opens_at").asText()).isEqualTo("2026-11-30T12:00:00Z");
        assertThat(read.json().at("/sale/key_version").asInt()).isEqualTo(3);
        assertThat(read.json().at("/sale/hand_off_backlog").asLong()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring:hats |"
                        + " {'limit_per_user':0,'opens_at':'2026-11-30T12:00:00Z','closes_at':'2026-11-30T13:00:00Z'} |"
                        + " /sale/limit_per_user",
                "spring:hats | {'opens_at':'2026-11-30T12:00:00Z','closes_at':'2026-11-30T12:00:00Z'} |"
                        + " /sale/closes_at",
                "spring:hats | {'opens_at':'2026-11-30T12:00:00.0001Z','closes_at':'2026-11-30T13:00:00Z'} |"
                        + " /sale/opens_at",
                "spring:hats | {'closes_at':'2026-11-30T13:00:00Z'} | /sale/opens_at",
                "spring:hats | 1 | /sale",
                "spring:hats:2026-11-30 | {'opens_at':'2026-11-30T12:00:00Z','closes_at':'2026-11-30T13:00:00Z'} |"
                        + " /sale",
                "spring:hats:b1 | {'opens_at':'2026-11-30T12:00:00Z','closes_at':'2026-11-30T13:00:00Z'} | /sale"
            })
    void a_sale_that_can_not_be_is_refused_with_the_place_of_the_fault(String pool, String sale, String pointer) {
        Answer answer = node.put("/v1/pools/" + pool, "{\"total\":5,\"sale\":" + sale.replace('\'', '"') + "}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/pointer").asText()).isEqualTo(pointer);
    }
}
