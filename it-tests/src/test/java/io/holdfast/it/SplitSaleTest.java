package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.machine.Cause;
import io.holdfast.it.Client.Answer;
import io.holdfast.node.Node;
import io.holdfast.reservation.domain.Fact;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Sales whose stock lies in several buckets of a real Redis Cluster, over HTTP at two nodes. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SplitSaleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MASTERS = 3;
    private static final int BUCKETS = 6;

    private static RedisMasters redis;
    private static Site site;
    private static Node node;

    @BeforeAll
    static void open() {
        redis = new RedisMasters("split", MASTERS);
        site = Site.open("split", Map.of("HOLDFAST_REDIS_URL", redis.uris()));
        node = site.startNode();
        site.startNode();
    }

    @AfterAll
    static void close() {
        site.close();
        redis.close();
    }

    private static Answer sale(String sku, long total, long limit, int buckets) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Answer made = site.client(0)
                .put(
                        "/v1/pools/spring:" + sku,
                        Map.of(
                                "total",
                                total,
                                "sale",
                                Map.of(
                                        "limit_per_user",
                                        limit,
                                        "opens_at",
                                        now.minusSeconds(60).toString(),
                                        "closes_at",
                                        now.plusSeconds(3600).toString(),
                                        "buckets",
                                        buckets)));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(pool(sku).text("/status"))
                        .as("%s", made.body())
                        .isEqualTo("OPEN"));
        return made;
    }

    private static Answer pool(String sku) {
        return site.client(0).get("/v1/pools/spring:" + sku);
    }

    /** Whoever hears that nothing is known, or that units are on their way, asks again with the same ids. */
    private static CompletableFuture<Answer> ask(int at, String sku, String user, String request, long quantity) {
        return site.client(at)
                .postAsync(
                        "/v1/sales/spring/skus/" + sku + "/reservations",
                        Map.of("user_id", user, "request_id", request, "quantity", quantity),
                        Map.of())
                .thenCompose(answer -> answer.status() == 0 || answer.status() == 503
                        ? CompletableFuture.supplyAsync(
                                        () -> ask(at, sku, user, request, quantity),
                                        CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS))
                                .thenCompose(again -> again)
                        : CompletableFuture.completedFuture(answer));
    }

    private static List<Answer> crowd(String sku, String users, int count, long quantity) {
        List<CompletableFuture<Answer>> crowd = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            crowd.add(ask(i % 2, sku, users + i, "q", quantity));
        }
        return crowd.stream().map(CompletableFuture::join).toList();
    }

    private static List<Answer> in(List<Answer> answers) {
        assertThat(answers.stream().filter(one -> one.status() != 202))
                .allSatisfy(one -> assertThat(one.code()).as("%s", one.body()).isEqualTo("SOLD_OUT"));
        return answers.stream().filter(one -> one.status() == 202).toList();
    }

    private static void awaitStock(String sku, long total, long available, long reserved) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer seen = pool(sku);
            String stock = "total %d moving %d available %d reserved %d waiting %d"
                    .formatted(
                            seen.number("/sale/buckets/total"),
                            seen.number("/sale/buckets/moving"),
                            seen.number("/sale/buckets/redis/available"),
                            seen.number("/sale/buckets/redis/reserved"),
                            listed(sku));
            assertThat(stock)
                    .as("%s", seen.body())
                    .isEqualTo("total %d moving 0 available %d reserved %d waiting 0", total, available, reserved);
        });
    }

    /** Of all buckets. */
    private static long listed(String sku) {
        return pool(sku).number("/sale/hand_off_backlog");
    }

    private static String bucket(String sku, int index) {
        return "spring:" + sku + (index == 0 ? "" : ":b" + index);
    }

    /** Its order will never be: what it holds goes back to where it came from. */
    private static void fails(Answer admitted) {
        String id = admitted.text("/reservation_id");
        node.reservations()
                .ask(
                        id,
                        new Cause("failed-" + id, "", Cause.Kind.REQUEST, "test", Optional.empty()),
                        new Fact.OrderCreatedFailed(id, "payment refused"),
                        Duration.ofSeconds(20))
                .toCompletableFuture()
                .join();
        await().atMost(PATIENCE)
                .until(() -> site.client(1)
                        .get("/v1/reservations/" + id)
                        .text("/status")
                        .equals("CANCELED"));
    }

    private static void nothingDiffers() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            String run = site.client(0)
                    .post("/v1/reconciliations", Map.of("all", true, "full", true), Map.of())
                    .text("/run");
            await().atMost(PATIENCE)
                    .until(() -> site.client(0)
                            .get("/v1/reconciliations/" + run)
                            .text("/status")
                            .equals("COMPLETED"));
            assertThat(site.client(0).get("/v1/reconciliations/" + run).body().path("findings"))
                    .isEmpty();
        });
    }

    @Test
    void a_crowd_is_let_in_to_the_last_unit_wherever_it_lies_and_what_comes_back_is_sold_again() {
        Answer made = sale("shoes", 50, 1, BUCKETS);
        assertThat(made.number("/sale/buckets/count")).isEqualTo(BUCKETS);
        assertThat(IntStream.range(0, BUCKETS)
                        .map(i -> redis.of(bucket("shoes", i)))
                        .distinct())
                .as("masters that share the sale")
                .hasSizeGreaterThan(1);

        List<Answer> in = in(crowd("shoes", "u", 300, 1));
        assertThat(in).hasSize(50);
        awaitStock("shoes", 50, 0, 50);
        for (Answer one : in.subList(0, 5)) {
            Answer again = ask(1, "shoes", one.text("/user_id"), "q", 1).join();
            assertThat(again.replayed()).contains("true");
            assertThat(again.text("/reservation_id")).isEqualTo(one.text("/reservation_id"));
            // For a moment a node remembers that nothing was left, and says that first.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(ask(0, "shoes", one.text("/user_id"), "other", 1)
                                    .join()
                                    .code())
                            .isEqualTo("LIMIT_REACHED"));
        }

        for (Answer one : in.subList(0, 3)) {
            fails(one);
        }
        awaitStock("shoes", 50, 3, 47);
        assertThat(in(crowd("shoes", "w", 40, 1))).hasSize(3);
        assertThat(ask(0, "shoes", in.getFirst().text("/user_id"), "once-more", 1)
                        .join()
                        .code())
                .as("its limit was given back, its units are others'")
                .isEqualTo("SOLD_OUT");
        awaitStock("shoes", 50, 0, 50);
        nothingDiffers();
    }

    @Test
    void a_bucket_that_is_loaded_anew_in_the_middle_of_a_sale_loses_and_makes_no_unit() {
        sale("hats", 60, 2, BUCKETS);
        assertThat(in(crowd("hats", "first", 20, 1))).hasSize(20);
        List<CompletableFuture<Answer>> crowd = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            crowd.add(ask(i % 2, "hats", "u" + i, "q", 2));
            if (i == 40 || i == 80) {
                Answer rebuilding = site.client(0)
                        .post(
                                "/v1/pools/" + bucket("hats", i / 40) + "/rebuild",
                                Map.of(),
                                Map.of("Idempotency-Key", "again-" + i));
                assertThat(rebuilding.status()).as("%s", rebuilding.body()).isIn(200, 202);
            }
        }
        List<Answer> in = in(crowd.stream().map(CompletableFuture::join).toList());
        assertThat(in).hasSize(20);
        awaitStock("hats", 60, 0, 60);
        assertThat(site.client(0).get("/v1/pools/" + bucket("hats", 1)).number("/redis/books/epoch"))
                .isGreaterThan(1);
        nothingDiffers();
    }

    @Test
    void the_first_pool_speaks_for_the_sale() {
        sale("rings", 12, 5, BUCKETS);
        Answer more = site.client(1)
                .post("/v1/pools/spring:rings/adjustments", Map.of("total", 20), Map.of("Idempotency-Key", "more"));
        assertThat(more.status()).as("%s", more.body()).isEqualTo(200);
        awaitStock("rings", 20, 20, 0);
        assertThat(in(crowd("rings", "u", 3, 5))).hasSize(3);
        awaitStock("rings", 20, 5, 15);
        Answer less = site.client(0)
                .post("/v1/pools/spring:rings/adjustments", Map.of("total", 16), Map.of("Idempotency-Key", "less"));
        assertThat(less.status()).as("%s", less.body()).isEqualTo(200);
        awaitStock("rings", 16, 1, 15);
        Answer tooLow = site.client(0)
                .post("/v1/pools/spring:rings/adjustments", Map.of("total", 14), Map.of("Idempotency-Key", "low"));
        assertThat(tooLow.code()).isEqualTo("UNITS_SHORT");
        Answer ofABucket =
                site.client(0).post("/v1/pools/spring:rings:b1/pause", Map.of(), Map.of("Idempotency-Key", "p1"));
        assertThat(ofABucket.code()).isEqualTo("PART_OF_SALE");
        assertThat(ofABucket.text("/sale_pool")).isEqualTo("spring:rings");

        for (int i = 0; i < BUCKETS; i++) {
            Answer pastTheGate = site.client(i % 2)
                    .post(
                            "/v1/reservations",
                            Map.of(
                                    "pool",
                                    bucket("rings", i),
                                    "order_id",
                                    "o-1",
                                    "order_item_id",
                                    "o-1-" + i,
                                    "user_id",
                                    "u0",
                                    "quantity",
                                    1),
                            Map.of());
            assertThat(pastTheGate.code()).as("%s", pastTheGate.body()).isEqualTo("PART_OF_SALE");
            assertThat(pastTheGate.text("/sale_url")).isEqualTo("/v1/sales/spring/skus/rings/reservations");
        }

        for (String what : List.of("pause", "resume", "pause", "close")) {
            Answer done = site.client(0)
                    .post(
                            "/v1/pools/spring:rings/" + what,
                            Map.of(),
                            Map.of("Idempotency-Key", what + Instant.now().toEpochMilli()));
            assertThat(done.status()).as("%s", done.body()).isIn(200, 202);
            String status = Map.of("pause", "PAUSED", "resume", "OPEN", "close", "CLOSED")
                    .get(what);
            await().atMost(PATIENCE).untilAsserted(() -> {
                Answer seen = pool("rings");
                assertThat(seen.text("/status")).isEqualTo(status);
                for (int i = 0; i < BUCKETS; i++) {
                    assertThat(seen.text("/sale/buckets/pools/" + i + "/status"))
                            .as("%s", seen.body())
                            .isEqualTo(status);
                }
            });
        }
        assertThat(ask(0, "rings", "late", "q", 1).join().code()).isEqualTo("CLOSED");

        Answer taken = site.client(0).put("/v1/pools/spring:mugs:b2", Map.of("total", 1));
        assertThat(taken.status()).isEqualTo(201);
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Answer refused = site.client(0)
                .put(
                        "/v1/pools/spring:mugs",
                        Map.of(
                                "total",
                                5,
                                "sale",
                                Map.of(
                                        "opens_at", now.toString(),
                                        "closes_at", now.plusSeconds(60).toString(),
                                        "buckets", 3)));
        assertThat(refused.code()).as("%s", refused.body()).isEqualTo("BUCKET_TAKEN");
        nothingDiffers();
    }

    @Test
    void units_that_lie_apart_come_together_for_whoever_wants_several() {
        sale("pens", BUCKETS, 4, BUCKETS);
        List<Answer> in = in(crowd("pens", "u", 10, 4));
        assertThat(in).hasSize(1);
        assertThat(in(crowd("pens", "v", 10, 2))).hasSize(1);
        awaitStock("pens", BUCKETS, 0, BUCKETS);
    }
}
