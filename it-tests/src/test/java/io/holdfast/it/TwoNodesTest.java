package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.it.Client.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Two nodes of one fleet, called at once. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TwoNodesTest {

    private static final Optional<String> ADMIN = Optional.of("admin");

    /** One that may do everything, and two merchants' systems; each token is its caller's name. */
    private static final String TOKENS = String.join(
            ",",
            "admin:" + sha256("admin"),
            "shop-1:" + sha256("shop-1") + ":client+auditor+operator:m1",
            "shop-2:" + sha256("shop-2") + ":client+auditor+operator:m2");

    private static Site site;

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Client client(int node) {
        return site.client(node).as("admin");
    }

    @BeforeAll
    static void open() {
        site = Site.open(
                "twonodes",
                Map.of(
                        "HOLDFAST_HTTP_TOKENS",
                        TOKENS,
                        "HOLDFAST_WEBHOOKS_RETRY_FIRST",
                        "100ms",
                        "HOLDFAST_WEBHOOKS_TIMEOUT",
                        "500ms"));
        site.startNode();
        site.startNode();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @Test
    void the_same_hold_sent_to_both_nodes_at_once_is_one_hold() throws Exception {
        client(0).createPool("twin", 100);
        for (int i = 0; i < 25; i++) {
            var one = client(0).holdAsync("twin", "i" + i, 3, "wait=30");
            var other = client(1).holdAsync("twin", "i" + i, 3, "wait=30");
            assertThat(List.of(one.join(), other.join()))
                    .allSatisfy(answer -> assertThat(answer.text("/status")).isEqualTo("RESERVED"))
                    .extracting(answer -> answer.text("/reservation_id"))
                    .containsOnly(Client.idOf("twin", "i" + i));
            assertThat(one.join().body().at("/books"))
                    .isEqualTo(other.join().body().at("/books"));
        }
        assertThat(client(1).lookAtPool("twin").number("/redis/books/reserved")).isEqualTo(75);
        agree("twin");
    }

    @Test
    void a_doubled_adjustment_counts_once() throws Exception {
        client(0).createPool("pair", 10);
        String path = "/v1/pools/" + Client.pool("pair") + "/adjustments";
        List<CompletableFuture<Answer>> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            both.add(client(i)
                    .postAsync(path, Map.of("total", 15), Map.of("Idempotency-Key", "a1", "Prefer", "wait=30")));
        }
        both.forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));
        Answer pool = client(0).lookAtPool("pair");
        assertThat(pool.number("/redis/books/total")).isEqualTo(15);
        assertThat(pool.number("/redis/books/version")).isEqualTo(2);
        agree("pair");
    }

    @Test
    void buyers_at_both_nodes_never_get_more_than_there_is() throws Exception {
        client(0).createPool("rare", 12);
        Map<CompletableFuture<Answer>, Long> asked = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            long quantity = 1 + i % 3;
            asked.put(client(i % 2).holdAsync("rare", "i" + i, quantity, "wait=30"), quantity);
        }
        long held = 0;
        for (var entry : asked.entrySet()) {
            Answer answer = entry.getKey().join();
            if (answer.status() == 201) {
                held += entry.getValue();
            } else {
                assertThat(answer.code()).as("%s", answer.body()).isEqualTo("SOLD_OUT");
            }
        }
        assertThat(held).isEqualTo(12);
        agree("rare");
    }

    @Test
    void cancels_at_both_nodes_before_the_hold_leave_one_tombstone() throws Exception {
        client(0).createPool("void", 5);
        List<CompletableFuture<Answer>> cancels = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            cancels.add(client(i % 2)
                    .postAsync(
                            Client.reservation("void", "i1") + "/cancel",
                            Map.of("order_id", "order-i1"),
                            Map.of("Prefer", "wait=30")));
        }
        cancels.forEach(answer -> assertThat(answer.join().status()).isEqualTo(200));
        assertThat(client(1).hold("void", "i1", 5).status()).isEqualTo(409);
        assertThat(client(0).confirm("void", "i1").status()).isEqualTo(409);
        agree("void");
    }

    @Test
    void a_stream_is_resumed_at_the_other_node_and_leaves_nothing_out() throws Exception {
        client(0).createPool("seen", 100);
        String path = "/v1/events?pool=" + Client.pool("seen");
        var whole = new EventTrail(path, "0-0", ADMIN);
        var resumed = new EventTrail(path, "0-0", ADMIN);
        try (var _ = whole.at(site.address(1))) {
            for (int i = 0; i < 6; i++) {
                int node = i % 2;
                try (var _ = resumed.at(site.address(node))) {
                    client(1 - node).hold("seen", "i" + i, 1);
                    client(node).confirm("seen", "i" + i);
                    int told = 1 + 4 * (i + 1) - i % 3; // of the pool, and two of stock and two of the reservation each
                    // reservation each
                    await().until(() -> resumed.events.size() >= told);
                }
            }
            try (var _ = resumed.at(site.address(0))) {
                await().until(() -> whole.events.size() >= 25 && resumed.events.size() >= 25);
            }
        }
        assertThat(whole.ids()).hasSize(25).doesNotHaveDuplicates();
        assertThat(resumed.events).isEqualTo(whole.events);
    }

    @Test
    void one_reservation_is_streamed_until_it_rests_and_then_no_more() throws Exception {
        client(0).createPool("one", 5);
        assertThat(client(0).hold("one", "i1", 2).status()).isEqualTo(201);
        var trail = new EventTrail(Client.reservation("one", "i1") + "/events", "0-0", ADMIN);
        try (var reading = trail.at(site.address(1))) {
            await().until(() -> trail.events.size() == 2);
            client(0).confirm("one", "i1");
            reading.untilItEnds();
        }
        assertThat(trail.types())
                .containsExactly(
                        "InventoryRedisReserved",
                        "InventoryReserved",
                        "InventoryRedisConfirmed",
                        "InventoryConfirmed",
                        "end");
    }

    @Test
    void a_pool_and_a_reservation_are_shown_as_they_stood_at_every_change() throws Exception {
        client(0).createPool("past", 10);
        assertThat(client(0).hold("past", "i1", 3).status()).isEqualTo(201);
        assertThat(client(1).confirm("past", "i1").status()).isEqualTo(200);
        String pool = "/v1/pools/" + Client.pool("past");
        await().until(() ->
                client(0).get(pool + "/ledger").body().at("/entries").size() == 3);
        var entries = client(0).get(pool + "/ledger").body().at("/entries");
        for (var entry : entries) {
            Answer then = client(1).get(pool + "?at=" + entry.at("/at").asText());
            assertThat(then.status()).as("%s", then.body()).isEqualTo(200);
            assertThat(then.body().at("/stock/books")).isEqualTo(entry.at("/after"));
            assertThat(then.body().at("/stock/complete").asBoolean()).isTrue();
        }
        String from = entries.at("/1/at").asText();
        String to = entries.at("/2/at").asText();
        Answer diff = client(1).get(Client.reservation("past", "i1") + "/diff?from=" + from + "&to=" + to);
        assertThat(diff.text("/from/there")).isEqualTo("true");
        assertThat(diff.body().at("/changes")).anySatisfy(change -> {
            assertThat(change.at("/pointer").asText()).isEqualTo("/status");
            assertThat(change.at("/from").asText()).isEqualTo("RESERVED");
            assertThat(change.at("/to").asText()).isEqualTo("CONFIRMED");
        });
        assertThat(client(0).get(pool + "?at=2001-01-01T00:00:00Z").status()).isEqualTo(404);
    }

    @Test
    void lists_take_every_filter_and_their_pages_together_are_the_whole_though_entries_are_added_meanwhile() {
        Client client = client(0);
        client.createPool("listed", 100);
        String pool = Client.pool("listed");
        for (int i = 0; i < 7; i++) {
            client.hold("listed", "i" + i, 1);
        }
        String all = "/v1/reservations?pool=" + pool;
        await().until(() -> client.get(all).body().at("/reservations").size() == 7);
        List<String> seen = new ArrayList<>();
        String next = all + "&status=RESERVED&limit=2";
        while (!next.isEmpty()) {
            Answer page = client(seen.size() % 2).get(next);
            page.body()
                    .at("/reservations")
                    .forEach(one -> seen.add(one.at("/reservation_id").asText()));
            next = page.text("/next");
            client.hold("listed", "later" + seen.size(), 1);
        }
        assertThat(seen).hasSize(7).doesNotHaveDuplicates();

        String id = Client.idOf("listed", "i0");
        for (String list : List.of(
                all + "&order_id=order-i0&user_id=ann&status=RESERVED&limit=1",
                "/v1/compensations?status=MANUAL&limit=1&reservation_id=" + id + "&pool=" + pool + "&after=RELEASE:"
                        + id,
                "/v1/anomalies?type=A&source=b&class=MANUAL&open=true&limit=1&reservation_id=" + id + "&pool=" + pool,
                "/v1/anomalies?open=false",
                "/v1/pools/" + pool
                        + "/ledger?from=2001-01-01T00:00:00Z&to=2199-01-01T00:00:00Z&limit=1&reservation_id=" + id)) {
            Answer answer = client.get(list);
            assertThat(answer.status()).as("%s: %s", list, answer.body()).isEqualTo(200);
        }
    }

    @Test
    void a_receiver_that_fails_and_hangs_at_first_hears_of_everything_in_order_and_signed() throws Exception {
        try (Receiver receiver = Receiver.start()) {
            Answer made = client(0)
                    .post(
                            "/v1/webhooks",
                            Map.of("url", receiver.address() + "/hooks", "pool", Client.pool("hooked")),
                            Map.of());
            assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
            receiver.trusts(made.text("/secret"));
            receiver.answers(500, 0, 503); // 0: none at all
            client(1).createPool("hooked", 10);
            client(0).hold("hooked", "i1", 2);
            client(1).confirm("hooked", "i1");
            await().until(() -> receiver.taken().size() == 5);
            assertThat(receiver.taken().stream().filter(type -> !type.startsWith("StockBucket")))
                    .containsExactly(
                            "InventoryRedisReserved",
                            "InventoryReserved",
                            "InventoryRedisConfirmed",
                            "InventoryConfirmed");
            assertThat(receiver.calls()).isGreaterThanOrEqualTo(8);

            String hook = "/v1/webhooks/" + made.text("/id");
            await().until(() -> client(1)
                            .get(hook + "/deliveries?status=DELIVERED")
                            .body()
                            .at("/deliveries")
                            .size()
                    == 5);
            Answer again = client(1).post(hook + "/replay", Map.of("from", "0-0"), Map.of());
            assertThat(again.status()).as("%s", again.body()).isEqualTo(202);
            await().until(() -> receiver.taken().size() == 10);
            assertThat(receiver.ids()).as("the same ids").hasSize(5);

            receiver.answers(410);
            client(0).hold("hooked", "i2", 1);
            await().until(() -> client(0).get(hook).text("/status").equals("DISABLED"));
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    @Test
    void merchants_meet_nothing_of_each_other_at_either_node_though_they_choose_the_same_ids() throws Exception {
        String item = "same-item";
        String other = "m2:soup:" + Client.DAY;
        String otherHold = "/v1/reservations/" + ReservationIds.journalFirst("m2", "soup", item);
        String hold = Client.reservation("soup", item);
        String unknown = "/v1/reservations/" + "f".repeat(32);
        Map<String, String> key = Map.of("Idempotency-Key", "same-key", "Prefer", "wait=30");
        Client one = site.client(0).as("shop-1");
        assertThat(one.createPool("soup", 5).status()).isEqualTo(201);
        assertThat(one.post("/v1/reservations", Client.holdBody("soup", item, 2), key)
                        .status())
                .isEqualTo(201);

        for (int node = 0; node < 2; node++) {
            Client two = site.client(node).as("shop-2");
            assertThat(two.lookAtPool("soup").status()).isEqualTo(403);
            assertThat(two.createPool("soup", 5).status()).isEqualTo(403);
            assertThat(two.createPool("never-made", 5).status())
                    .as("there or not")
                    .isEqualTo(403);
            assertThat(two.hold("soup", "i9", 1).status()).isEqualTo(403);
            for (String below : List.of(
                    "",
                    "/journal",
                    "/evidence",
                    "/diff?from=2001-01-01T00:00:00Z&to=2199-01-01T00:00:00Z",
                    "/events")) {
                Answer hidden = two.get(hold + below);
                assertThat(hidden.status()).as(below).isEqualTo(404);
                assertThat(hidden.body().toString().replaceAll("[0-9a-f]{32}", "?"))
                        .isEqualTo(two.get(unknown + below).body().toString().replaceAll("[0-9a-f]{32}", "?"));
            }
            for (String fact : List.of("/confirm", "/cancel")) {
                assertThat(two.post(hold + fact, Map.of("order_id", "order-" + item), Map.of())
                                .status())
                        .isEqualTo(404);
            }
            assertThat(two.post(hold + "/freeze", Map.of("reason", "envy"), Map.of("Idempotency-Key", "k1"))
                            .status())
                    .isEqualTo(404);
        }

        assertThat(site.client(1)
                        .as("shop-2")
                        .put("/v1/pools/" + other, Map.of("total", 5))
                        .status())
                .isEqualTo(201);
        Map<String, Object> same = Client.holdBody("soup", item, 2);
        same.put("pool", other);
        Answer held = site.client(1).as("shop-2").post("/v1/reservations", same, key);
        assertThat(held.status()).as(held.body().toString()).isEqualTo(201);
        assertThat(held.replayed())
                .as("the same ids and key are another request")
                .isEmpty();
        assertThat(one.get(otherHold).status()).isEqualTo(404);
        assertThat(one.look("soup", item).text("/status")).isEqualTo("RESERVED");

        for (String list : List.of("/v1/reservations", "/v1/reservations?order_id=order-" + item)) {
            await().until(() -> one.get(list).body().toString().contains("m1:soup")
                    && site.client(1).as("shop-2").get(list).body().toString().contains("m2:soup"));
            for (int node = 0; node < 2; node++) {
                assertThat(site.client(node).as("shop-1").get(list).body().toString())
                        .doesNotContain("m2:soup");
                assertThat(site.client(node).as("shop-2").get(list).body().toString())
                        .doesNotContain("m1:soup");
            }
        }
        for (String list : List.of("/v1/anomalies", "/v1/compensations")) {
            assertThat(site.client(0).as("shop-2").get(list).status()).isEqualTo(200);
        }
        agree("soup");
    }

    private static void agree(String dish) throws Exception {
        try (var database = site.database()) {
            Journals.of(database, Client.pool(dish)).agreeWith(client(0).lookAtPool(dish));
        }
    }
}
