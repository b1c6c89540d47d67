package io.holdfast.reservation.domain;

import static io.holdfast.reservation.domain.A.CREATED;
import static io.holdfast.reservation.domain.A.ID;
import static io.holdfast.reservation.domain.A.NOW;
import static io.holdfast.reservation.domain.A.ORDER_CANCELED;
import static io.holdfast.reservation.domain.A.ORDER_FAILED;
import static io.holdfast.reservation.domain.A.RESERVE;
import static io.holdfast.reservation.domain.A.createdFor;
import static io.holdfast.reservation.domain.A.refund;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The same facts end the same way in whatever order they come, and whenever Redis answers between them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservationPermutationTest {

    /** When Redis answers: after every command, or only when all have come. */
    enum Redis {
        ANSWERS_AT_ONCE,
        ANSWERS_LAST
    }

    static Stream<List<Fact>> permutations(List<Fact> facts) {
        if (facts.isEmpty()) {
            return Stream.of(List.of());
        }
        return facts.stream().flatMap(first -> {
            List<Fact> rest = new ArrayList<>(facts);
            rest.remove(first);
            return permutations(rest).map(tail -> {
                List<Fact> all = new ArrayList<>(List.of(first));
                all.addAll(tail);
                return all;
            });
        });
    }

    private static ScriptedLife after(Redis redis, List<Fact> facts) {
        ScriptedLife life = new ScriptedLife(10);
        life.give(RESERVE);
        if (redis == Redis.ANSWERS_AT_ONCE) {
            life.settle();
        }
        for (Fact fact : facts) {
            life.give(fact);
            if (redis == Redis.ANSWERS_AT_ONCE) {
                life.settle();
            }
        }
        life.settle();
        return life;
    }

    static Stream<List<Fact>> orders_with_a_refund_of_a_part() {
        return permutations(List.of(CREATED, refund("r-1", 2), refund("r-2", 1)));
    }

    @ParameterizedTest
    @MethodSource("orders_with_a_refund_of_a_part")
    void a_created_order_with_refunds_of_parts_sells_the_rest(List<Fact> facts) {
        for (Redis redis : Redis.values()) {
            ScriptedLife life = after(redis, facts);
            assertThat(life.state()).isInstanceOf(Confirmed.class);
            assertThat(life.state().units().orElseThrow().remaining()).isEqualTo(2);
            assertThat(life.sold()).isEqualTo(2);
            assertThat(life.reserved()).isZero();
        }
    }

    static Stream<List<Fact>> orders_that_were_canceled() {
        return permutations(List.of(CREATED, ORDER_CANCELED, refund("r-1", 2)));
    }

    @ParameterizedTest
    @MethodSource("orders_that_were_canceled")
    void a_canceled_order_gives_everything_back_once(List<Fact> facts) {
        for (Redis redis : Redis.values()) {
            ScriptedLife life = after(redis, facts);
            assertThat(life.state()).isInstanceOf(Refunded.class);
            assertThat(life.available()).isEqualTo(10);
        }
    }

    static Stream<List<Fact>> orders_of_fewer_units() {
        return permutations(List.of(createdFor(4), refund("r-1", 1)));
    }

    @ParameterizedTest
    @MethodSource("orders_of_fewer_units")
    void an_order_of_fewer_units_sells_those_less_what_was_refunded_when_redis_answers_last(List<Fact> facts) {
        ScriptedLife life = after(Redis.ANSWERS_LAST, facts);
        assertThat(life.state()).isInstanceOf(Confirmed.class);
        assertThat(life.sold()).isEqualTo(3);
        assertThat(life.available()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource(Redis.class)
    void seven_sold_of_ten_and_then_canceled_returns_exactly_what_is_open(Redis redis) {
        // Case "partly confirmed, then cancelled": the part the order never wanted goes back at once, the rest by the
        // cancel.
        ScriptedLife life = after(redis, List.of(createdFor(3)));
        assertThat(life.sold()).isEqualTo(3);
        assertThat(life.available()).isEqualTo(7);
        life.give(ORDER_CANCELED);
        life.settle();
        assertThat(life.available()).isEqualTo(10);
        assertThat(life.sold()).isZero();
    }

    static Stream<List<Fact>> contradictions() {
        return permutations(
                List.of(CREATED, ORDER_FAILED, new Fact.OrderCreatedFailed(A.ORDER, "another reason"), createdFor(5)));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void of_created_and_failed_the_first_wins_and_nothing_leaves_the_end(List<Fact> facts) {
        for (Redis redis : Redis.values()) {
            ScriptedLife life = after(redis, facts);
            boolean created = facts.getFirst() instanceof Fact.OrderCreated;
            assertThat(life.state().status()).isEqualTo(created ? Status.CONFIRMED : Status.CANCELED);
            assertThat(life.available()).isEqualTo(created ? 5 : 10);
        }
    }

    static Stream<List<Fact>> facts_before_the_request() {
        return permutations(List.of(CREATED, ORDER_CANCELED, refund("r-1", 2)));
    }

    @ParameterizedTest
    @MethodSource("facts_before_the_request")
    void facts_that_end_it_before_the_request_hold_nothing_in_any_order(List<Fact> facts) {
        ScriptedLife life = new ScriptedLife(10);
        facts.forEach(life::give);
        life.give(RESERVE);
        life.settle();
        assertThat(life.state().status()).isEqualTo(Status.CANCELED);
        assertThat(life.available()).isEqualTo(10);
        assertThat(life.calls()).isEmpty();
        assertThat(life.verdict(RESERVE)).isEqualTo(Verdict.refused(ReservationRefusal.WAS_CANCELED));
    }

    @Test
    void a_cancel_before_the_request_blocks_it_and_a_later_confirm_too() {
        ScriptedLife life = new ScriptedLife(10);
        for (int i = 0; i < 16; i++) {
            life.give(ORDER_FAILED);
            assertThat(life.verdict(ORDER_FAILED)).isEqualTo(Verdict.done());
        }
        life.give(RESERVE);
        life.give(CREATED);
        life.settle();
        assertThat(life.events())
                .filteredOn(ReservationEvent.TombstoneSet.class::isInstance)
                .hasSize(1);
        assertThat(life.available()).isEqualTo(10);
        assertThat(life.verdict(CREATED)).isEqualTo(Verdict.refused(ReservationRefusal.ORDER_ALREADY_FAILED));
    }

    @Test
    void a_crash_during_the_release_goes_on_with_the_release_never_forward() {
        // Case "crash during rollback, replay goes forward": the retried request is told that it was cancelled.
        ScriptedLife life = after(Redis.ANSWERS_AT_ONCE, List.of());
        life.give(ORDER_FAILED);
        life.restart();
        life.give(RESERVE);
        assertThat(life.verdict(RESERVE)).isEqualTo(Verdict.refused(ReservationRefusal.WAS_CANCELED));
        life.settle();
        assertThat(life.state().status()).isEqualTo(Status.CANCELED);
        assertThat(life.available()).isEqualTo(10);
        assertThat(life.id()).isEqualTo(ID);
        assertThat(life.now()).isEqualTo(NOW);
    }
}
