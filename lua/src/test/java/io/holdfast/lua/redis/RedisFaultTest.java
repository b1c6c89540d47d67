package io.holdfast.lua.redis;

import static io.holdfast.lua.redis.Calls.untilKnown;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.fault.FaultProxy;
import io.holdfast.localstack.fault.Trap;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.conformance.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the port answers when the line, the process or the memory of Redis fails; always with a real server. */
@ParameterizedClass
@EnumSource
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RedisFaultTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static RedisServer server;

    private FaultProxy proxy;
    private RedisUnderTest subject;
    private String pool;
    private Calls calls;

    RedisFaultTest(RedisVersion version) {}

    @BeforeParameterizedClassInvocation
    static void startServer(RedisVersion version) {
        server = version.start("faults");
    }

    @AfterParameterizedClassInvocation
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        proxy = FaultProxy.to(server.host(), server.port());
        subject = new RedisUnderTest("redis://" + proxy.host() + ":" + proxy.port(), server.uri());
        pool = "m1:d1:t" + Integer.toHexString(test.getDisplayName().hashCode());
        calls = new Calls(subject.scripts(), pool);
        assertThat(calls.init(10)).isEqualTo("CREATED v1 10+0=10/0/0");
    }

    @AfterEach
    void disconnect() {
        subject.close();
        proxy.close();
    }

    @Test
    void an_answer_lost_after_executing_is_unknown_and_the_retry_is_told_what_happened() {
        Trap trap = proxy.loseReplyTo("r-lost");

        assertThat(calls.hold("r-lost", 3)).startsWith("UNKNOWN");
        trap.await(PATIENCE);

        assertThat(untilKnown(() -> calls.hold("r-lost", 3))).isEqualTo("HELD again v2 10+0=7/3/0");
    }

    @Test
    void a_call_lost_before_executing_is_unknown_and_the_retry_is_the_first() {
        proxy.loseRequest("r-never");

        assertThat(calls.hold("r-never", 3)).startsWith("UNKNOWN");

        assertThat(untilKnown(() -> calls.hold("r-never", 3))).isEqualTo("HELD v2 10+0=7/3/0");
    }

    @Test
    void a_script_that_arrives_after_its_retry_was_answered_and_undone_moves_nothing() {
        Trap trap = proxy.holdRequest("r-late");
        assertThat(calls.hold("r-late", 3)).startsWith("UNKNOWN");
        trap.await(PATIENCE);
        assertThat(untilKnown(() -> calls.hold("r-late", 3))).isEqualTo("HELD v2 10+0=7/3/0");
        assertThat(calls.cancel("r-late", 3, true)).isEqualTo("RELEASED v3 10+0=10/0/0");

        trap.release();

        assertThat(calls.look("r-late")).isEqualTo("SEEN trusted OPEN CANCELED 3/0/0/0 v3 10+0=10/0/0");
    }

    @Test
    void a_dead_line_is_unknown_after_the_time_out_and_a_new_one_is_found_when_it_heals() {
        proxy.blackhole();

        assertThat(calls.hold("r1", 1)).isEqualTo("UNKNOWN no answer within PT2S");
        proxy.heal();

        assertThat(untilKnown(() -> calls.hold("r1", 1))).endsWith("v2 10+0=9/1/0");
    }

    @Test
    void every_call_in_flight_when_the_line_is_cut_is_unknown_or_done_and_is_moved_once_in_the_end() {
        server.pause();
        List<CompletionStage<Outcome<TryReply>>> inFlight = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            inFlight.add(calls.trying("r" + i, 1));
        }
        proxy.cut();
        server.resume();

        inFlight.forEach(stage -> assertThat(Scenario.outcome(stage)).isInstanceOf(Outcome.Unknown.class));
        for (int i = 0; i < 5; i++) {
            String reservation = "r" + i;
            assertThat(untilKnown(() -> calls.hold(reservation, 1))).startsWith("HELD");
        }
        assertThat(calls.look("r0")).endsWith("v6 10+0=5/5/0");
    }

    @Test
    void a_server_that_is_down_refuses_at_once_and_is_found_again_without_anybody_calling() {
        server.kill();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> calls.hold("r1", 1).startsWith("UNAVAILABLE no connection to Redis"));

        server.start();

        Calls.untilUsable(subject.scripts());
    }

    @Test
    void scripts_that_redis_has_forgotten_are_loaded_again_without_the_caller_noticing() {
        subject.redis().scriptFlush();

        assertThat(calls.hold("r1", 1)).isEqualTo("HELD v2 10+0=9/1/0");
    }

    @Test
    void a_restart_with_all_data_freezes_the_pool_until_it_is_verified() {
        assertThat(calls.hold("r1", 4)).isEqualTo("HELD v2 10+0=6/4/0");
        server.stop();
        server.start();

        assertThat(untilKnown(() -> calls.hold("r1", 4))).isEqualTo("POOL_SUSPECT OPEN other process");
        assertThat(calls.hold("r2", 1)).isEqualTo("POOL_SUSPECT OPEN other process");
        assertThat(calls.confirm("r1", 4)).isEqualTo("POOL_SUSPECT OPEN other process");
        assertThat(calls.look("r1")).isEqualTo("SEEN untrusted OPEN RESERVED 4/0/0/0 v2 10+0=6/4/0");
        assertThat(calls.verify("v1", 10, 7, 3, 0)).isEqualTo("DIFFERS SUSPECT epoch 1 v2 10+0=6/4/0");
        assertThat(calls.verify("v1", 10, 6, 4, 0)).isEqualTo("VERIFIED OPEN v2 10+0=6/4/0");

        assertThat(calls.hold("r1", 4)).isEqualTo("HELD again v2 10+0=6/4/0");
        assertThat(calls.hold("r2", 1)).isEqualTo("HELD v3 10+0=5/5/0");
    }

    @Test
    void a_restart_that_lost_the_last_hold_sells_its_units_to_nobody_else() {
        var backup = server.backup();
        assertThat(calls.hold("r1", 10)).isEqualTo("HELD v2 10+0=0/10/0");
        server.restore(backup);

        assertThat(untilKnown(() -> calls.hold("r2", 1))).isEqualTo("POOL_SUSPECT OPEN other process");
        assertThat(calls.verify("v1", 10, 0, 10, 0)).isEqualTo("DIFFERS SUSPECT epoch 1 v1 10+0=10/0/0");
        assertThat(calls.hold("r2", 1)).isEqualTo("POOL_SUSPECT SUSPECT other process");
    }

    /** Compared under one process, opened under the next: its numbers are the same, its fences are not. */
    @Test
    void a_restart_between_the_last_look_and_the_verification_opens_nothing_though_the_sums_agree() {
        assertThat(calls.hold("y", 1)).isEqualTo("HELD v2 10+0=9/1/0");
        assertThat(calls.status("v1", PoolStatus.SUSPECT)).startsWith("CHANGED SUSPECT since v1");
        var frozen = server.backup();
        assertThat(calls.verify("v1", 2, 10, 9, 1, 0)).isEqualTo("VERIFIED OPEN v2 10+0=9/1/0");
        assertThat(calls.hold("x", 1)).isEqualTo("HELD v3 10+0=8/2/0");
        assertThat(calls.cancel("y", 1, true)).isEqualTo("RELEASED v4 10+0=9/1/0");
        assertThat(calls.status("v2", PoolStatus.SUSPECT)).startsWith("CHANGED SUSPECT since v2");
        assertThat(calls.look("x")).contains("RESERVED 1/0/0/0");
        server.restore(frozen);

        assertThat(untilKnown(() -> calls.verify("v2", 2, 10, 9, 1, 0))).isEqualTo("NOT_FROZEN SUSPECT v2 10+0=9/1/0");
        assertThat(calls.verify("v1", 2, 10, 9, 1, 0)).isEqualTo("NOT_FROZEN SUSPECT v2 10+0=9/1/0");
        assertThat(calls.look("x")).contains("no fence");
        assertThat(calls.hold("z", 1)).startsWith("POOL_SUSPECT SUSPECT");
    }

    @Test
    void the_late_verification_of_an_abandoned_attempt_opens_nothing_once_another_has_opened_the_pool() {
        assertThat(calls.status("v1", PoolStatus.SUSPECT)).startsWith("CHANGED SUSPECT since v1");
        assertThat(calls.verify("v2", 10, 10, 0, 0)).isEqualTo("VERIFIED OPEN v1 10+0=10/0/0");
        var backup = server.backup();
        assertThat(calls.hold("x", 10)).isEqualTo("HELD v2 10+0=0/10/0");
        server.restore(backup);

        assertThat(untilKnown(() -> calls.verify("v1", 1, 10, 10, 0, 0))).isEqualTo("NOT_FROZEN OPEN v1 10+0=10/0/0");
        assertThat(calls.hold("z", 1)).isEqualTo("POOL_SUSPECT OPEN other process");
    }

    @Test
    void a_pool_is_frozen_and_verified_by_a_redis_that_has_forgotten_the_scripts() {
        subject.redis().scriptFlush();
        assertThat(calls.status("v1", PoolStatus.SUSPECT)).startsWith("CHANGED SUSPECT since v1");
        subject.redis().scriptFlush();
        assertThat(calls.verify("v1", 1, 10, 10, 0, 0)).isEqualTo("VERIFIED OPEN v1 10+0=10/0/0");
    }

    @Test
    void an_empty_redis_says_that_the_pool_is_missing_not_that_it_is_sold_out() {
        assertThat(calls.hold("r1", 4)).isEqualTo("HELD v2 10+0=6/4/0");
        server.wipe();

        assertThat(untilKnown(() -> calls.hold("r1", 4))).isEqualTo("POOL_MISSING");
        assertThat(calls.cancel("r1", 4, true)).isEqualTo("POOL_MISSING");
        assertThat(calls.look("r1")).isEqualTo("POOL_MISSING");
    }

    @Test
    void a_full_redis_refuses_holds_whole_and_still_lets_everything_else_end() {
        for (int i = 0; i < 4; i++) {
            calls.hold("r" + i, 1);
        }
        assertThat(calls.look("r0")).endsWith("v5 10+0=6/4/0");
        var before = subject.hash(key("stock"));
        subject.redis().configSet("maxmemory", "1");
        try {
            assertThat(calls.hold("r9", 1)).startsWith("UNAVAILABLE").contains("OOM");
            assertThat(calls.hold("r9", 99)).startsWith("UNAVAILABLE").contains("OOM");
            assertThat(calls.adjust("a1", 20, 2)).startsWith("UNAVAILABLE").contains("OOM");
            assertThat(subject.hash(key("stock"))).isEqualTo(before);
            assertThat(subject.hash(key("r:r9"))).isEmpty();
            assertThat(subject.hash(key("ops"))).containsOnlyKeys("init");

            assertThat(calls.hold("r0", 1)).isEqualTo("HELD again v2 10+0=9/1/0");
            assertThat(calls.confirm("r0", 1)).isEqualTo("CONFIRMED released 0 v6 10+0=6/3/1");
            assertThat(calls.cancel("r1", 1, true)).isEqualTo("RELEASED v7 10+0=7/2/1");
            assertThat(calls.cancel("r8", 1, false)).isEqualTo("FENCED_EMPTY v7 10+0=7/2/1");
            assertThat(calls.refund("r0", "f1", 1)).isEqualTo("REFUNDED REFUNDED left 0 v8 10+0=8/2/0");
            assertThat(calls.status("s1", PoolStatus.SUSPECT)).isEqualTo("CHANGED SUSPECT since s1 v8 10+0=8/2/0");
            assertThat(calls.verify("v1", 10, 8, 2, 0)).isEqualTo("VERIFIED OPEN v8 10+0=8/2/0");
            assertThat(calls.status("s2", PoolStatus.CLOSED)).isEqualTo("CHANGED CLOSED v8 10+0=8/2/0");
        } finally {
            subject.redis().configSet("maxmemory", "0");
        }
        assertThat(calls.hold("r9", 1)).isEqualTo("CLOSED v8 10+0=8/2/0");
    }

    @Test
    void a_full_redis_lets_nobody_in_and_still_hands_over_and_gives_back_what_was_admitted() {
        Calls gate = Calls.gated(subject.scripts(), pool + "g", 2);
        gate.init(9);
        for (int i = 0; i < 4; i++) {
            gate.admit("r" + i, "u" + i, "q1", 1);
        }
        subject.redis().configSet("maxmemory", "1");
        try {
            assertThat(gate.admit("r9", "u9", "q1", 1))
                    .startsWith("UNAVAILABLE")
                    .contains("OOM");
            assertThat(subject.hash("hf:{" + pool + "g}:notes")).hasSize(8);
            assertThat(subject.hash("hf:{" + pool + "g}:r:r9")).isEmpty();

            assertThat(gate.admit("r0", "u0", "q1", 1)).isEqualTo("QUEUED again v2 9+0=8/1/0");
            assertThat(gate.admit("r0", "u0", "q2", 1)).startsWith("CONFLICT");
            assertThat(gate.claim(9, 20, 2)).isEqualTo("CLAIMED listed 4: r0 u0/q1 1 v2, r1 u1/q1 1 v3");
            assertThat(gate.handedOff("r0")).isEqualTo("HANDED_OFF RESERVED v5 9+0=5/4/0");
            assertThat(gate.cancel("r1", 1, true)).isEqualTo("RELEASED v6 9+0=6/3/0");
            assertThat(gate.confirm("r2", 1)).isEqualTo("CONFIRMED released 0 v7 9+0=6/2/1");
            assertThat(gate.refund("r3", "f1", 1)).isEqualTo("REFUNDED REFUNDED left 0 v8 9+0=7/1/1");
            assertThat(gate.claim(99, 120, 9)).isEqualTo("CLAIMED listed 0:");
        } finally {
            subject.redis().configSet("maxmemory", "0");
        }
    }

    @Test
    void a_full_redis_lets_a_rebuild_begin_and_refuses_what_it_loads_whole() {
        calls.hold("r0", 1);
        subject.redis().configSet("maxmemory", "1");
        try {
            assertThat(calls.beginRebuild("b1", 2)).isEqualTo("BEGUN epoch 2 since b1 v2 10+0=9/1/0");
            assertThat(calls.load("b1", 2, 1, List.of("r0", "r1")))
                    .startsWith("UNAVAILABLE")
                    .contains("OOM");
            assertThat(subject.hash(key("r:r1"))).isEmpty();
        } finally {
            subject.redis().configSet("maxmemory", "0");
        }
        assertThat(calls.load("b1", 2, 1, List.of("r0", "r1"))).isEqualTo("LOADED 1");
        assertThat(calls.openRebuilt("b1", 2, 1, 2, 8)).isEqualTo("OPENED OPEN epoch 2 v9 10+0=8/2/0");
    }

    @Test
    void a_stalled_server_is_unknown_and_what_it_did_on_waking_is_not_done_twice() {
        server.pause();
        String asked = calls.hold("r1", 1);
        server.resume();

        assertThat(asked).isEqualTo("UNKNOWN no answer within PT2S");
        assertThat(untilKnown(() -> calls.hold("r1", 1))).endsWith("v2 10+0=9/1/0");
    }

    @Test
    void text_that_cannot_be_sent_is_refused_and_leaves_the_line_in_step() {
        assertThat(calls.hold("lone surrogate \uD800", 1)).isEqualTo("MALFORMED reservation");
        assertThat(calls.hold("x".repeat(5_000_000), 1)).isEqualTo("MALFORMED reservation");

        assertThat(calls.hold("r1", 1)).isEqualTo("HELD v2 10+0=9/1/0");
    }

    @Test
    void a_closed_client_refuses() {
        subject.scripts().close();

        assertThat(calls.hold("r1", 1)).isEqualTo("UNAVAILABLE the client is closed");
    }

    private String key(String name) {
        return "hf:{" + pool + "}:" + name;
    }
}
