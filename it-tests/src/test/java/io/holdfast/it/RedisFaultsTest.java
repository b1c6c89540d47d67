package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What Redis, and the network before it, may do to a running node. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
class RedisFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Site site;
    private Client client;

    @BeforeEach
    void open(TestInfo test) {
        site = Site.open(
                "redisfaults" + Integer.toHexString(test.getDisplayName().hashCode()),
                Map.of(
                        "HOLDFAST_RESERVATION_VERIFY_AGAIN_AFTER",
                        "2s",
                        "HOLDFAST_RESERVATION_REOPEN_OVER",
                        "0s",
                        // Each test says who is the first to meet what Redis has become.
                        "HOLDFAST_RECONCILIATION_EVERY",
                        test.getTags().contains("scheduled") ? "10m" : "0s"));
        site.startNode();
        client = site.client();
        client.createPool("dish", 10);
    }

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void a_reply_lost_after_the_script_ran_is_asked_for_again_and_moves_once() throws Exception {
        var lost = site.toRedis.loseReplyTo(Client.idOf("dish", "i1"));
        Answer answer = settled("i1", 3);
        assertThat(lost.hasSprung()).isTrue();
        assertThat(answer.text("/status")).isEqualTo("RESERVED");
        assertThat(client.lookAtPool("dish").number("/redis/books/reserved")).isEqualTo(3);
        journalsAgree();
    }

    @Test
    void a_request_lost_before_the_script_ran_is_sent_again() throws Exception {
        var lost = site.toRedis.loseRequest(Client.idOf("dish", "i1"));
        assertThat(settled("i1", 3).text("/status")).isEqualTo("RESERVED");
        assertThat(lost.hasSprung()).isTrue();
        journalsAgree();
    }

    @Test
    void a_script_that_runs_after_its_retry_was_answered_moves_nothing_more() throws Exception {
        var held = site.toRedis.holdRequest(Client.idOf("dish", "i1"));
        assertThat(settled("i1", 3).text("/status")).isEqualTo("RESERVED");
        held.release();
        assertThat(client.cancel("dish", "i1").text("/status")).isEqualTo("CANCELED");
        assertThat(client.lookAtPool("dish").number("/redis/books/available")).isEqualTo(10);
        journalsAgree();
    }

    @Test
    void a_script_that_runs_after_its_pool_was_rebuilt_moves_nothing_though_its_reservation_has_no_fence_in_it()
            throws Exception {
        var held = site.toRedis.holdRequest(Client.idOf("dish", "i1"));
        assertThat(settled("i1", 3).text("/status")).isEqualTo("RESERVED");
        assertThat(client.cancel("dish", "i1").text("/status")).isEqualTo("CANCELED");
        client.hold("dish", "i2", 1);
        Answer rebuilt = client.post(
                "/v1/pools/" + Client.pool("dish") + "/rebuild",
                Map.of(),
                Map.of("Idempotency-Key", "r1", "Prefer", "wait=30"));
        assertThat(rebuilt.number("/journal/books/epoch")).isEqualTo(2);
        held.release();
        assertThat(client.confirm("dish", "i2").text("/status")).isEqualTo("CONFIRMED");
        assertThat(client.hold("dish", "i3", 9).text("/status")).isEqualTo("RESERVED");
        String fence = "hf:{" + Client.pool("dish") + "}:r:" + Client.idOf("dish", "i1");
        assertThat(Site.<String>askRedis(
                        site.redis.uri(), redis -> redis.hget(fence, "epoch") + " " + redis.hget(fence, "phase")))
                .as("what the epoch before left behind, which is no fence any more")
                .isEqualTo("1 CANCELED");
        try (var database = site.database();
                var epochs =
                        database.prepareStatement("select entity_id from journal_readable where type = 'EpochSeen'")) {
            List<String> told = new ArrayList<>();
            var rows = epochs.executeQuery();
            while (rows.next()) {
                told.add(rows.getString(1));
            }
            assertThat(told)
                    .as("one line of the journal for what was held when its pool was rebuilt, and none besides")
                    .containsExactly(Client.idOf("dish", "i2"));
        }
        journalsAgree();
    }

    @Test
    void connections_cut_under_load_lose_nothing_and_move_nothing_twice() throws Exception {
        client.createPool("load", 1000);
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            all.add(client.holdAsync("load", "i" + i, 1, "wait=30"));
            if (i % 20 == 10) {
                all.get(i - 5).join();
                site.toRedis.cut();
            }
        }
        for (int i = 0; i < 120; i++) {
            String item = "i" + i;
            all.get(i).join();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.look("load", item).text("/status"))
                            .isEqualTo("RESERVED"));
        }
        assertThat(client.lookAtPool("load").number("/redis/books/reserved")).isEqualTo(120);
        try (var database = site.database()) {
            Journals.of(database, Client.pool("load")).agreeWith(client.lookAtPool("load"));
        }
    }

    @Test
    void a_silent_redis_leaves_a_hold_accepted_and_it_settles_by_itself() throws Exception {
        site.toRedis.blackhole();
        Answer accepted = client.holdAsync("dish", "i1", 2, "wait=1").join();
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.text("/status")).isEqualTo("PREPARING");
        assertThat(accepted.location()).isPresent();
        site.toRedis.heal();
        awaitStatus("i1", "RESERVED");
        journalsAgree();
    }

    @Test
    void after_a_restart_with_all_data_the_pool_is_verified_and_reopened() throws Exception {
        client.hold("dish", "i1", 2);
        client.hold("dish", "i2", 1);
        client.confirm("dish", "i2");
        site.redis.stop();
        site.redis.start();
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer answer = client.holdAsync("dish", "i3", 1, "wait=5").join();
            assertThat(answer.text("/status")).as("%s", answer.body()).isEqualTo("RESERVED");
        });
        assertThat(client.cancel("dish", "i1").text("/status")).isEqualTo("CANCELED");
        try (var database = site.database();
                var suspicions = database.prepareStatement(
                        "select count(*) from journal_readable where entity_id = ? and type = 'PoolReopened'")) {
            suspicions.setString(1, Client.pool("dish"));
            var rows = suspicions.executeQuery();
            rows.next();
            assertThat(rows.getInt(1)).as("times reopened").isPositive();
        }
        journalsAgree();
    }

    private void restartIdle() throws Exception {
        client.hold("dish", "i1", 2);
        client.hold("dish", "i2", 1);
        client.confirm("dish", "i2");
        site.redis.stop();
        site.redis.start();
    }

    /** Nobody moves anything in it, so nobody but the one who looks for such pools can notice. */
    private void awaitUnserved() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer pool = client.lookAtPool("dish");
            assertThat(pool.body().at("/redis/trusted").asText())
                    .as("%s", pool.body())
                    .isEqualTo("false");
            assertThat(pool.text("/status")).isEqualTo("OPEN");
        });
    }

    private void awaitVerifiedAndUnmoved() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer pool = client.lookAtPool("dish");
            assertThat(pool.body().at("/redis/trusted").asText())
                    .as("%s", pool.body())
                    .isEqualTo("true");
            assertThat(pool.text("/status")).isEqualTo("OPEN");
            assertThat(pool.number("/redis/books/reserved")).isEqualTo(2);
            assertThat(pool.number("/redis/books/sold")).isEqualTo(1);
            assertThat(pool.number("/redis/books/available")).isEqualTo(7);
        });
        journalsAgree();
    }

    private Answer ranOver(String pool) {
        Answer asked = client.post("/v1/reconciliations", Map.of("pool", pool, "full", true), Map.of());
        assertThat(asked.status()).as("%s", asked.body()).isEqualTo(202);
        String run = "/v1/reconciliations/" + asked.text("/run");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(client.get(run).text("/status")).isEqualTo("COMPLETED"));
        return client.get(run);
    }

    @Test
    void an_idle_pool_is_verified_by_the_run_that_meets_it_after_a_restart_and_compared_by_the_next() throws Exception {
        restartIdle();
        awaitUnserved();
        Answer met = ranOver(Client.pool("dish"));
        assertThat(met.text("/findings/0/type")).as("%s", met.body()).isEqualTo("NOT_COMPARED");
        assertThat(met.text("/findings/0/class")).isEqualTo("WAIT");
        awaitVerifiedAndUnmoved();
        Answer next = ranOver(Client.pool("dish"));
        assertThat(next.body().path("findings")).as("%s", next.body()).isEmpty();
        assertThat(next.number("/counts/skipped")).isZero();
    }

    @Test
    void an_idle_pool_is_verified_after_a_restart_when_somebody_asks_for_it() throws Exception {
        restartIdle();
        awaitUnserved();
        String verify = "/v1/pools/" + Client.pool("dish") + "/verify";
        Answer asked = client.post(verify, Map.of(), Map.of("Idempotency-Key", "v1", "Prefer", "wait=30"));
        assertThat(asked.status()).as("%s", asked.body()).isEqualTo(200);
        assertThat(asked.text("/status")).isEqualTo("OPEN");
        awaitVerifiedAndUnmoved();
        assertThat(client.post(verify, Map.of(), Map.of("Idempotency-Key", "v2"))
                        .code())
                .isEqualTo("NOT_SUSPECT");
    }

    @Test
    void an_idle_pool_that_an_empty_redis_has_not_is_loaded_anew_when_somebody_asks_to_verify_it() throws Exception {
        client.hold("dish", "i1", 4);
        site.redis.stop();
        site.redis.wipe();
        site.redis.start();
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer asked = client.post(
                    "/v1/pools/" + Client.pool("dish") + "/verify",
                    Map.of(),
                    Map.of("Idempotency-Key", "v1", "Prefer", "wait=30"));
            assertThat(asked.status()).as("%s", asked.body()).isEqualTo(200);
        });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(client.lookAtPool("dish").number("/redis/books/reserved"))
                        .isEqualTo(4));
        journalsAgree();
    }

    @Test
    @Tag("scheduled")
    void an_idle_pool_is_verified_soon_after_a_restart_though_nobody_asks_for_anything() throws Exception {
        restartIdle();
        awaitVerifiedAndUnmoved();
        try (var database = site.database();
                var asked = database.prepareStatement(
                        "select count(*) from reconciliation_run where requested_by like '%another Redis process'")) {
            var rows = asked.executeQuery();
            rows.next();
            assertThat(rows.getInt(1)).as("one run for each of two processes").isEqualTo(2);
        }
    }

    @Test
    void a_redis_that_lost_a_hold_already_answered_is_rebuilt_with_it() throws Exception {
        client.hold("dish", "i1", 4);
        site.redis.stop();
        Path before = site.redis.backup();
        site.redis.start();
        reopened("i2", 1);
        assertThat(client.hold("dish", "i3", 5).text("/status")).isEqualTo("RESERVED");
        site.redis.stop();
        site.redis.restore(before);
        site.redis.start();
        comesBackSoldOut();
        assertThat(client.cancel("dish", "i3").text("/status")).isEqualTo("CANCELED");
        journalsAgree();
    }

    @Test
    void an_empty_redis_is_rebuilt_and_what_was_held_is_held() throws Exception {
        client.hold("dish", "i1", 4);
        client.hold("dish", "i2", 6);
        site.redis.stop();
        site.redis.wipe();
        site.redis.start();
        comesBackSoldOut();
        assertThat(client.confirm("dish", "i1").text("/status")).isEqualTo("CONFIRMED");
        journalsAgree();
    }

    @Test
    void a_redis_flushed_under_load_of_holds_and_confirms_comes_back_and_nothing_is_sold_twice() throws Exception {
        client.createPool("load", 1000);
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            String item = "i" + i;
            all.add(client.holdAsync("load", item, 1, "wait=30")
                    .thenApply(held -> held.text("/status").equals("RESERVED") ? client.confirm("load", item) : held));
            if (i == 60) {
                all.get(20).join();
                Site.askRedis(site.redis.uri(), RedisCommands::flushall);
            }
        }
        all.forEach(CompletableFuture::join);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(client.lookAtPool("load").text("/status")).isEqualTo("OPEN");
            try (var database = site.database()) {
                Journals journals = Journals.of(database, Client.pool("load"));
                assertThat(journals.unsettled()).isZero();
                journals.agreeWith(client.lookAtPool("load"));
            }
        });
        assertThat(client.lookAtPool("load").number("/redis/books/epoch")).isGreaterThan(1);
    }

    @Test
    void a_single_fence_that_is_deleted_is_restored_and_the_operation_that_missed_it_goes_on() throws Exception {
        client.hold("dish", "i1", 4);
        String key = "hf:{" + Client.pool("dish") + "}:r:" + Client.idOf("dish", "i1");
        Site.askRedis(site.redis.uri(), redis -> redis.del(key));
        client.confirm("dish", "i1");
        awaitStatus("i1", "CONFIRMED");
        journalsAgree();
    }

    @Test
    void a_rebuild_that_is_asked_for_is_done_once_per_key_and_changes_no_number() throws Exception {
        client.hold("dish", "i1", 4);
        String path = "/v1/pools/" + Client.pool("dish") + "/rebuild";
        Map<String, String> headers = Map.of("Idempotency-Key", "r1", "Prefer", "wait=30");
        Answer rebuilt = client.post(path, Map.of(), headers);
        assertThat(rebuilt.status()).as("%s", rebuilt.body()).isEqualTo(200);
        assertThat(rebuilt.number("/journal/books/epoch")).isEqualTo(2);
        assertThat(rebuilt.number("/journal/books/reserved")).isEqualTo(4);
        assertThat(client.post(path, Map.of(), headers).number("/journal/books/epoch"))
                .isEqualTo(2);
        journalsAgree();
    }

    @Test
    void a_full_redis_takes_no_hold_lets_holds_end_and_goes_on_when_there_is_room() throws Exception {
        client.hold("dish", "i1", 2);
        client.hold("dish", "i2", 1);
        Site.askRedis(site.redis.uri(), redis -> redis.configSet("maxmemory", "1"));
        Answer accepted = client.holdAsync("dish", "i3", 1, "wait=1").join();
        assertThat(accepted.status()).as("%s", accepted.body()).isEqualTo(202);
        assertThat(client.cancel("dish", "i1").text("/status")).isEqualTo("CANCELED");
        assertThat(client.confirm("dish", "i2").text("/status")).isEqualTo("CONFIRMED");
        Site.askRedis(site.redis.uri(), redis -> redis.configSet("maxmemory", "0"));
        awaitStatus("i3", "RESERVED");
        journalsAgree();
    }

    @Test
    void a_redis_demoted_to_read_only_takes_nothing_and_is_verified_when_it_is_primary_again() throws Exception {
        client.hold("dish", "i1", 2);
        Site.askRedis(site.redis.uri(), redis -> redis.replicaof("127.0.0.1", 1));
        Answer accepted = client.holdAsync("dish", "i2", 1, "wait=1").join();
        assertThat(accepted.status()).as("%s", accepted.body()).isIn(202, 503);
        Site.askRedis(site.redis.uri(), RedisCommands::replicaofNoOne);
        reopened("i2", 1);
        awaitStatus("i1", "RESERVED");
        journalsAgree();
    }

    @Test
    void a_replica_promoted_with_everything_is_verified_and_serves() throws Exception {
        try (RedisServer replica = replica("replica-whole")) {
            client.hold("dish", "i1", 2);
            caughtUp(replica);
            promote(replica);
            reopened("i2", 1);
            assertThat(client.cancel("dish", "i1").text("/status")).isEqualTo("CANCELED");
            journalsAgree();
        }
    }

    @Test
    void a_replica_promoted_without_a_hold_already_answered_is_rebuilt_with_it() throws Exception {
        try (RedisServer replica = replica("replica-behind")) {
            client.hold("dish", "i1", 2);
            caughtUp(replica);
            Site.askRedis(replica.uri(), RedisCommands::replicaofNoOne);
            client.hold("dish", "i3", 8);
            awaitStatus("i3", "RESERVED");
            promote(replica);
            comesBackSoldOut();
            journalsAgree();
        }
    }

    private RedisServer replica(String name) {
        RedisServer replica = RedisServer.start(RedisSettings.in(SharedStack.freshFolder(name))
                .withExtraLines("replicaof 127.0.0.1 " + site.redis.port()));
        caughtUp(replica);
        return replica;
    }

    /** Waits until the replica has all that the primary has. */
    private void caughtUp(RedisServer replica) {
        await().atMost(PATIENCE)
                .until(() -> Site.askRedis(replica.uri(), redis -> redis.info("replication"))
                        .contains("master_link_status:up"));
        await().atMost(PATIENCE)
                .until(() -> Site.askRedis(site.redis.uri(), redis -> redis.waitForReplication(1, 1000)) >= 1);
    }

    private void promote(RedisServer replica) {
        Site.askRedis(replica.uri(), RedisCommands::replicaofNoOne);
        site.toRedis.target("127.0.0.1", replica.port());
        site.toRedis.cut();
    }

    /** All ten units are held according to the journals: nobody else ever gets one, before the rebuild or after it. */
    private void comesBackSoldOut() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer late = client.holdAsync("dish", "late", 1, "wait=5").join();
            assertThat(late.text("/status")).isNotEqualTo("RESERVED");
            assertThat(client.lookAtPool("dish").text("/status")).isEqualTo("OPEN");
            assertThat(client.lookAtPool("dish").number("/redis/books/epoch")).isEqualTo(2);
            assertThat(late.code()).as("%s", late.body()).isEqualTo("SOLD_OUT");
        });
    }

    private void reopened(String item, long quantity) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer answer = client.holdAsync("dish", item, quantity, "wait=5").join();
            assertThat(answer.text("/status")).as("%s", answer.body()).isEqualTo("RESERVED");
        });
    }

    private Answer settled(String item, long quantity) {
        return client.holdAsync("dish", item, quantity, "wait=30").join();
    }

    private void awaitStatus(String item, String status) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(client.look("dish", item).text("/status")).isEqualTo(status));
    }

    private void journalsAgree() throws Exception {
        try (var database = site.database()) {
            Journals.of(database, Client.pool("dish")).agreeWith(client.lookAtPool("dish"));
        }
    }
}
