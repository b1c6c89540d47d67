package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.client.Call;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Result;
import io.holdfast.it.Client.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
        String reserved = all + "&status=RESERVED";
        await().until(() -> client.get(reserved).body().at("/reservations").size() == 7);
        List<String> seen = new ArrayList<>();
        String next = reserved + "&limit=2";
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

        client.createPool("listed-too", 1);
        List<String> lists = List.of(
                "/v1/reservations",
                "/v1/anomalies",
                "/v1/pools/" + pool + "/ledger",
                "/v1/pools/" + Client.pool("listed-too") + "/ledger");
        for (String from : List.of(lists.get(0), lists.get(2))) {
            String cursor = client.get(from + "?limit=1").text("/next_cursor");
            for (String list : lists) {
                assertThat(client.get(list + "?cursor=" + cursor).status())
                        .as("a place in %s asked for in %s", from, list)
                        .isEqualTo(list.equals(from) ? 200 : 400);
            }
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

    // ---- what a client may do wrong, and a network to it

    private static Answer hold(int node, String body, String key) {
        return client(node)
                .send("POST", "/v1/reservations", body, "Idempotency-Key", key, "Prefer", "wait=30")
                .join();
    }

    private static String holdOf(String dish, String item, String quantity) {
        return "{\"pool\":\"" + Client.pool(dish) + "\",\"order_id\":\"o-1\",\"order_item_id\":\"" + item
                + "\",\"quantity\":" + quantity + "}";
    }

    @Test
    void a_key_means_one_thing_at_both_nodes_however_it_is_written() throws Exception {
        client(0).createPool("keyed", 10);
        assertThat(hold(0, holdOf("keyed", "i1", "2"), "k1").status()).isEqualTo(201);
        String otherwise =
                "\n{ \"quantity\" : 2.0, \"order_item_id\":\"\\u0069\\u0031\",\t\"order_id\":\"o-1\",\"order_type\":"
                        + "\"INSTANT\", \"pool\":\"" + Client.pool("keyed") + "\" } ";
        String cancel = Client.reservation("keyed", "i1") + "/cancel";
        for (int node = 0; node < 2; node++) {
            Answer same = hold(node, otherwise, "k1");
            assertThat(same.status()).as("%s", same.body()).isEqualTo(201);
            assertThat(same.replayed()).contains("true");
            assertThat(hold(node, holdOf("keyed", "i1", "3"), "k1").code()).isEqualTo("KEY_REUSED");
            assertThat(hold(node, holdOf("keyed", "i1", "3"), "k2").code()).isEqualTo("OTHER_CONTENT");
            Answer other = client(node)
                    .send("POST", cancel, "{\"order_id\":\"o-1\"}", "Idempotency-Key", "k1")
                    .join();
            assertThat(other.code()).as("another operation").isEqualTo("KEY_REUSED");
            Answer elsewhere = hold(node, holdOf("keyed", "at-" + node, "1"), "k1");
            assertThat(elsewhere.status()).as("another reservation").isEqualTo(201);
            assertThat(elsewhere.replayed()).isEmpty();
        }
        assertThat(client(0).lookAtPool("keyed").number("/redis/books/reserved"))
                .isEqualTo(4);
        agree("keyed");
    }

    @Test
    void callers_that_hang_up_in_the_middle_find_what_became_of_it_at_either_node_and_no_unit_is_lost()
            throws Exception {
        client(0).createPool("cut", 100);
        var random = new Random(7);
        try (var java = HoldfastClient.of(site.address(0), site.address(1)).withToken(() -> "admin")) {
            for (int i = 0; i < 24; i++) {
                String item = "i" + i;
                Map<String, String> order = Map.of("order_id", "order-" + item);
                Call hold = Call.post("/v1/reservations", Client.holdBody("cut", item, 1 + i % 3));
                hangUp(i % 2, hold, random);
                var held = (Result.Done) java.call(hold);
                assertThat(held.body().path("status").asText()).isEqualTo("RESERVED");
                assertThat(((Result.Done) java.call(hold)).replayed()).isTrue();
                boolean sells = random.nextBoolean();
                Call end = Call.post(Client.reservation("cut", item) + (sells ? "/confirm" : "/cancel"), order);
                hangUp(i % 2, end, random);
                var ended = (Result.Done) java.call(end);
                assertThat(ended.body().path("status").asText()).isEqualTo(sells ? "CONFIRMED" : "CANCELED");
                if (sells) {
                    Call back = Call.post(
                            Client.reservation("cut", item) + "/refunds", Map.of("refund_id", "r", "quantity", 1));
                    hangUp(1 - i % 2, back, random);
                    assertThat(java.call(back)).isInstanceOf(Result.Done.class);
                    assertThat(((Result.Done) java.call(back)).replayed()).isTrue();
                }
            }
            Call adjust = Call.post("/v1/pools/" + Client.pool("cut") + "/adjustments", Map.of("total", 90));
            hangUp(0, adjust, random);
            assertThat(java.call(adjust)).isInstanceOf(Result.Done.class);
        }
        Answer pool = client(1).lookAtPool("cut");
        assertThat(pool.number("/redis/books/total")).isEqualTo(90);
        assertThat(pool.number("/redis/books/reserved")).isZero();
        agree("cut");
    }

    /** Says so much of a request that only chance knows what comes of it, and is gone. */
    private static void hangUp(int node, Call call, Random random) throws Exception {
        URI at = site.address(node);
        byte[] body = new ObjectMapper().writeValueAsBytes(call.body().orElseThrow());
        String head = "POST " + call.target() + " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer admin\r\n"
                + "Content-Type: application/json\r\nIdempotency-Key: "
                + call.key().orElseThrow()
                + "\r\nContent-Length: " + body.length + "\r\n\r\n";
        byte[] all = (head + new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        int cut = random.nextInt(3) == 0 ? random.nextInt(all.length) : all.length;
        try (Socket socket = new Socket(at.getHost(), at.getPort())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(all, 0, cut);
            if (random.nextBoolean()) {
                socket.setSoTimeout(50);
                try {
                    assertThat(socket.getInputStream().read()).isNotZero();
                } catch (SocketTimeoutException _) {
                    // Half a request is not answered.
                }
            }
        }
    }

    @Test
    void whatever_gives_units_back_in_whatever_order_gives_them_back_once() throws Exception {
        client(0).createPool("back", 40);
        var random = new Random(11);
        for (int i = 0; i < 8; i++) {
            String item = "i" + i;
            assertThat(client(i % 2).hold("back", item, 4).status()).isEqualTo(201);
            String path = Client.reservation("back", item);
            Map<String, String> order = Map.of("order_id", "order-" + item);
            List<Call> causes = new ArrayList<>();
            for (int node = 0; node < 2; node++) {
                causes.add(Call.post(path + "/cancel", order).under("cancel"));
                causes.add(Call.post(path + "/confirm", order).under("confirm"));
                causes.add(Call.post(path + "/refunds", Map.of("refund_id", "r1", "quantity", 3)));
                causes.add(Call.post(path + "/refunds", Map.of("refund_id", "r2", "quantity", 2)));
                causes.add(Call.post(path + "/refunds", Map.of("refund_id", "whole"))
                        .under("whole"));
            }
            Collections.shuffle(causes, random);
            List<CompletableFuture<Answer>> all = new ArrayList<>();
            for (int n = 0; n < causes.size(); n++) {
                Call call = causes.get(n);
                all.add(client(n % 2)
                        .postAsync(
                                call.target(),
                                call.body().orElseThrow(),
                                Map.of("Idempotency-Key", call.key().orElseThrow(), "Prefer", "wait=30")));
            }
            assertThat(all)
                    .extracting(CompletableFuture::join)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as("%s", answer.body()).isIn(200, 409));
            Answer ended = client(i % 2).look("back", item);
            assertThat(ended.text("/status")).isIn("CANCELED", "CONFIRMED", "REFUNDED");
            assertThat(ended.number("/units/remaining")).isBetween(0L, 4L);
        }
        Answer pool = client(0).lookAtPool("back");
        assertThat(pool.number("/redis/books/reserved")).isZero();
        assertThat(pool.number("/redis/books/available") + pool.number("/redis/books/sold"))
                .isEqualTo(40);
        agree("back");
    }

    static Stream<String> numbersThatAreNone() {
        return Stream.of(
                "-5",
                "0",
                "-0",
                "0.5",
                "1e0",
                "\"3\"",
                "null",
                "true",
                "[1]",
                "{}",
                "1e400",
                "2147483648.5",
                "9007199254740992",
                "9223372036854775808",
                "1e1000000000",
                "1e-1000000000",
                "NaN",
                "+1",
                "01",
                "0x1",
                "9".repeat(15_000),
                "9".repeat(1_000_000),
                "1,\"quantity\":1",
                "[".repeat(100_000));
    }

    @Test
    void a_quantity_that_is_none_moves_nothing_and_keeps_nobody_from_being_served() throws Exception {
        client(0).createPool("bad", 10);
        assertThat(client(0).hold("bad", "good", 4).status()).isEqualTo(201);
        assertThat(client(0).confirm("bad", "good").status()).isEqualTo(200);
        JsonNode before = client(0).lookAtPool("bad").body().at("/redis/books");
        String reservation = Client.reservation("bad", "good");
        List<CompletableFuture<Answer>> refused = new ArrayList<>();
        List<CompletableFuture<Answer>> served = new ArrayList<>();
        List<String> numbers = numbersThatAreNone().toList();
        for (int i = 0; i < numbers.size(); i++) {
            String number = numbers.get(i);
            Client node = client(i % 2);
            refused.add(node.send("POST", "/v1/reservations", holdOf("bad", "bad-" + i, number)));
            refused.add(
                    node.send("POST", reservation + "/refunds", "{\"refund_id\":\"r\",\"quantity\":" + number + "}"));
            refused.add(node.send(
                    "POST", reservation + "/confirm", "{\"order_id\":\"order-good\",\"quantity\":" + number + "}"));
            if (!number.equals("0")) {
                refused.add(node.send(
                        "POST",
                        "/v1/pools/" + Client.pool("bad") + "/adjustments",
                        "{\"total\":" + number.replace("quantity", "total") + "}",
                        "Idempotency-Key",
                        "a" + i));
            }
            served.add(client(1 - i % 2).holdAsync("bad", "among", 1, "wait=30"));
        }
        assertThat(refused)
                .extracting(CompletableFuture::join)
                .allSatisfy(answer ->
                        assertThat(answer.code()).as("%s", answer.body()).isIn("INVALID_REQUEST", "BODY_TOO_LARGE"));
        assertThat(served)
                .extracting(CompletableFuture::join)
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(201));
        JsonNode after = client(1).lookAtPool("bad").body().at("/redis/books");
        assertThat(after.at("/sold")).isEqualTo(before.at("/sold"));
        assertThat(after.at("/total")).isEqualTo(before.at("/total"));
        assertThat(after.at("/reserved").asLong()).as("the one hold among them").isEqualTo(1);
        agree("bad");
    }

    @Test
    void ids_are_exact_and_what_is_none_is_refused_at_both_nodes() throws Exception {
        String most = "9007199254740991";
        client(0).createPool("exact", Long.parseLong(most));
        List<String> items = List.of(
                "9007199254740992",
                "9007199254740993",
                "18446744073709551615",
                "18446744073709551614",
                "ab-1",
                "AB-1",
                "aB-1",
                "i",
                "I",
                "stock",
                "r",
                "lock",
                "idx",
                "..",
                ".",
                "-",
                "__proto__",
                "null");
        for (int i = 0; i < items.size(); i++) {
            Answer held = hold(i % 2, holdOf("exact", items.get(i), "1"), "k");
            assertThat(held.status()).as("%s %s", items.get(i), held.body()).isEqualTo(201);
            assertThat(held.text("/terms/order_item_id")).isEqualTo(items.get(i));
            assertThat(held.text("/reservation_id")).isEqualTo(Client.idOf("exact", items.get(i)));
        }
        long left = Long.parseLong(most) - items.size();
        assertThat(hold(1, holdOf("exact", "rest", Long.toString(left - 1)), "k")
                        .status())
                .isEqualTo(201);
        Answer pool = client(0).lookAtPool("exact");
        assertThat(pool.text("/redis/books/total")).isEqualTo(most);
        assertThat(pool.number("/redis/books/available")).isEqualTo(1);

        List<String> none = List.of(
                "\"ab-1 \"",
                "\" ab-1\"",
                "\"ab\u20111\"",
                "\"é\"",
                "\"e\u0301\"",
                "\"ı\"",
                "\"a:b\"",
                "\"a|b\"",
                "\"a%3Ab\"",
                "\"a/b\"",
                "\"a\\nb\"",
                "\"*\"",
                "\"{a}\"",
                "\"\"",
                "\"\\u0000\"",
                "\"\\ud800\"",
                "9007199254740993",
                "null",
                "\"" + "x".repeat(65) + "\"");
        for (int i = 0; i < none.size(); i++) {
            String body = holdOf("exact", "?", "1").replace("\"?\"", none.get(i));
            Answer refused = hold(i % 2, body, "k");
            assertThat(refused.code()).as(none.get(i)).isEqualTo("INVALID_REQUEST");
        }
        for (String path : List.of(
                "/v1/pools/m1:exact:" + Client.DAY + ":x",
                "/v1/pools/m1%3Aexact%2F..",
                "/v1/pools/m1:ex%0Aact",
                "/v1/pools/m1%7C:exact",
                "/v1/pools/m1:{exact}".replace("{", "%7B").replace("}", "%7D"),
                "/v1/pools/*:*",
                "/v1/reservations/..%2F..%2Fmetrics",
                "/v1/reservations/" + "F".repeat(32))) {
            assertThat(client(0).get(path).status()).as(path).isIn(400, 404);
        }
        agree("exact");
    }

    private static void agree(String dish) throws Exception {
        try (var database = site.database()) {
            Journals.of(database, Client.pool(dish)).agreeWith(client(0).lookAtPool(dish));
        }
    }
}
