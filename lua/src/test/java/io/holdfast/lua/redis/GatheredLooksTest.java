package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.script.LooksReply;
import io.holdfast.lua.script.SoldOutLooks;
import io.holdfast.lua.script.SoldOutLooks.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GatheredLooksTest {

    private static final Outcome<SoldOutReply> SOLD_OUT = Outcome.known(new SoldOutReply.SoldOut());
    private static final Outcome<SoldOutReply> ASK = Outcome.known(new SoldOutReply.Ask());

    private record Call(SoldOutLooks looks, CompletableFuture<Outcome<LooksReply>> answer) {
        List<String> reservations() {
            return looks.looks().stream()
                    .map(look -> look.request().reservation())
                    .toList();
        }

        void answered(String letters) {
            answer.complete(Outcome.known(new LooksReply.Looked(letters)));
        }
    }

    private final List<Call> calls = new ArrayList<>();
    private final GatheredLooks gathered = new GatheredLooks(looks -> {
        var call = new Call(looks, new CompletableFuture<>());
        calls.add(call);
        return call.answer();
    });

    private CompletableFuture<Outcome<SoldOutReply>> ask(String reservation) {
        return gathered.ask(new Look(new SoldOutRequest("p", reservation, 1), Optional.empty()))
                .toCompletableFuture();
    }

    @Test
    void who_comes_while_two_calls_are_on_their_way_goes_with_the_next() {
        var a = ask("a");
        var b = ask("b");
        var c = ask("c");
        var d = ask("d");

        assertThat(calls).extracting(Call::reservations).containsExactly(List.of("a"), List.of("b"));
        calls.get(1).answered("A");
        assertThat(calls).extracting(Call::reservations).last().isEqualTo(List.of("c", "d"));
        assertThat(b).isCompletedWithValue(ASK);
        assertThat(a).isNotDone();

        calls.get(2).answered("SA");
        assertThat(c).isCompletedWithValue(SOLD_OUT);
        assertThat(d).isCompletedWithValue(ASK);
        calls.get(0).answered("S");
        assertThat(a).isCompletedWithValue(SOLD_OUT);
        assertThat(calls).hasSize(3);
    }

    @Test
    void a_crowd_goes_in_calls_of_limited_size() {
        List<CompletableFuture<Outcome<SoldOutReply>>> crowd =
                IntStream.range(0, 1_000).mapToObj(i -> ask("r" + i)).toList();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            assertThat(call.looks().looks()).hasSizeBetween(1, 128);
            call.answered("S".repeat(call.looks().looks().size()));
        }

        assertThat(calls).hasSize(2 + 8);
        assertThat(crowd).allSatisfy(answer -> assertThat(answer).isCompletedWithValue(SOLD_OUT));
    }

    @Test
    void what_becomes_of_a_call_becomes_of_all_who_went_with_it() {
        ask("a");
        ask("b");
        var c = ask("c");
        var d = ask("d");
        calls.get(0).answer().complete(Outcome.unavailable("away"));
        var e = ask("e");
        calls.get(1).answer().complete(Outcome.unknown("cut"));
        var f = ask("f");
        calls.get(2).answer().complete(Outcome.unknown("cut"));
        calls.get(3).answer().complete(Outcome.known(new LooksReply.Refused(new GuardRefusal.Malformed("KEYS"))));
        calls.get(4).answer().complete(Outcome.unavailable("away"));

        assertThat(c).isCompletedWithValue(Outcome.unknown("cut"));
        assertThat(d).isCompletedWithValue(Outcome.unknown("cut"));
        assertThat(e).isCompletedWithValue(Outcome.known(new GuardRefusal.Malformed("KEYS")));
        assertThat(f).isCompletedWithValue(Outcome.unavailable("away"));
    }

    @Test
    void an_answer_to_another_number_of_looks_is_no_answer() {
        ask("a");
        ask("b");
        var c = ask("c");
        var d = ask("d");
        calls.get(0).answered("S");
        calls.get(2).answered("S");

        assertThat(List.of(c, d)).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(Outcome.Unknown.class));
    }

    @Test
    void calls_that_are_answered_at_once_leave_nobody_waiting() {
        var at = new GatheredLooks(looks -> CompletableFuture.completedFuture(
                Outcome.known(new LooksReply.Looked("S".repeat(looks.looks().size())))));
        for (int i = 0; i < 10; i++) {
            assertThat(at.ask(new Look(new SoldOutRequest("p", "r" + i, 1), Optional.empty())))
                    .isCompletedWithValue(SOLD_OUT);
        }
    }
}
