package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.RedisServer;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.conformance.Scenario;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers at the same moment, on two connections. */
@ParameterizedClass
@EnumSource
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RacesTest {

    private static RedisServer server;
    private static RedisUnderTest one;
    private static RedisUnderTest two;

    RacesTest(RedisVersion version) {}

    @BeforeParameterizedClassInvocation
    static void connect(RedisVersion version) {
        server = version.start("races");
        one = RedisUnderTest.patient(server.uri());
        two = RedisUnderTest.patient(server.uri());
    }

    @AfterParameterizedClassInvocation
    static void close() {
        one.close();
        two.close();
        server.close();
    }

    /** Both at once; the outcome of each. */
    private static List<String> race(Callable<String> left, Callable<String> right) throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        try (ExecutorService racers = Executors.newFixedThreadPool(2)) {
            List<Future<String>> outcomes = new ArrayList<>();
            for (Callable<String> racer : List.of(left, right)) {
                outcomes.add(racers.submit(() -> {
                    start.await();
                    return racer.call();
                }));
            }
            return List.of(outcomes.get(0).get(), outcomes.get(1).get());
        }
    }

    @Test
    void two_callers_with_the_same_try_get_one_hold_and_one_repeat_of_it() throws Exception {
        Calls first = new Calls(one.scripts(), "race:same");
        Calls second = new Calls(two.scripts(), "race:same");
        first.init(1000);
        for (int i = 0; i < 200; i++) {
            String reservation = "r" + i;
            List<String> lines = race(() -> first.hold(reservation, 2), () -> second.hold(reservation, 2));

            assertThat(lines).filteredOn(line -> line.startsWith("HELD again")).hasSize(1);
            assertThat(lines).filteredOn(line -> line.startsWith("HELD v")).hasSize(1);
            assertThat(lines.get(0).replace("again ", ""))
                    .isEqualTo(lines.get(1).replace("again ", ""));
        }
        assertThat(first.look("r0")).endsWith("v201 1000+0=600/400/0");
    }

    @Test
    void of_confirm_and_cancel_one_wins_and_the_other_is_told_so() throws Exception {
        Calls first = new Calls(one.scripts(), "race:fate");
        Calls second = new Calls(two.scripts(), "race:fate");
        first.init(1000);
        long confirmed = 0;
        for (int i = 0; i < 200; i++) {
            String reservation = "r" + i;
            first.hold(reservation, 2);
            List<String> lines = race(() -> first.confirm(reservation, 2), () -> second.cancel(reservation, 2, true));

            boolean sold = lines.get(0).startsWith("CONFIRMED ");
            assertThat(lines.get(1)).startsWith(sold ? "CONFIRMED_ALREADY" : "RELEASED");
            assertThat(lines.get(0)).startsWith(sold ? "CONFIRMED " : "CONTRADICTION CANCELED");
            confirmed += sold ? 1 : 0;
        }
        assertThat(first.look("r0")).endsWith("=" + (1000 - 2 * confirmed) + "/0/" + 2 * confirmed);
    }

    @Test
    void a_thousand_requests_of_one_user_at_once_let_in_no_more_than_the_limit() {
        Calls first = Calls.gated(one.scripts(), "race:limit", 3);
        Calls second = Calls.gated(two.scripts(), "race:limit", 3);
        first.init(500);
        List<CompletionStage<Outcome<AdmitReply>>> asked = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            asked.add((i % 2 == 0 ? first : second).admitting("r" + i, "ann", "q" + i, 1));
        }
        List<String> lines =
                asked.stream().map(Scenario::outcome).map(Calls::admitLine).toList();
        assertThat(lines).filteredOn(line -> line.startsWith("QUEUED v")).hasSize(3);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("LIMIT_REACHED 3 of 3"))
                .hasSize(997);
        assertThat(first.look("r0")).endsWith("v4 500+0=497/3/0");
    }

    @Test
    void a_crowd_at_the_gate_gets_every_unit_and_not_one_more() {
        Calls first = Calls.gated(one.scripts(), "race:gate", 1);
        Calls second = Calls.gated(two.scripts(), "race:gate", 1);
        first.init(40);
        List<CompletionStage<Outcome<AdmitReply>>> asked = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            asked.add((i % 2 == 0 ? first : second).admitting("r" + i / 2, "u" + i / 2, "q", 1));
        }
        List<String> lines =
                asked.stream().map(Scenario::outcome).map(Calls::admitLine).toList();
        assertThat(lines).filteredOn(line -> line.startsWith("QUEUED v")).hasSize(40);
        assertThat(lines).filteredOn(line -> line.startsWith("QUEUED again")).hasSize(40);
        assertThat(lines).filteredOn(line -> line.startsWith("SOLD_OUT v")).hasSize(1920);
        assertThat(first.look("r0")).endsWith("v41 40+0=0/40/0");
        assertThat(first.claim(99, 120, 1000)).startsWith("CLAIMED listed 40: ");
    }

    @Test
    void two_scanners_at_once_never_claim_the_same_hold() throws Exception {
        Calls first = Calls.gated(one.scripts(), "race:claims", 1);
        Calls second = Calls.gated(two.scripts(), "race:claims", 1);
        first.init(400);
        for (int i = 0; i < 400; i++) {
            first.admit("r" + i, "u" + i, "q", 1);
        }
        Set<String> claimed = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            for (String line : race(() -> first.claim(9, 60, 5), () -> second.claim(9, 60, 5))) {
                for (String hold : line.substring(line.indexOf(": ") + 2).split(", ")) {
                    assertThat(claimed.add(hold)).as(hold).isTrue();
                }
            }
        }
        assertThat(claimed).hasSize(400);
        assertThat(first.claim(9, 60, 5)).isEqualTo("CLAIMED listed 400:");
    }

    @Test
    void many_buyers_of_the_last_units_hold_all_of_them_and_not_one_more() {
        Calls first = new Calls(one.scripts(), "race:last");
        Calls second = new Calls(two.scripts(), "race:last");
        first.init(12);
        List<CompletionStage<Outcome<TryReply>>> asked = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            asked.add((i % 2 == 0 ? first : second).trying("r" + i, 1 + i % 3));
        }
        long held = 0;
        for (int i = 0; i < 200; i++) {
            String line = Calls.line(Scenario.outcome(asked.get(i)));
            assertThat(line).matches("(HELD|SHORT) v.*");
            held += line.startsWith("HELD") ? 1 + i % 3 : 0;
        }
        assertThat(held).isEqualTo(12);
        assertThat(first.look("r0")).endsWith("=0/12/0");
    }

    @Test
    void a_crowd_that_looks_at_once_at_several_pools_is_answered_each_for_its_own() {
        List<String> pools =
                List.of("race:sold", "race:left", "shared-race:sold:2030-01-01", "shared-race:left:2030-01-01");
        for (String pool : pools) {
            Calls calls = new Calls(one.scripts(), pool);
            calls.init(2);
            calls.hold("held", pool.contains("sold") ? 2 : 1);
        }
        List<CompletionStage<Outcome<SoldOutReply>>> asked = new ArrayList<>();
        List<SoldOutReply> expected = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String pool = pools.get(i % pools.size());
            boolean repeat = i % 7 == 0;
            asked.add(one.scripts().soldOut(new SoldOutRequest(pool, repeat ? "held" : "r" + i, 1)));
            expected.add(pool.contains("sold") && !repeat ? new SoldOutReply.SoldOut() : new SoldOutReply.Ask());
        }

        assertThat(asked)
                .extracting(Scenario::outcome)
                .isEqualTo(expected.stream().map(Outcome::known).toList());
    }
}
