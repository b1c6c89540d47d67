package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Days that begin and end, on real nodes whose clock the test sets. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
class BusinessDaysTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, String> SETTINGS = Map.of(
            "HOLDFAST_DAYS_PREPARE_AHEAD", "2h",
            "HOLDFAST_DAYS_CLOSE_AFTER", "5m",
            "HOLDFAST_DAYS_ARCHIVE_AFTER", "1d",
            "HOLDFAST_DAYS_ARCHIVE_AGAIN", "1s",
            "HOLDFAST_DAYS_INTERVAL", "200ms");

    private static final Map<String, String> WAIT = Map.of("Prefer", "wait=30");

    private final MovableClock clock = new MovableClock();

    private static Answer setOut(Client client, String merchant, String dish, String zone, long total) {
        Answer set = client.put("/v1/baselines/" + merchant + "/" + dish, Map.of("zone", zone, "every_day", total));
        assertThat(set.status()).as("%s", set.body()).isEqualTo(201);
        return set;
    }

    private static Map<String, Object> order(String merchant, String dish, String item, long quantity) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("merchant", merchant);
        body.put("dish", dish);
        body.put("order_id", "order-" + item);
        body.put("order_item_id", item);
        body.put("quantity", quantity);
        return body;
    }

    /** Comes again while it is told to: the pool of a new day may just be being created. */
    private static Answer hold(Client client, String merchant, String dish, String item, long quantity) {
        return await().atMost(PATIENCE)
                .until(
                        () -> client.post("/v1/reservations", order(merchant, dish, item, quantity), WAIT),
                        answer -> !answer.code().equals("POOL_NOT_READY"));
    }

    private static Answer news(
            Client client, String merchant, String dish, String item, String what, Map<String, ?> body) {
        return client.post(
                "/v1/reservations/" + ReservationIds.journalFirst(merchant, dish, item) + "/" + what, body, WAIT);
    }

    /** NONE where there is no such pool. */
    private static String status(Client client, String pool) {
        Answer answer = client.get("/v1/pools/" + pool);
        return answer.status() == 404 ? "NONE" : answer.text("/status");
    }

    private static void becomes(Client client, String pool, String status) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(status(client, pool)).isEqualTo(status));
    }

    private static long count(Site site, String sql) throws SQLException {
        try (var database = site.database();
                var s = database.createStatement();
                ResultSet r = s.executeQuery(sql)) {
            r.next();
            return r.getLong(1);
        }
    }

    @Test
    void a_day_ends_and_the_next_begins_while_holds_of_the_old_one_run_to_their_ends() throws Exception {
        clock.set(
                Instant.parse("2031-03-29T20:00:00Z")); // nine in the evening in Berlin, the clocks go forward tonight
        try (Site site = Site.open("daychange", SETTINGS)) {
            site.startNodeBy(clock);
            Client client = site.client();
            setOut(client, "m1", "soup", "Europe/Berlin", 10);
            String today = "m1:soup:2031-03-29";
            String tomorrow = "m1:soup:2031-03-30";
            becomes(client, today, "OPEN");
            assertThat(status(client, tomorrow)).as("not yet").isEqualTo("NONE");

            assertThat(hold(client, "m1", "soup", "sold", 2).text("/status")).isEqualTo("RESERVED");
            news(client, "m1", "soup", "sold", "confirm", Map.of("order_id", "order-sold"));
            assertThat(hold(client, "m1", "soup", "running", 3).text("/terms/pool"))
                    .isEqualTo(today);

            clock.set(Instant.parse("2031-03-29T21:30:00Z")); // within two hours of midnight
            becomes(client, tomorrow, "OPEN");

            clock.set(Instant.parse("2031-03-29T23:00:10Z")); // ten seconds past midnight in Berlin
            assertThat(hold(client, "m1", "soup", "early", 1).text("/terms/pool"))
                    .isEqualTo(tomorrow);
            Answer retried = hold(client, "m1", "soup", "running", 3);
            assertThat(retried.text("/terms/pool"))
                    .as("a retry finds the first hold")
                    .isEqualTo(today);
            assertThat(retried.text("/status")).isEqualTo("RESERVED");
            assertThat(status(client, today)).as("within close-after").isEqualTo("OPEN");

            clock.set(Instant.parse("2031-03-29T23:05:10Z"));
            becomes(client, today, "CLOSED");
            Map<String, Object> late = new HashMap<>(order("m1", "soup", "late", 1));
            late.remove("merchant");
            late.remove("dish");
            late.put("pool", today);
            assertThat(client.post("/v1/reservations", late, WAIT).code()).isEqualTo("POOL_CLOSED");
            assertThat(hold(client, "m1", "soup", "running", 3).text("/status")).isEqualTo("RESERVED");

            clock.set(Instant.parse("2031-03-31T22:00:10Z")); // two days later: it is time, but one still runs
            becomes(client, tomorrow, "CLOSED");
            String path = "/v1/pools/" + today + "/archive";
            Answer early = client.post(path, Map.of(), Map.of("Idempotency-Key", "by-hand", "Prefer", "wait=30"));
            assertThat(early.code()).isEqualTo("NOT_DRAINED");
            assertThat(status(client, today)).isEqualTo("CLOSED");

            news(client, "m1", "soup", "running", "cancel", Map.of("order_id", "order-running"));
            becomes(client, today, "ARCHIVED");
            Answer archived = client.get("/v1/pools/" + today);
            assertThat(archived.number("/journal/books/sold")).isEqualTo(2);
            assertThat(archived.number("/journal/books/reserved")).isZero();

            Answer refund = news(client, "m1", "soup", "sold", "refunds", Map.of("refund_id", "r1", "quantity", 2));
            assertThat(refund.status()).as("%s", refund.body()).isEqualTo(200);
            assertThat(refund.text("/status")).isEqualTo("REFUNDED");
            assertThat(client.get("/v1/pools/" + today).number("/journal/books/sold"))
                    .as("the books of that day are closed")
                    .isEqualTo(2);
            assertThat(hold(client, "m1", "soup", "running", 3).code()).isEqualTo("WAS_CANCELED");
            late.put("order_item_id", "later");
            assertThat(client.post("/v1/reservations", late, WAIT).code()).isEqualTo("POOL_ARCHIVED");
        }
    }

    @Test
    void two_nodes_create_the_pools_of_a_day_once_whoever_asks_for_them() throws Exception {
        clock.set(Instant.parse("2031-07-01T21:00:00Z"));
        try (Site site = Site.open("daytwo", SETTINGS)) {
            site.startNodeBy(clock);
            site.startNodeBy(clock);
            for (int i = 0; i < 20; i++) {
                setOut(site.client(i % 2), "m2", "dish" + i, "Europe/Berlin", 5);
            }
            clock.set(Instant.parse("2031-07-01T22:00:01Z")); // one second into the day in Berlin
            List<CompletableFuture<Answer>> first = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                for (int node = 0; node < 2; node++) {
                    first.add(site.client(node)
                            .postAsync(
                                    "/v1/reservations",
                                    order("m2", "dish" + i, "i" + node, 1),
                                    Map.of("Prefer", "wait=30")));
                }
            }
            for (CompletableFuture<Answer> each : first) {
                assertThat(each.join().text("/status") + each.join().text("/code"))
                        .as("%s", each.join().body())
                        .isIn("RESERVED", "503POOL_NOT_READY");
            }
            for (int i = 0; i < 20; i++) {
                for (int node = 0; node < 2; node++) {
                    assertThat(hold(site.client(0), "m2", "dish" + i, "i" + node, 1)
                                    .text("/status"))
                            .isEqualTo("RESERVED");
                }
            }
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(count(site, "select count(*) from pool_view where day = '2031-07-02'"))
                                    .isEqualTo(20));
            assertThat(count(
                            site,
                            "select count(*) from journal_readable where type = 'PoolInitialized'"
                                    + " and entity_id like '%:2031-07-02'"))
                    .isEqualTo(20);
            assertThat(count(
                            site,
                            "select count(*) from (select entity_id from journal_readable"
                                    + " where type = 'OperationAccepted' and entity_id like 'm2:%' group by entity_id,"
                                    + " data having count(*) > 1) twice"))
                    .isZero();
        }
    }

    @Test
    void merchants_in_several_zones_have_the_days_of_their_own_walls() {
        clock.set(Instant.parse("2031-07-25T11:30:00Z"));
        try (Site site = Site.open("dayzones", SETTINGS)) {
            site.startNodeBy(clock);
            Client client = site.client();
            setOut(client, "auckland", "pie", "Pacific/Auckland", 5);
            setOut(client, "apia", "pie", "Pacific/Apia", 5);
            setOut(client, "angeles", "pie", "America/Los_Angeles", 5);
            setOut(client, "kathmandu", "pie", "Asia/Kathmandu", 5);
            becomes(client, "auckland:pie:2031-07-25", "OPEN");
            becomes(client, "auckland:pie:2031-07-26", "OPEN"); // midnight is in half an hour
            becomes(client, "apia:pie:2031-07-26", "OPEN"); // there it is tomorrow already
            becomes(client, "angeles:pie:2031-07-25", "OPEN");
            becomes(client, "kathmandu:pie:2031-07-25", "OPEN");
            assertThat(status(client, "angeles:pie:2031-07-26")).isEqualTo("NONE");
            assertThat(status(client, "kathmandu:pie:2031-07-26")).isEqualTo("NONE");

            clock.set(Instant.parse("2031-07-25T12:05:10Z"));
            becomes(client, "auckland:pie:2031-07-25", "CLOSED");
            assertThat(hold(client, "auckland", "pie", "i1", 1).text("/terms/pool"))
                    .isEqualTo("auckland:pie:2031-07-26");
            assertThat(hold(client, "angeles", "pie", "i1", 1).text("/terms/pool"))
                    .isEqualTo("angeles:pie:2031-07-25");
        }
    }

    @Test
    void a_scheduled_order_is_for_the_day_of_its_processing_time_however_far_off() {
        clock.set(Instant.parse("2031-10-20T10:00:00Z"));
        try (Site site = Site.open("dayahead", SETTINGS)) {
            site.startNodeBy(clock);
            Client client = site.client();
            setOut(client, "m3", "goose", "Europe/Berlin", 5);
            Map<String, String> days = new LinkedHashMap<>();
            days.put("2031-10-25T23:59:59.999+02:00", "2031-10-25");
            days.put("2031-10-26T00:00:00+02:00", "2031-10-26");
            days.put("2031-10-26T02:30:00+02:00", "2031-10-26"); // both of the doubled hour
            days.put("2031-10-26T02:30:00+01:00", "2031-10-26");
            days.put("2031-10-26T22:59:59Z", "2031-10-26"); // the last second of a day of 25 hours
            days.put("2031-10-26T23:00:00Z", "2031-10-27");
            days.put("2061-12-24T18:00:00+01:00", "2061-12-24");
            days.forEach((time, day) -> {
                Map<String, Object> body = order("m3", "goose", "i" + time.hashCode(), 1);
                body.put("processing_time", time);
                Answer held = await().atMost(PATIENCE)
                        .until(
                                () -> client.post("/v1/reservations", body, WAIT),
                                answer -> !answer.code().equals("POOL_NOT_READY"));
                assertThat(held.text("/terms/pool"))
                        .as("%s: %s", time, held.body())
                        .isEqualTo("m3:goose:" + day);
            });
        }
    }

    @Test
    void a_dish_is_paused_and_resumed_and_its_total_lowered_below_what_is_promised() {
        clock.set(Instant.parse("2031-07-01T10:00:00Z"));
        try (Site site = Site.open("daydish", SETTINGS)) {
            site.startNodeBy(clock);
            Client client = site.client();
            setOut(client, "m4", "fish", "Europe/Berlin", 5);
            String pool = "/v1/pools/m4:fish:2031-07-01";
            assertThat(hold(client, "m4", "fish", "i1", 4).text("/status")).isEqualTo("RESERVED");

            client.post(pool + "/pause", Map.of(), Map.of("Idempotency-Key", "p1", "Prefer", "wait=30"));
            assertThat(hold(client, "m4", "fish", "i2", 1).code()).isEqualTo("POOL_PAUSED");
            news(client, "m4", "fish", "i1", "confirm", Map.of("order_id", "order-i1"));
            client.post(pool + "/resume", Map.of(), Map.of("Idempotency-Key", "r1", "Prefer", "wait=30"));
            assertThat(hold(client, "m4", "fish", "i3", 1).text("/status")).isEqualTo("RESERVED");

            Answer lowered = client.post(pool + "/adjustments", Map.of("total", 2, "expected_version", 1), WAIT);
            assertThat(lowered.number("/journal/books/deficit")).isEqualTo(3);
            assertThat(lowered.number("/journal/books/available")).isZero();
            assertThat(client.post(pool + "/adjustments", Map.of("total", 9, "expected_version", 1), WAIT)
                            .code())
                    .isEqualTo("BASELINE_CHANGED");
            news(client, "m4", "fish", "i3", "cancel", Map.of("order_id", "order-i3"));
            Answer paid = client.get(pool);
            assertThat(paid.number("/redis/books/deficit"))
                    .as("what comes back pays it")
                    .isEqualTo(2);
            assertThat(paid.number("/redis/books/available")).isZero();
        }
    }
}
