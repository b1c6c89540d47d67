package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.http.openapi.Fuzzer;
import io.holdfast.messaging.follow.Portion;
import io.holdfast.order.provider.PaymentNotices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests made from the OpenAPI document, right ones and bent ones, at the routes alone; on real stores {@code it-tests} does it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FuzzTest {

    private static final String[] POOLS = {"m1:d1", "m1:d2:2026-11-29", "m1:d3"};

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatever_is_asked_the_answer_is_documented_no_fault_and_no_unit_is_lost(long seed)
            throws IOException, InterruptedException {
        try (TestNode node = TestNode.start(FuzzTest::impatient)) {
            TestTill.order(node.orders, "8ced73660b864d5b8352084950e45ef7", "ann");
            node.followers.script = i -> i == 0 ? told() : quiet();
            var fuzzer = new Fuzzer(node.uri("/"), seed)
                    .preferring("", "", "", "wait=0", "respond-async", "wait=x")
                    .knowing("pool", POOLS)
                    .knowing("PoolId", POOLS)
                    .knowing("merchant", "m1")
                    .knowing("dish", "d1", "d2")
                    .knowing("order_id", "o1", "o2", "8ced73660b864d5b8352084950e45ef7")
                    .knowing("order_item_id", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8")
                    .knowing("refund_id", "r1", "r2")
                    // A declared end moves nothing: after it the numbers do not add up, and are not meant to.
                    .knowing("resolution", "CONTINUE")
                    .knowing("name", "reservation", "stock-pool")
                    .knowing("url", "https://shop.example/hooks", "https://10.0.0.1/hooks")
                    .signing(body ->
                            PaymentNotices.sign(TestTill.SECRET, body.getBytes(StandardCharsets.UTF_8), Instant.now()))
                    .weighing("createPool", 6)
                    .weighing("askForHold", 12)
                    .weighing("confirmReservation", 6)
                    .weighing("cancelReservation", 4)
                    .weighing("refundReservation", 6);
            Fuzzer.Report report = fuzzer.run(400);
            await().atMost(Duration.ofSeconds(30)).until(() -> node.followers.open.get() == 0);

            assertThat(report.statuses().keySet()).contains(200, 400, 404, 409);
            assertThat(report.accepted()).as("not everything is refused").hasSizeGreaterThan(20);
            for (String pool : POOLS) {
                balanced(node, pool);
            }
        }
    }

    private static CompletionStage<Portion> told() {
        return CompletableFuture.completedFuture(new Portion(
                List.of(TestFollowers.told(1, "InventoryReserved", Map.of())), TestFollowers.place(1), false));
    }

    /** What says now and then that the stream is alive, and so finds out that nobody reads it any more. */
    private static CompletionStage<Portion> quiet() {
        return CompletableFuture.supplyAsync(
                () -> new Portion(List.of(), TestFollowers.place(1), false),
                CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
    }

    /** What is not settled at once will not be in these tests. */
    private static HttpSettings impatient(HttpSettings settings) {
        var usual = settings.patience();
        return new HttpSettings(
                settings.host(),
                settings.port(),
                settings.limits(),
                new HttpSettings.Patience(Duration.ofMillis(50), usual.most(), usual.grace(), usual.retryAfter()),
                settings.access());
    }

    /** What left the pool is with the reservations, to the unit. */
    private static void balanced(TestNode node, String pool) {
        TestNode.Answer seen = node.get("/v1/pools/" + pool);
        if (seen.status() == 404) {
            return;
        }
        var books = seen.json().at("/redis/books");
        long out = books.path("reserved").asLong() + books.path("sold").asLong();
        assertThat(books.path("total").asLong() + books.path("deficit").asLong())
                .as(seen.body())
                .isEqualTo(books.path("available").asLong() + out);
        List<String> holders = new ArrayList<>();
        long held = 0;
        for (String id : node.reservations.journaled()) {
            var reservation = node.get("/v1/reservations/" + id).json();
            if (!reservation.at("/terms/pool").asText().equals(pool)) {
                continue;
            }
            long of = reservation.at("/units/held").asLong()
                    - reservation.at("/units/released").asLong();
            for (var refund : reservation.path("refunds")) {
                if (refund.get("result").asText().equals("REFUNDED")
                        && refund.get("restock").asBoolean()) {
                    of -= refund.get("quantity").asLong();
                }
            }
            held += of;
            holders.add(of + " of " + reservation);
        }
        assertThat(out).as(pool + " " + seen.body() + " " + holders).isEqualTo(held);
    }
}
