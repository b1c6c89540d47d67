package io.holdfast.it;

import static io.holdfast.it.SaleSite.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.reservation.domain.PoolOperation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The built-in order service on a whole node: over HTTP, Kafka, and a payment provider that is played. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SaleOrdersTest {

    private static final int REPEATS = 10_000;

    private static SaleSite shop;

    @BeforeAll
    static void open() {
        Map<String, String> settings = new HashMap<>(SaleSite.builtIn());
        settings.put("HOLDFAST_COMPENSATION_JOURNAL", "always");
        settings.put("HOLDFAST_ORDERS_SERVICE_PAYMENTS_LATE_PAYMENT", "reacquire");
        shop = SaleSite.open("saleorders", settings);
    }

    @AfterAll
    static void close() {
        shop.close();
    }

    @Test
    void a_hold_that_was_let_in_becomes_an_order_is_paid_and_goes_back_in_part() throws Exception {
        shop.sell("phone", 10);
        assertThat(shop.finalStock("phone", "available_stock")).isEqualTo(10);
        String id = shop.order("phone", "ann");
        shop.awaitReservation(id, "CONFIRMED");
        assertThat(shop.client()
                        .post("/v1/orders/" + id + "/payments", Map.of("payment_id", "pay-ann"), Map.of())
                        .text("/status"))
                .isEqualTo("PAYING");
        assertThat(shop.pay(id, "pay-ann", "SUCCESS")).isEqualTo(201);
        shop.awaitOrder(id, "PAID");
        assertThat(shop.finalStock("phone", "sold_stock")).isEqualTo(1);
        assertThat(shop.redis("phone", "sold")).isEqualTo(1);

        var refund = Map.of("refund_id", "back-1", "quantity", 1, "amount", 500, "currency", "EUR");
        shop.client().post("/v1/orders/" + id + "/refunds", refund, Map.of());
        shop.awaitOrder(id, "REFUNDED");
        shop.awaitReservation(id, "REFUNDED");
        assertThat(shop.finalStock("phone", "available_stock")).isEqualTo(10);
        assertThat(shop.redis("phone", "available")).isEqualTo(10);
        assertThat(shop.statement(id)).hasSize(1);
        assertThat(shop.statement(id).getFirst().at("/refunded_amount").asLong())
                .isEqualTo(500);
        shop.conserved("phone");
    }

    @Test
    void a_buyer_has_one_live_order_and_what_is_rejected_goes_back_to_the_gate() throws Exception {
        shop.sell("watch", 3);
        String first = shop.order("watch", "bob");
        String second = shop.admit("watch", "bob", "q2");
        shop.awaitOrder(second, "REJECTED");
        assertThat(shop.order(second).text("/rejection")).isEqualTo("DUPLICATE_BUYER");
        shop.awaitReservation(second, "CANCELED");
        shop.awaitReservation(first, "CONFIRMED");
        assertThat(shop.redis("watch", "available")).isEqualTo(2);
        assertThat(shop.finalStock("watch", "occupied_stock")).isEqualTo(1);

        shop.execute("update sku_inventory set initial_stock = initial_stock - available_stock, available_stock = 0"
                + " where sku = 'watch'");
        String late = shop.admit("watch", "cid", "q1");
        shop.awaitOrder(late, "REJECTED");
        assertThat(shop.order(late).text("/rejection")).isEqualTo("OUT_OF_FINAL_STOCK");
        shop.awaitReservation(late, "CANCELED");
        assertThat(shop.client()
                        .post("/v1/orders/" + late + "/payments", Map.of("payment_id", "pay-cid"), Map.of())
                        .code())
                .isEqualTo("WAS_REJECTED");
        shop.conserved("watch");
    }

    @Test
    void the_final_stock_is_raised_with_the_pool_and_lowered_to_what_is_taken_at_least() throws Exception {
        shop.sell("ring", 1);
        shop.order("ring", "dan");
        shop.pool("ring", new PoolOperation.Adjust("more", 4, OptionalLong.empty()));
        assertThat(shop.finalStock("ring", "initial_stock")).isEqualTo(4);
        shop.pool("ring", new PoolOperation.Adjust("none", 0, OptionalLong.empty()));
        assertThat(shop.finalStock("ring", "initial_stock")).isEqualTo(1);
        assertThat(shop.finalStock("ring", "available_stock")).isZero();
        assertThat(shop.count("select count(*) from order_ledger where sku = 'ring' and action = 'SET_TOTAL'"))
                .isEqualTo(3);
        shop.conserved("ring");
    }

    @Test
    void an_order_that_is_cancelled_gives_late_money_back_once_and_keeps_money_that_was_there() throws Exception {
        shop.sell("lamp", 10);
        String late = shop.order("lamp", "ann");
        String unknown = shop.order("lamp", "bob");
        String twice = shop.order("lamp", "cid");
        assertThat(shop.pay(late, "pay-late", "LATE")).isEqualTo(504);
        assertThat(shop.pay(unknown, "pay-unknown", "UNKNOWN")).isEqualTo(504);
        assertThat(shop.pay(twice, "pay-twice", "DOUBLE")).isEqualTo(201);
        // A pool that takes no holds has no units for an order that would come back.
        shop.pool("lamp", new PoolOperation.Pause("pause-lamp"));
        for (String id : List.of(late, unknown)) {
            shop.client().post("/v1/orders/" + id + "/cancel", Map.of(), Map.of());
        }
        shop.awaitOrder(late, "CANCELLED");
        shop.awaitReservation(late, "REFUNDED");
        awaitThat(
                "late money goes back",
                () -> shop.order(late).text("/payments/0/standing").equals("GIVEN_BACK"));
        shop.awaitOrder(unknown, "PAID");
        shop.awaitOrder(twice, "PAID");
        awaitThat(
                "second money goes back",
                () -> shop.order(twice).body().toString().contains("GIVEN_BACK"));
        assertThat(shop.statement(late))
                .singleElement()
                .satisfies(
                        line -> assertThat(line.at("/refunded_amount").asLong()).isEqualTo(500));
        assertThat(shop.statement(twice))
                .extracting(line -> line.at("/refunded_amount").asLong())
                .containsExactlyInAnyOrder(0L, 500L);
        assertThat(shop.finalStock("lamp", "sold_stock")).isEqualTo(2);
        assertThat(shop.finalStock("lamp", "available_stock")).isEqualTo(8);
        shop.conserved("lamp");
    }

    @Test
    void a_cancelled_order_comes_back_for_late_money_with_a_hold_of_its_own() throws Exception {
        shop.sell("vase", 2);
        String id = shop.order("vase", "ann");
        shop.awaitReservation(id, "CONFIRMED");
        assertThat(shop.pay(id, "pay-vase", "LATE")).isEqualTo(504);
        shop.client().post("/v1/orders/" + id + "/cancel", Map.of(), Map.of());
        shop.awaitOrder(id, "CANCELLED");
        shop.awaitReservation(id, "REFUNDED");
        shop.awaitOrder(id, "PAID");
        String hold = shop.order(id).text("/links/reservation").replaceFirst(".*/", "");
        assertThat(hold).isNotEqualTo(id);
        shop.awaitReservation(hold, "CONFIRMED");
        assertThat(shop.reservation(hold).text("/terms/order_id")).isEqualTo(id);
        assertThat(shop.statement(id))
                .singleElement()
                .satisfies(
                        line -> assertThat(line.at("/refunded_amount").asLong()).isZero());
        assertThat(shop.redis("vase", "sold")).isEqualTo(1);
        assertThat(shop.finalStock("vase", "sold_stock")).isEqualTo(1);
        assertThat(shop.finalStock("vase", "available_stock")).isEqualTo(1);

        var refund = Map.of("refund_id", "back-1", "quantity", 1, "amount", 500, "currency", "EUR");
        shop.client().post("/v1/orders/" + id + "/refunds", refund, Map.of());
        shop.awaitOrder(id, "REFUNDED");
        shop.awaitReservation(hold, "REFUNDED");
        assertThat(shop.redis("vase", "available")).isEqualTo(2);
        assertThat(shop.finalStock("vase", "available_stock")).isEqualTo(2);
        shop.conserved("vase");
    }

    @Test
    void an_order_that_is_frozen_is_in_the_list_until_it_goes_on_and_somebody_is_told() throws Exception {
        shop.sell("clock", 2);
        String id = shop.order("clock", "ann");
        shop.client()
                .post("/v1/orders/" + id + "/freeze", Map.of("reason", "disputed"), Map.of("Idempotency-Key", "f-1"));
        String listed = "/v1/anomalies?source=orders&class=MANUAL&open=true";
        awaitThat("listed", () -> shop.client().get(listed).body().toString().contains(id));
        awaitThat(
                "told",
                () -> shop.records("lifecycle").stream()
                        .anyMatch(record -> record.key().equals(id)
                                && new String(
                                                record.headers()
                                                        .lastHeader("ce_type")
                                                        .value(),
                                                StandardCharsets.UTF_8)
                                        .equals("InventoryOrderReviewOpened")));
        shop.client()
                .post(
                        "/v1/orders/" + id + "/resolve",
                        Map.of("resolution", "CONTINUE", "reason", "clear"),
                        Map.of("Idempotency-Key", "r-1"));
        awaitThat(
                "not listed", () -> !shop.client().get(listed).body().toString().contains(id));
        shop.conserved("clock");
    }

    @Test
    void a_payment_that_nobody_told_of_is_found_in_the_statement() {
        shop.sell("tent", 2);
        String id = shop.order("tent", "ann");
        assertThat(shop.pay(id, "pay-tent", "UNKNOWN")).isEqualTo(504);
        var wish = Map.of("from", "2020-01-01T00:00:00Z", "to", "2020-01-30T00:00:00Z");
        assertThat(shop.client()
                        .post("/v1/payment-reconciliations", wish, Map.of())
                        .number("/compared"))
                .isZero();
        String now = java.time.Instant.now()
                .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                .plusSeconds(60)
                .toString();
        String before = java.time.Instant.parse(now).minusSeconds(3600).toString();
        var found = shop.client()
                .post("/v1/payment-reconciliations", Map.of("from", before, "to", now, "mode", "repair"), Map.of());
        assertThat(found.body().toString())
                .contains("\"order_id\":\"" + id + "\"")
                .contains("TOLD");
        shop.awaitOrder(id, "PAID");
        assertThat(shop.client()
                        .post("/v1/payment-reconciliations", Map.of("from", before, "to", now), Map.of())
                        .body()
                        .toString())
                .doesNotContain(id);
        shop.conserved("tent");
    }

    @Test
    void whether_a_buyer_pays_or_cancels_first_money_and_goods_end_together() throws Exception {
        shop.sell("race", 20);
        List<String> orders = IntStream.range(0, 8)
                .mapToObj(i -> shop.admit("race", "user-" + i, "q1"))
                .toList();
        orders.forEach(id -> shop.awaitOrder(id, "CREATED"));
        List<CompletableFuture<?>> both = new ArrayList<>();
        for (String id : orders) {
            both.add(CompletableFuture.runAsync(() -> shop.pay(id, "pay-" + id.substring(0, 8), "SUCCESS")));
            both.add(shop.client().postAsync("/v1/orders/" + id + "/cancel", Map.of(), Map.of()));
        }
        CompletableFuture.allOf(both.toArray(CompletableFuture[]::new)).join();
        long paid = 0;
        for (String id : orders) {
            awaitThat(
                    "ended",
                    () -> List.of("PAID", "CANCELLED").contains(shop.order(id).text("/status")));
            boolean isPaid = shop.order(id).text("/status").equals("PAID");
            paid += isPaid ? 1 : 0;
            shop.awaitReservation(id, isPaid ? "CONFIRMED" : "REFUNDED");
            awaitThat(
                    "money goes back where goods did",
                    () -> shop.statement(id).stream()
                            .allMatch(line -> line.at("/refunded_amount").asLong() == (isPaid ? 0 : 500)));
            assertThat(isPaid && shop.statement(id).isEmpty()).isFalse();
        }
        assertThat(shop.finalStock("race", "sold_stock")).isEqualTo(paid);
        assertThat(shop.finalStock("race", "available_stock")).isEqualTo(20 - paid);
        assertThat(shop.redis("race", "sold")).isEqualTo(paid);
        shop.conserved("race");
    }

    @Test
    void a_request_that_comes_ten_thousand_times_makes_one_order_and_one_that_says_nothing_is_a_dead_letter()
            throws Exception {
        shop.sell("bag", 5);
        String id = shop.order("bag", "ann");
        var request = shop.records("order-requests").stream()
                .filter(record -> record.key().equals(id))
                .findFirst()
                .orElseThrow();
        shop.sendOften(REPEATS, "order-requests", id, request.value(), request.headers());
        shop.send("order-requests", id, "{}".getBytes(StandardCharsets.UTF_8), request.headers());
        awaitThat(
                "a dead letter",
                () -> shop.client()
                        .get("/v1/dead-letters?topic=" + shop.topic("order-requests"))
                        .body()
                        .toString()
                        .contains("INVALID_DATA"));
        awaitThat("all are read", () -> shop.unread("order-requests") == 0);
        awaitThat(
                "it is in the list of what needs a person, with what to do",
                () -> shop.client()
                        .get("/v1/anomalies?source=messaging&class=MANUAL&open=true")
                        .body()
                        .toString()
                        .contains("./holdfast dlq replay --topic " + shop.topic("order-requests")));
        awaitThat(
                "somebody is told",
                () -> shop.records("lifecycle").stream()
                        .map(record -> new String(
                                record.headers().lastHeader("ce_type").value(), StandardCharsets.UTF_8))
                        .anyMatch("InventoryAnomalyFound"::equals));
        assertThat(shop.count("select count(*) from orders where order_id = '" + id + "'"))
                .isEqualTo(1);
        assertThat(shop.count("select count(*) from consumer_inbox where reservation_id = '" + id + "'"))
                .isEqualTo(1);
        assertThat(shop.count("select count(*) from order_ledger where order_id = '" + id + "'"))
                .isEqualTo(1);
        assertThat(shop.order(id).text("/status")).isEqualTo("CREATED");
        assertThat(shop.records("orders").stream()
                        .filter(record -> record.key().equals(id))
                        .map(record ->
                                new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8))
                        .distinct())
                .hasSize(1);
        shop.conserved("bag");
    }

    @Test
    void a_thousand_requests_of_one_buyer_make_one_order_and_everything_else_goes_back() throws Exception {
        int crowd = 1_000;
        shop.sell("coat", crowd, crowd);
        List<CompletableFuture<Client.Answer>> asked = new ArrayList<>();
        for (int i = 0; i < crowd; i++) {
            asked.add(shop.ask(shop.client(), "coat", "ann", "q" + i));
        }
        assertThat(asked)
                .allSatisfy(one -> assertThat(one.join().status())
                        .as("%s", one.join().body())
                        .isEqualTo(202));
        String decided = "select count(*) from consumer_inbox i join reservation_view r using (reservation_id)"
                + " where r.pool = '" + SaleSite.pool("coat").value() + "' and i.result = ";
        awaitThat(
                "all but one are given back",
                () -> shop.count("select count(*) from reservation_view where status = 'CANCELED' and pool = '"
                                + SaleSite.pool("coat").value() + "'")
                        == crowd - 1);
        assertThat(shop.count(decided + "'CREATED'")).isEqualTo(1);
        assertThat(shop.count(decided + "'DUPLICATE_BUYER'")).isEqualTo(crowd - 1);
        assertThat(shop.finalStock("coat", "available_stock")).isEqualTo(crowd - 1);
        shop.conserved("coat");
        assertThat(shop.redis("coat", "available")).isEqualTo(crowd - 1);
    }

    @Test
    void a_compensation_that_is_carried_out_ten_thousand_times_gives_back_once() throws Exception {
        shop.sell("scarf", 5);
        shop.execute("update sku_inventory set initial_stock = 0, available_stock = 0 where sku = 'scarf'");
        String id = shop.admit("scarf", "ann", "q1");
        awaitThat(
                "rejected",
                () -> shop.count("select count(*) from consumer_inbox where reservation_id = '" + id + "'") == 1);
        List<CompletableFuture<Outcome<CancelReply>>> released = new ArrayList<>();
        for (int crowd = 0; crowd < REPEATS / 500; crowd++) {
            List<CompletableFuture<Outcome<CancelReply>>> together = IntStream.range(0, 500)
                    .mapToObj(_ -> shop.release("scarf", id).toCompletableFuture())
                    .toList();
            CompletableFuture.allOf(together.toArray(CompletableFuture[]::new)).join();
            released.addAll(together);
        }
        shop.awaitReservation(id, "CANCELED");
        assertThat(released)
                .allSatisfy(one -> assertThat(one.join())
                        .isInstanceOfSatisfying(
                                Outcome.Known.class,
                                known -> assertThat(known.value())
                                        .isInstanceOfAny(
                                                CancelReply.Released.class, CancelReply.AlreadyReleased.class)));
        assertThat(released.stream()
                        .filter(one -> one.join() instanceof Outcome.Known<CancelReply>(CancelReply.Released _)))
                .as("with what the node did, once")
                .hasSizeLessThanOrEqualTo(1);
        awaitThat(
                "verified",
                () -> shop.count("select count(*) from compensation_view where key = 'RELEASE:" + id
                                + "' and status = 'VERIFIED'")
                        == 1);
        shop.conserved("scarf");
        assertThat(shop.redis("scarf", "available")).isEqualTo(5);
        assertThat(shop.redis("scarf", "version"))
                .as("made, let in, given back")
                .isEqualTo(3);
    }

    @Test
    void an_order_whose_request_waits_in_its_topic_is_not_rejected_when_its_deadline_passes() throws Exception {
        Map<String, String> slow = new HashMap<>(SaleSite.builtIn());
        slow.put("HOLDFAST_ORDERS_SERVICE_REQUESTS_CONCURRENCY", "1");
        slow.put("HOLDFAST_ORDERS_SERVICE_REQUESTS_LAG_LIMIT", "1s");
        slow.put("HOLDFAST_ORDERS_SERVICE_TRANSACTION_TIMEOUT", "1m");
        try (SaleSite lagging = SaleSite.open("laggingrequests", slow)) {
            lagging.sell("phone", 3);
            lagging.sell("watch", 3);
            String waits;
            try (var points = new Failpoints(lagging.site.database())) {
                String first = lagging.id("phone", "ann", "q1");
                waits = lagging.id("watch", "bob", "q1");
                points.shut(Failpoint.BEFORE_INBOX_INSERT, first);
                points.shut(Failpoint.BEFORE_INBOX_INSERT, waits);
                lagging.admit("phone", "ann", "q1");
                awaitThat("the reader stands still", () -> points.isWaitedAt(Failpoint.BEFORE_INBOX_INSERT, first));
                lagging.admit("watch", "bob", "q1", Duration.ofSeconds(2));
                awaitThat(
                        "its hold asks, and is put off as long as its request may be waiting",
                        () -> lagging.reservation(waits)
                                .body()
                                .at("/working")
                                .toString()
                                .contains("the oldest request waits for"));
                assertThat(lagging.count("select count(*) from journal_readable where type = 'DeadlineReached'"))
                        .isZero();
                assertThat(lagging.reservation(waits).text("/status")).isEqualTo("RESERVED");
                points.open(Failpoint.BEFORE_INBOX_INSERT, first);
                points.open(Failpoint.BEFORE_INBOX_INSERT, waits);
            }
            lagging.awaitOrder(waits, "CREATED");
            lagging.awaitReservation(waits, "CONFIRMED");
            lagging.conserved("phone");
            lagging.conserved("watch");
        }
    }

    @Test
    void an_order_whose_request_does_not_arrive_is_decided_at_its_deadline_and_changes_nothing_when_it_comes_after_all()
            throws Exception {
        Map<String, String> deaf = new HashMap<>(SaleSite.builtIn());
        deaf.put("HOLDFAST_KAFKA_IGNORED_TYPES", "OrderCreateRequested");
        try (SaleSite lost = SaleSite.open("lostrequests", deaf)) {
            lost.sell("phone", 3);
            String id = lost.admit("phone", "ann", "q1", Duration.ofSeconds(2));
            lost.awaitOrder(id, "REJECTED");
            assertThat(lost.order(id).text("/rejection")).isEqualTo("BUSINESS_DEADLINE_EXCEEDED");
            lost.awaitReservation(id, "CANCELED");
            assertThat(lost.redis("phone", "available")).isEqualTo(3);

            var request = lost.records("order-requests").getFirst();
            assertThat(request.key()).isEqualTo(id);
            lost.site.closeNode(0);
            lost.site.with(Map.of("HOLDFAST_KAFKA_IGNORED_TYPES", "SomethingElse"));
            lost.site.startNode();
            lost.sendOften(3, "order-requests", id, request.value(), request.headers());
            String next = lost.id("phone", "bob", "q1");
            assertThat(lost.ask(lost.client(), "phone", "bob", "q1").join().text("/reservation_id"))
                    .isEqualTo(next);
            lost.awaitOrder(next, "CREATED");
            awaitThat("all are read", () -> lost.unread("order-requests") == 0);
            assertThat(lost.order(id).text("/status")).isEqualTo("REJECTED");
            assertThat(lost.count("select count(*) from orders where order_id = '" + id + "'"))
                    .isZero();
            assertThat(lost.count("select count(*) from consumer_inbox where reservation_id = '" + id + "'"))
                    .isEqualTo(1);
            lost.awaitReservation(next, "CONFIRMED");
            lost.conserved("phone");
        }
    }

    @Test
    void another_order_service_takes_its_place_by_configuration() throws Exception {
        try (SaleSite other = SaleSite.open("otherorders", Map.of())) {
            other.sell("phone", 3);
            String id = other.admit("phone", "ann", "q1");
            awaitThat(
                    "asked for",
                    () -> other.records("order-requests").stream()
                            .anyMatch(record -> record.key().equals(id)));
            assertThat(other.order(id).code()).isEqualTo("NO_ORDER_SERVICE");
            assertThat(other.reservation(id).text("/status")).isEqualTo("RESERVED");
            other.send(
                    "orders",
                    id,
                    "OrderCreated",
                    "e-1",
                    "{\"order_id\":\"" + id + "\",\"inventory_reservation_ids\":[\"" + id + "\"]}");
            other.awaitReservation(id, "CONFIRMED");
            assertThat(other.count("select count(*) from orders")).isZero();
        }
    }
}
