package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentStatements;
import io.holdfast.order.provider.PaymentNotices;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders of the built-in order service over HTTP, and the notices of payments for them. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class PlacedOrderRoutesTest {

    private static final String ID = "8ced73660b864d5b8352084950e45ef7";
    private static final String OTHER = "9ced73660b864d5b8352084950e45ef7";
    private static final String REFUND = "{\"refund_id\":\"r-1\",\"quantity\":1,\"amount\":250,\"currency\":\"EUR\"}";

    private final TestNode node = TestNode.start();

    @BeforeEach
    void an_order() {
        TestTill.order(node.orders, ID, "ann");
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void an_order_is_shown_with_what_was_asked_for_and_how_it_stands() {
        var order = node.get("/v1/orders/" + ID);
        assertThat(order.status()).isEqualTo(200);
        assertThat(order.at("/status")).isEqualTo("CREATED");
        assertThat(order.at("/item/user_id")).isEqualTo("ann");
        assertThat(order.at("/item/activity")).isEqualTo("spring");
        assertThat(order.at("/links/reservation")).isEqualTo("/v1/reservations/" + ID);
        assertThat(node.get("/v1/orders/" + OTHER).at("/code")).isEqualTo("UNKNOWN_ORDER");
    }

    @Test
    void a_buyer_begins_to_pay_and_a_signed_notice_makes_it_paid_once_however_often_it_comes() {
        assertThat(post("/payments", "{\"payment_id\":\"p-1\"}").at("/status")).isEqualTo("PAYING");
        String notice = notice("n-1", ID, "p-1", "tx-1");
        for (int i = 0; i < 3; i++) {
            var taken = send(notice, TestTill.SECRET, Instant.now());
            assertThat(taken.status()).isEqualTo(200);
            assertThat(taken.at("/taken")).isEqualTo("p-1");
        }
        var paid = node.get("/v1/orders/" + ID);
        assertThat(paid.at("/status")).isEqualTo("PAID");
        assertThat(paid.at("/payments/0/standing")).isEqualTo("SETTLED");
        assertThat(paid.at("/payments/1/standing")).isEmpty();
        assertThat(post("/payments", "{\"payment_id\":\"p-2\"}").at("/code")).isEqualTo("ALREADY_PAID");
        assertThat(post("/cancel", "").at("/code")).isEqualTo("ALREADY_PAID");
    }

    @Test
    void a_second_payment_goes_back() {
        send(notice("n-1", ID, "p-1", "tx-1"), TestTill.SECRET, Instant.now());
        send(notice("n-2", ID, "p-2", "tx-2"), TestTill.SECRET, Instant.now());
        var paid = node.get("/v1/orders/" + ID);
        assertThat(paid.at("/status")).isEqualTo("PAID");
        assertThat(paid.at("/payments/1/standing")).isEqualTo("GIVEN_BACK");
        assertThat(paid.at("/payments/1/reason")).isEqualTo("PAID_BEFORE");
    }

    @Test
    void a_payment_for_an_order_that_is_not_known_is_taken_and_waits() {
        assertThat(send(notice("n-1", OTHER, "p-1", "tx-1"), TestTill.SECRET, Instant.now())
                        .status())
                .isEqualTo(200);
        assertThat(node.get("/v1/orders/" + OTHER).at("/payments/0/standing")).isEqualTo("RECEIVED");
        TestTill.order(node.orders, OTHER, "bob");
        assertThat(node.get("/v1/orders/" + OTHER).at("/status")).isEqualTo("PAID");
    }

    @Test
    void a_notice_under_a_known_id_with_other_content_asks_for_a_person() {
        send(notice("n-1", ID, "p-1", "tx-1"), TestTill.SECRET, Instant.now());
        send(notice("n-1", ID, "p-9", "tx-9"), TestTill.SECRET, Instant.now());
        var marked = node.get("/v1/orders/" + ID);
        assertThat(marked.at("/status")).isEqualTo("MANUAL_REVIEW");
        assertThat(marked.at("/review/state_beneath")).isEqualTo("PAID");
        assertThat(node.post("/v1/orders/" + ID + "/resolve", "{\"resolution\":\"CONTINUE\",\"reason\":\"seen\"}")
                        .at("/code"))
                .isEqualTo("INVALID_REQUEST");
        assertThat(node.post(
                                "/v1/orders/" + ID + "/resolve",
                                "{\"resolution\":\"CONTINUE\",\"reason\":\"seen\"}",
                                "Idempotency-Key",
                                "k-1")
                        .at("/status"))
                .isEqualTo("PAID");
    }

    @Test
    void a_notice_that_is_not_signed_or_not_of_now_moves_nothing() {
        String notice = notice("n-1", ID, "p-1", "tx-1");
        assertThat(node.post("/v1/payment-notices", notice).at("/code")).isEqualTo("NOTICE_NOT_BELIEVED");
        assertThat(send(notice, "another secret".getBytes(StandardCharsets.UTF_8), Instant.now())
                        .at("/code"))
                .isEqualTo("NOTICE_NOT_BELIEVED");
        assertThat(send(notice, TestTill.SECRET, Instant.now().minus(Duration.ofHours(1)))
                        .at("/code"))
                .isEqualTo("NOTICE_OF_OTHER_TIME");
        assertThat(send("{\"type\":\"payment.succeeded\"}", TestTill.SECRET, Instant.now())
                        .at("/code"))
                .isEqualTo("NOTICE_NOT_UNDERSTOOD");
        assertThat(send("{\"type\":\"payment.failed\"}", TestTill.SECRET, Instant.now())
                        .at("/ignored"))
                .isEqualTo("payment.failed");
        assertThat(node.get("/v1/orders/" + ID).at("/status")).isEqualTo("CREATED");
    }

    @Test
    void an_unpaid_order_is_cancelled_and_a_payment_that_comes_later_goes_back() {
        assertThat(post("/refunds", REFUND).at("/code")).isEqualTo("NOT_PAID");
        assertThat(post("/cancel", "").at("/status")).isEqualTo("CANCELLED");
        assertThat(post("/cancel", "").status()).isEqualTo(200);
        assertThat(post("/payments", "{\"payment_id\":\"p-1\"}").at("/code")).isEqualTo("WAS_CANCELLED");
        send(notice("n-1", ID, "p-1", "tx-1"), TestTill.SECRET, Instant.now());
        assertThat(node.get("/v1/orders/" + ID).at("/payments/0/standing")).isEqualTo("GIVEN_BACK");
    }

    @Test
    void a_paid_order_goes_back_in_part_and_then_whole() {
        send(notice("n-1", ID, "p-1", "tx-1"), TestTill.SECRET, Instant.now());
        assertThat(post("/refunds", REFUND).at("/status")).isEqualTo("PAID");
        assertThat(post("/refunds", REFUND).at("/refunds/0/result")).isEqualTo("REFUNDED");
        assertThat(post("/refunds", REFUND.replace("250", "300")).at("/code")).isEqualTo("REFUND_ID_REUSED");
        assertThat(post("/refunds", REFUND.replace("r-1", "r-2").replace("EUR", "USD"))
                        .at("/code"))
                .isEqualTo("REFUND_CURRENCY");
        assertThat(post("/refunds", REFUND.replace("r-1", "r-3").replace("250", "251"))
                        .at("/code"))
                .isEqualTo("REFUND_EXCEEDS");
        assertThat(post("/refunds", REFUND.replace("r-1", "r-4")).at("/status")).isEqualTo("REFUNDED");
    }

    @Test
    void a_rejected_order_says_why() {
        TestTill.order(node.orders, OTHER, TestTill.TOO_LATE);
        var rejected = node.get("/v1/orders/" + OTHER);
        assertThat(rejected.at("/status")).isEqualTo("REJECTED");
        assertThat(rejected.at("/rejection")).isEqualTo("OUT_OF_FINAL_STOCK");
        assertThat(node.post("/v1/orders/" + OTHER + "/payments", "{\"payment_id\":\"p-1\"}")
                        .at("/code"))
                .isEqualTo("WAS_REJECTED");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /payments | {}                                                                                       | /payment_id
        /payments | {"payment_id":"a b"}                                                                     | /payment_id
        /cancel   | {"by":"nobody"}                                                                          | /by
        /refunds  | {"refund_id":"r-1","quantity":0,"amount":1,"currency":"EUR"}                             | /quantity
        /refunds  | {"refund_id":"r-1","quantity":1,"amount":1,"currency":"euro"}                            | /currency
        /refunds  | {"refund_id":"r-1","quantity":1,"amount":1}                                              | /currency
        /refunds  | {"refund_id":"order-canceled","quantity":1,"amount":1,"currency":"EUR"}                  | /refund_id
        """)
    void what_cannot_be_meant_is_refused_and_moves_nothing(String action, String body, String pointer) {
        var refused = post(action, body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("/errors/0/pointer")).isEqualTo(pointer);
        assertThat(node.get("/v1/orders/" + ID).at("/status")).isEqualTo("CREATED");
    }

    @Test
    void a_payment_of_the_statement_that_nobody_told_of_is_told_when_that_is_asked_for() {
        node.till.statement = List.of(new PaymentStatements.Line(
                ID,
                new Payment(
                        "p-1", TestTill.PROVIDER, "tx-1", new Money(500, "EUR"), Instant.parse("2026-11-29T10:01:00Z")),
                0));
        String wish = "{\"from\":\"2026-11-29T00:00:00Z\",\"to\":\"2026-11-30T00:00:00Z\"";
        var seen = node.post("/v1/payment-reconciliations", wish + "}");
        assertThat(seen.at("/findings/0/type")).isEqualTo("NOT_ON_RECORD");
        assertThat(seen.at("/findings/0/class")).isEqualTo("REPAIR");
        assertThat(seen.at("/open")).isEqualTo("1");
        assertThat(node.get("/v1/orders/" + ID).at("/status")).isEqualTo("CREATED");
        var told = node.post("/v1/payment-reconciliations", wish + ",\"mode\":\"repair\"}");
        assertThat(told.at("/findings/0/state")).isEqualTo("TOLD");
        assertThat(told.at("/open")).isEqualTo("0");
        assertThat(node.get("/v1/orders/" + ID).at("/status")).isEqualTo("PAID");
        assertThat(node.post("/v1/payment-reconciliations", wish.replace("11-30", "11-28") + "}")
                        .at("/errors/0/pointer"))
                .isEqualTo("/to");
    }

    private TestNode.Answer post(String action, String body) {
        return node.post("/v1/orders/" + ID + action, body);
    }

    private TestNode.Answer send(String notice, byte[] secret, Instant at) {
        return node.post(
                "/v1/payment-notices",
                notice,
                PaymentNotices.HEADER,
                PaymentNotices.sign(secret, notice.getBytes(StandardCharsets.UTF_8), at));
    }

    private static String notice(String id, String order, String payment, String transaction) {
        return """
            {"type":"payment.succeeded","notice_id":"%s","order_id":"%s","payment_id":"%s","provider_transaction":"%s",
             "amount":500,"currency":"EUR","paid_at":"2026-11-29T10:01:00Z"}\
            """.formatted(id, order, payment, transaction);
    }
}
