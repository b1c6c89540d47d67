package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.it.Client.Answer;
import io.holdfast.launcher.NodeProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Users at the gates of sales, over HTTP, on real stores. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class GateTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String DUE = "hf:{spring:shoes}:due";

    private static Site site;

    @BeforeAll
    static void open() {
        site = Site.withNode("gate");
        site.startNode();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static void sale(Client client, String sku, long total, long limit) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Answer made = client.put(
                "/v1/pools/spring:" + sku,
                Map.of(
                        "total",
                        total,
                        "sale",
                        Map.of(
                                "limit_per_user", limit,
                                "opens_at", now.minusSeconds(60).toString(),
                                "closes_at", now.plusSeconds(3600).toString())));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    /** As a user asks: whoever gets no answer, or hears that nobody knows what became of it, asks again with the same ids. */
    private static CompletableFuture<Answer> ask(Client client, String sku, String user, String request) {
        return client.postAsync(
                        "/v1/sales/spring/skus/" + sku + "/reservations",
                        Map.of("user_id", user, "request_id", request),
                        Map.of())
                .thenCompose(answer -> answer.status() == 0 || answer.code().equals("OUTCOME_UNKNOWN")
                        ? ask(client, sku, user, request)
                        : CompletableFuture.completedFuture(answer));
    }

    private static Answer pool(Client client, String sku) {
        return client.get("/v1/pools/spring:" + sku);
    }

    private static long journaled(String sku) throws Exception {
        try (var database = site.database();
                var question = database.prepareStatement(
                        "select count(*) from reservation_view where pool = ? and status = 'RESERVED'")) {
            question.setString(1, "spring:" + sku);
            try (var row = question.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private static void awaitAllTakenOver(String sku, long held) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(journaled(sku)).isEqualTo(held);
            assertThat(pool(site.client(), sku).number("/sale/hand_off_backlog"))
                    .isZero();
        });
        Answer pool = pool(site.client(), sku);
        assertThat(pool.number("/redis/books/reserved")).isEqualTo(held);
    }

    @Test
    void a_crowd_before_scarce_stock_lets_in_exactly_what_there_is_and_all_of_it_reaches_its_journal() {
        sale(site.client(0), "shoes", 40, 1);
        List<CompletableFuture<Answer>> crowd = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            crowd.add(ask(site.client(i % 2), "shoes", "u" + i, "q"));
        }
        List<Answer> answers = crowd.stream().map(CompletableFuture::join).toList();
        List<Answer> in = answers.stream().filter(one -> one.status() == 202).toList();
        assertThat(in).hasSize(40);
        assertThat(answers.stream().filter(one -> one.status() != 202))
                .allSatisfy(one -> assertThat(one.code()).as("%s", one.body()).isEqualTo("SOLD_OUT"));
        awaitAllTakenOver("shoes", 40);
        Answer first = site.client(1).get(in.getFirst().location().orElseThrow());
        assertThat(first.text("/status")).isEqualTo("RESERVED");
        assertThat(first.text("/order_request/state")).isIn("PENDING", "PUBLISHING", "UNKNOWN");
        assertThat(ask(site.client(1), "shoes", in.getFirst().text("/user_id"), "q")
                        .join())
                .satisfies(again -> {
                    assertThat(again.status()).isEqualTo(202);
                    assertThat(again.replayed()).contains("true");
                    assertThat(again.text("/admitted_at"))
                            .isEqualTo(in.getFirst().text("/admitted_at"));
                });
    }

    @Test
    void a_thousand_requests_of_one_user_are_let_in_once_and_one_request_two_hundred_times_is_one_hold() {
        sale(site.client(0), "hats", 500, 1);
        List<CompletableFuture<Answer>> different = new ArrayList<>();
        List<CompletableFuture<Answer>> same = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            different.add(ask(site.client(i % 2), "hats", "ann", "q" + i));
            if (i % 5 == 0) {
                same.add(ask(site.client(i % 2), "hats", "bob", "only"));
            }
        }
        List<Answer> ofAnn = different.stream().map(CompletableFuture::join).toList();
        assertThat(ofAnn.stream().filter(one -> one.status() == 202)).hasSize(1);
        assertThat(ofAnn.stream().filter(one -> one.status() != 202))
                .allSatisfy(one -> assertThat(one.code()).as("%s", one.body()).isEqualTo("LIMIT_REACHED"));
        List<Answer> ofBob = same.stream().map(CompletableFuture::join).toList();
        assertThat(ofBob)
                .allSatisfy(one -> assertThat(one.status()).as("%s", one.body()).isEqualTo(202));
        assertThat(ofBob.stream().map(one -> one.text("/reservation_id")).distinct())
                .hasSize(1);
        assertThat(ofBob.stream().filter(one -> one.replayed().isEmpty()))
                .as("the first answer may have been lost")
                .hasSizeLessThanOrEqualTo(1);
        awaitAllTakenOver("hats", 2);
    }

    @Test
    void a_sale_that_has_not_begun_lets_nobody_in_and_one_that_is_closed_nobody_more() {
        Instant later = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(3600);
        site.client()
                .put(
                        "/v1/pools/spring:early",
                        Map.of(
                                "total",
                                1,
                                "sale",
                                Map.of(
                                        "opens_at", later.toString(),
                                        "closes_at", later.plusSeconds(60).toString())));
        assertThat(ask(site.client(), "early", "ann", "q").join().code()).isEqualTo("NOT_STARTED");
        sale(site.client(), "late", 2, 1);
        assertThat(ask(site.client(), "late", "ann", "q").join().status()).isEqualTo(202);
        assertThat(site.client()
                        .post("/v1/pools/spring:late/close", Map.of(), Map.of())
                        .status())
                .isEqualTo(200);
        assertThat(ask(site.client(), "late", "bob", "q").join().code()).isEqualTo("CLOSED");
        assertThat(ask(site.client(1), "late", "ann", "q").join().status()).isEqualTo(202);
        assertThat(ask(site.client(), "unheard-of", "ann", "q").join().code()).isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void
            what_a_killed_node_let_in_is_handed_over_by_another_also_after_one_died_with_a_lease_and_by_a_comparison_where_the_list_is_lost()
                    throws Exception {
        try (Site other = Site.open(
                "gate_killed",
                Map.of(
                        "HOLDFAST_GATE_HAND_OVER_AFTER",
                        "1s",
                        "HOLDFAST_RECONCILIATION_EVERY",
                        "0s",
                        "HOLDFAST_RECONCILIATION_MARGIN",
                        "0s",
                        "HOLDFAST_GATE_ANSWER_AFTER",
                        "adopt"))) {
            String listed;
            String unlisted;
            Instant leased;
            try (NodeProcess node = other.startProcess("gate.hand-over-after = 1s")) {
                Client client = new Client(node.address());
                sale(client, "shoes", 5, 1);
                try (var journal = new HeldJournal(other.database(), other.database())) {
                    journal.hold();
                    listed = letIn(client, "ann");
                    unlisted = letIn(client, "bob");
                    await().atMost(PATIENCE).until(journal::isWaitedFor);
                    node.kill();
                    Site.askRedis(other.redis.uri(), redis -> {
                        assertThat(redis.zrem(DUE, id(unlisted))).isEqualTo(1);
                        return redis.hdel("hf:{spring:shoes}:admitted", id(unlisted));
                    });
                    // The next one claims it, and dies in the middle of its lease.
                    double admitted = dueAt(other, listed);
                    node.restart();
                    await().atMost(PATIENCE).until(() -> dueAt(other, listed) > admitted);
                    await().atMost(PATIENCE).until(journal::isWaitedFor);
                    node.kill();
                    leased = Instant.ofEpochMilli((long) dueAt(other, listed));
                    assertThat(leased).isAfter(Instant.now());
                }
            }
            String lost = id(unlisted);
            other.startNodeBy(MovableClock.at(leased));
            Client client = other.client();
            awaitReserved(client, listed);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(pool(client, "shoes").number("/sale/hand_off_backlog"))
                            .isZero());
            assertThat(Metrics.sum(other.address(0), "holdfast_reservation_resend_total"))
                    .isEqualTo(1);

            String run = client.post(
                            "/v1/reconciliations",
                            Map.of("pool", "spring:shoes", "full", true, "mode", "repair"),
                            Map.of())
                    .text("/run");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    client.get("/v1/reconciliations/" + run).text("/status"))
                            .isEqualTo("COMPLETED"));
            // The comparison that a node asks for when it first meets its Redis may have come before ours.
            assertThat(findingsOfAllRuns(client)).anySatisfy(one -> {
                assertThat(one.path("type").asText()).isEqualTo("FENCE_UNKNOWN");
                assertThat(one.path("reservation_id").asText()).isEqualTo(lost);
                assertThat(one.path("state").asText()).isEqualTo("REPAIRED");
            });
            awaitReserved(client, unlisted);
            assertThat(pool(client, "shoes").number("/redis/books/reserved")).isEqualTo(2);
            assertThat(client.post(unlisted + "/cancel", Map.of("order_id", "o"), Map.of())
                            .code())
                    .isEqualTo("ORDER_DECIDES");
            whoever_is_told_only_what_is_journaled_hears_that_nobody_knows_until_it_is(other);
        }
    }

    private static List<JsonNode> findingsOfAllRuns(Client client) {
        List<JsonNode> findings = new ArrayList<>();
        for (JsonNode run : client.get("/v1/reconciliations").body().path("runs")) {
            String address = "/v1/reconciliations/" + run.path("run").asText();
            client.get(address).body().path("findings").forEach(findings::add);
        }
        return findings;
    }

    private static void whoever_is_told_only_what_is_journaled_hears_that_nobody_knows_until_it_is(Site durable)
            throws Exception {
        Client client = durable.client();
        Map<String, String> wish = Map.of("user_id", "cid", "request_id", "q");
        String path = "/v1/sales/spring/skus/shoes/reservations";
        String id;
        try (var journal = new HeldJournal(durable.database(), durable.database())) {
            journal.hold();
            Answer unsure = client.post(path, wish, Map.of("Prefer", "wait=1"));
            assertThat(unsure.status()).as("%s", unsure.body()).isEqualTo(503);
            assertThat(unsure.code()).isEqualTo("OUTCOME_UNKNOWN");
            id = unsure.text("/reservation_id");
            assertThat(pool(client, "shoes").number("/redis/books/reserved")).isEqualTo(3);
            journal.release();
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer again = client.post(path, wish, Map.of());
            assertThat(again.status()).as("%s", again.body()).isEqualTo(202);
            assertThat(again.text("/reservation_id")).isEqualTo(id);
            assertThat(again.body().at("/journaled").asBoolean()).isTrue();
        });
        awaitReserved(client, "/v1/reservations/" + id);
        assertThat(pool(client, "shoes").number("/redis/books/reserved")).isEqualTo(3);
        assertThat(pool(client, "shoes").number("/sale/hand_off_backlog")).isZero();
    }

    private static String id(String address) {
        return address.substring(address.lastIndexOf('/') + 1);
    }

    /** When somebody is to hand it over, by its list. */
    private static double dueAt(Site site, String address) {
        return Site.askRedis(site.redis.uri(), redis -> redis.zscore(DUE, id(address)));
    }

    private static String letIn(Client client, String user) throws Exception {
        Answer in = ask(client, "shoes", user, "q").get(30, TimeUnit.SECONDS);
        assertThat(in.status()).as("%s", in.body()).isEqualTo(202);
        return in.location().orElseThrow();
    }

    private static void awaitReserved(Client client, String reservation) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(client.get(reservation).text("/status")).isEqualTo("RESERVED"));
    }
}
