package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.client.Call;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Result;
import io.holdfast.http.openapi.Fuzzer;
import io.holdfast.it.Client.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a backend team sees of one node on real stores. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EndToEndTest {

    private static Site site;
    private static Client client;

    @BeforeAll
    static void open() {
        site = Site.withNode("endtoend");
        client = site.client();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static void journalsAgree(String dish) throws Exception {
        try (var database = site.database()) {
            Journals.of(database, Client.pool(dish)).agreeWith(client.lookAtPool(dish));
        }
    }

    @Test
    void a_hold_is_answered_with_what_it_holds_and_a_repeat_with_the_same() throws Exception {
        client.createPool("soup", 5);
        Answer first = client.hold("soup", "i1", 2);
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text("/status")).isEqualTo("RESERVED");
        assertThat(first.text("/reservation_id")).isEqualTo(Client.idOf("soup", "i1"));
        Answer again = client.hold("soup", "i1", 2);
        assertThat(again.text("/status")).isEqualTo("RESERVED");
        assertThat(again.body().at("/books")).isEqualTo(first.body().at("/books"));
        assertThat(again.replayed()).contains("true");
        assertThat(client.lookAtPool("soup").number("/redis/books/available")).isEqualTo(3);
        journalsAgree("soup");
    }

    @Test
    void a_retry_after_sell_out_is_still_answered_reserved_and_another_quantity_is_refused() throws Exception {
        client.createPool("stew", 3);
        client.hold("stew", "i1", 2);
        assertThat(client.hold("stew", "i2", 2).code()).isEqualTo("SOLD_OUT");
        assertThat(client.hold("stew", "i3", 1).text("/status")).isEqualTo("RESERVED");
        assertThat(client.hold("stew", "i1", 2).text("/status")).isEqualTo("RESERVED");
        assertThat(client.hold("stew", "i1", 3).status()).isEqualTo(422);
        client.cancel("stew", "i3");
        Answer staysNo = client.hold("stew", "i2", 2);
        assertThat(staysNo.status()).isEqualTo(409);
        assertThat(staysNo.code()).isEqualTo("SOLD_OUT");
        journalsAgree("stew");
    }

    @Test
    void a_part_is_confirmed_and_the_rest_is_released() throws Exception {
        client.createPool("rice", 10);
        client.hold("rice", "i1", 10);
        Answer confirmed = client.confirm("rice", "i1", 7);
        assertThat(confirmed.status()).isEqualTo(200);
        assertThat(confirmed.text("/status")).isEqualTo("CONFIRMED");
        Answer pool = client.lookAtPool("rice");
        assertThat(pool.number("/redis/books/sold")).isEqualTo(7);
        assertThat(pool.number("/redis/books/available")).isEqualTo(3);
        assertThat(client.cancel("rice", "i1").status()).isEqualTo(409);
        journalsAgree("rice");
    }

    @Test
    void refunds_are_taken_once_per_id_and_never_exceed_what_was_sold() throws Exception {
        client.createPool("fish", 6);
        client.hold("fish", "i1", 4);
        client.confirm("fish", "i1");
        assertThat(client.refund("fish", "i1", "r1", 1).text("/status")).isEqualTo("CONFIRMED");
        assertThat(client.refund("fish", "i1", "r1", 1).replayed()).contains("true");
        assertThat(client.refund("fish", "i1", "r1", 2).status()).isEqualTo(422);
        assertThat(client.refund("fish", "i1", "r2", 9).status()).isEqualTo(409);
        Answer ended = client.refund("fish", "i1", "r3", 3);
        assertThat(ended.text("/status")).isEqualTo("REFUNDED");
        assertThat(client.lookAtPool("fish").number("/redis/books/available")).isEqualTo(6);
        journalsAgree("fish");
    }

    @Test
    void sixteen_cancels_before_the_hold_leave_one_tombstone_and_the_late_hold_moves_nothing() throws Exception {
        client.createPool("cake", 5);
        List<CompletableFuture<Answer>> cancels = IntStream.range(0, 16)
                .mapToObj(_ -> client.postAsync(
                        Client.reservation("cake", "i1") + "/cancel", Map.of("order_id", "order-i1"), Map.of()))
                .toList();
        for (var cancel : cancels) {
            assertThat(cancel.join().status()).isEqualTo(200);
        }
        Answer late = client.hold("cake", "i1", 5);
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text("/reservation/status") + late.text("/current_status") + late.code())
                .contains("CANCEL");
        assertThat(client.confirm("cake", "i1").status()).isEqualTo(409);
        assertThat(client.lookAtPool("cake").number("/redis/books/available")).isEqualTo(5);
        journalsAgree("cake");
    }

    @Test
    void confirm_and_cancel_at_once_have_one_winner() throws Exception {
        client.createPool("duel", 40);
        for (int i = 0; i < 40; i++) {
            String item = "i" + i;
            client.hold("duel", item, 1);
            var confirm = client.postAsync(
                    Client.reservation("duel", item) + "/confirm", Map.of("order_id", "order-" + item), Map.of());
            var cancel = client.postAsync(
                    Client.reservation("duel", item) + "/cancel", Map.of("order_id", "order-" + item), Map.of());
            List<Integer> statuses =
                    List.of(confirm.join().status(), cancel.join().status());
            assertThat(statuses).as(item).containsExactlyInAnyOrder(200, 409);
        }
        journalsAgree("duel");
    }

    @Test
    void a_lowered_baseline_is_paid_back_before_anything_becomes_available() throws Exception {
        client.createPool("roll", 10);
        client.hold("roll", "i1", 4);
        client.hold("roll", "i2", 4);
        client.confirm("roll", "i2");
        Answer lowered = client.adjust("roll", 5, "lower-1");
        assertThat(lowered.status()).isEqualTo(200);
        assertThat(lowered.number("/journal/books/deficit")).isEqualTo(3);
        assertThat(lowered.number("/journal/books/available")).isZero();
        client.refund("roll", "i2", "r1", 2);
        assertThat(client.lookAtPool("roll").number("/redis/books/available")).isZero();
        assertThat(client.lookAtPool("roll").number("/redis/books/deficit")).isEqualTo(1);
        client.cancel("roll", "i1");
        assertThat(client.lookAtPool("roll").number("/redis/books/deficit")).isZero();
        assertThat(client.lookAtPool("roll").number("/redis/books/available")).isEqualTo(3);
        assertThat(client.adjust("roll", 5, "lower-1").replayed()).contains("true");
        assertThat(client.adjust("roll", 6, "lower-1").status()).isEqualTo(422);
        journalsAgree("roll");
    }

    @Test
    void a_paused_pool_takes_no_hold_and_a_closed_one_lets_running_ones_end() throws Exception {
        client.createPool("tart", 5);
        client.hold("tart", "i1", 1);
        client.post("/v1/pools/" + Client.pool("tart") + "/pause", Map.of(), Map.of("Idempotency-Key", "pause-1"));
        assertThat(client.hold("tart", "i2", 1).status()).isEqualTo(409);
        client.post("/v1/pools/" + Client.pool("tart") + "/resume", Map.of(), Map.of("Idempotency-Key", "resume-1"));
        assertThat(client.hold("tart", "i3", 1).text("/status")).isEqualTo("RESERVED");
        client.post("/v1/pools/" + Client.pool("tart") + "/close", Map.of(), Map.of());
        assertThat(client.hold("tart", "i4", 1).status()).isEqualTo(409);
        assertThat(client.confirm("tart", "i1").text("/status")).isEqualTo("CONFIRMED");
        assertThat(client.cancel("tart", "i3").text("/status")).isEqualTo("CANCELED");
        journalsAgree("tart");
    }

    @Test
    void an_unknown_pool_is_refused_and_the_id_can_still_be_used_once_it_exists() {
        Answer unknown = client.hold("later", "i1", 1);
        assertThat(unknown.status()).isEqualTo(404);
        client.createPool("later", 1);
        assertThat(client.hold("later", "i1", 1).text("/status")).isEqualTo("RESERVED");
    }

    @Test
    void the_journal_tells_every_step_and_the_list_finds_the_reservation() {
        client.createPool("plum", 2);
        client.hold("plum", "i1", 1);
        client.confirm("plum", "i1");
        Answer journal = client.get(Client.reservation("plum", "i1") + "/journal");
        List<String> states = StreamSupport.stream(journal.body().at("/entries").spliterator(), false)
                .map(entry -> entry.at("/state_after/type")
                        .asText(entry.at("/status_after").asText()))
                .toList();
        assertThat(journal.status()).isEqualTo(200);
        assertThat(states).as("%s", journal.body()).hasSize(4);
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            Answer list = client.get("/v1/reservations?pool=" + Client.pool("plum"));
            assertThat(list.body().toString())
                    .contains(Client.idOf("plum", "i1"))
                    .contains("CONFIRMED");
        });
    }

    @Test
    void a_hold_costs_two_journal_writes_and_one_call_of_redis() throws Exception {
        client.createPool("cost", 100);
        client.hold("cost", "warm", 1);
        long calls = scriptCalls();
        for (int i = 0; i < 20; i++) {
            client.hold("cost", "i" + i, 1);
        }
        assertThat(scriptCalls() - calls).isEqualTo(20);
        try (var database = site.database();
                var count = database.prepareStatement(
                        "select count(*) from journal_readable where machine = 'reservation' and entity_id = any"
                                + " (?)")) {
            count.setArray(
                    1,
                    database.createArrayOf(
                            "text",
                            IntStream.range(0, 20)
                                    .mapToObj(i -> Client.idOf("cost", "i" + i))
                                    .toArray()));
            var rows = count.executeQuery();
            rows.next();
            assertThat(rows.getInt(1)).isEqualTo(40);
        }
    }

    private static long scriptCalls() {
        String statistics = Site.askRedis(site.redis.uri(), redis -> redis.info("commandstats"));
        var calls = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)").matcher(statistics);
        long sum = 0;
        while (calls.find()) {
            sum += Long.parseLong(calls.group(1));
        }
        return sum;
    }

    @Test
    void last_units_go_to_as_many_as_there_are() throws Exception {
        client.createPool("gold", 12);
        List<CompletableFuture<Answer>> all = IntStream.range(0, 200)
                .mapToObj(i -> client.holdAsync("gold", "i" + i, 1 + i % 3, "wait=30"))
                .toList();
        long held = 0;
        for (int i = 0; i < 200; i++) {
            Answer answer = all.get(i).join();
            if (answer.status() == 201) {
                held += 1 + i % 3;
            } else {
                assertThat(answer.code()).as("%s", answer.body()).isEqualTo("SOLD_OUT");
            }
        }
        assertThat(held).isEqualTo(12);
        journalsAgree("gold");
    }

    @Test
    void the_java_client_holds_repeats_adjusts_and_lists() throws Exception {
        String pool = Client.pool("bread");
        try (var java = HoldfastClient.of(client.base())) {
            assertThat(java.call(Call.put("/v1/pools/" + pool, Map.of("total", 5))))
                    .isInstanceOf(Result.Done.class);
            Call hold = Call.post("/v1/reservations", Client.holdBody("bread", "i1", 2));
            var held = (Result.Done) java.call(hold);
            assertThat(held.status()).isEqualTo(201);
            var again = (Result.Done) java.call(hold);
            assertThat(again.replayed()).isTrue();
            assertThat(again.body().at("/books")).isEqualTo(held.body().at("/books"));
            assertThat(java.call(Call.post("/v1/reservations", Client.holdBody("bread", "i2", 4))))
                    .isInstanceOfSatisfying(
                            Result.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo("SOLD_OUT"));
            Call adjust = Call.post("/v1/pools/" + pool + "/adjustments", Map.of("total", 9));
            assertThat(java.call(adjust.with("If-Match", "\"1\""))).isInstanceOf(Result.Done.class);
            assertThat(java.call(adjust.under("late").with("If-Match", "\"1\"")))
                    .isInstanceOfSatisfying(
                            Result.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo("PRECONDITION_FAILED"));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(java.list(
                                    "/v1/reservations?limit=1&order_id=order-i1&pool=" + pool, "reservations"))
                            .hasSize(1));
        }
        journalsAgree("bread");
    }

    static LongStream seeds() {
        return LongStream.range(11, 11 + Integer.getInteger("fuzz.seeds", 2));
    }

    /** Everything but what declares ends by decree: after that Redis may well say something else than the journals. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatever_is_asked_the_answer_is_documented_no_fault_and_no_unit_is_lost(long seed) throws Exception {
        String[] pools = {Client.pool("fuzz-a" + seed), Client.pool("fuzz-b" + seed)};
        var fuzzer = new Fuzzer(client.base(), seed)
                .knowing("pool", pools)
                .knowing("PoolId", pools)
                .knowing("merchant", Client.MERCHANT)
                .knowing("dish", "fuzz-a" + seed)
                .knowing("order_id", "o1", "o2")
                .knowing("order_item_id", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8")
                .knowing("refund_id", "r1", "r2")
                .knowing("resolution", "CONTINUE")
                .weighing("createPool", 6)
                .weighing("askForHold", 12)
                .weighing("confirmReservation", 6)
                .weighing("cancelReservation", 4)
                .weighing("refundReservation", 6)
                .weighing("askForReconciliation", 0);
        Fuzzer.Report report = fuzzer.run(250);
        assertThat(report.statuses().keySet()).contains(200, 400, 404, 409);
        for (String dish : List.of("fuzz-a" + seed, "fuzz-b" + seed)) {
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> journalsAgree(dish));
        }
    }
}
