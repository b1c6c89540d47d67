package io.holdfast.order.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.ReservationIds;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationRefusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Units taken anew for a late payment: by one reservation, whoever asks and however often. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EntityHoldsTest {

    private static final Instant NOW = Instant.parse("2026-06-25T09:00:00Z");
    private static final OrderCreateRequested REQUEST =
            new OrderCreateRequested("m-1", "r-1", "q-1", "sale", "phone", "ann", 2, NOW, NOW.plusSeconds(300));
    private static final String HOLD =
            ReservationIds.journalFirst("sale", "phone", ReservationIds.itemOfLatePayment("pay-1"));

    private final List<String> asked = new ArrayList<>();
    private final List<Reserve> wishes = new ArrayList<>();
    private Outcome<Verdict> answer = Outcome.known(Verdict.done());
    private final List<String> placed = new ArrayList<>();
    private Outcome<PoolId> place = Outcome.known(new PoolId("sale:phone"));
    private final EntityHolds.Places places = (first, user, units) -> {
        placed.add(first + " " + user + " " + units);
        return CompletableFuture.completedFuture(place);
    };

    private final class Reservations implements Entities<Reservation, ReservationCommand> {
        @Override
        public CompletionStage<Outcome<Reply<Reservation>>> ask(
                String entityId, Cause cause, ReservationCommand command, Duration patience) {
            asked.add(entityId + " " + cause.id());
            wishes.add((Reserve) command);
            Reservation state = new ReservationMachine(EffectPolicies.standard()).initial(entityId);
            return CompletableFuture.completedFuture(
                    answer.map(verdict -> new Reply<>(entityId, 3, verdict, false, state, List.of())));
        }

        @Override
        public CompletionStage<Outcome<Reply<Reservation>>> look(String entityId) {
            throw new AssertionError("nobody looks");
        }
    }

    private Outcome<HoldAnswer> hold(String payment) {
        return new EntityHolds(new Reservations(), places, Duration.ofMinutes(5), InstantSource.fixed(NOW))
                .hold(REQUEST, payment)
                .toCompletableFuture()
                .join();
    }

    @Test
    void a_payment_has_one_hold_of_the_order_whoever_asks() {
        assertThat(hold("pay-1")).isEqualTo(Outcome.known(new HoldAnswer.Held(HOLD)));
        hold("pay-1");
        hold("pay-2");
        assertThat(asked.get(0)).isEqualTo(HOLD + " reacquire|pay-1").isEqualTo(asked.get(1));
        assertThat(asked.get(2)).isNotEqualTo(asked.get(0));
        Reserve wish = wishes.getFirst();
        assertThat(wish.pool().pool().value()).isEqualTo("sale:phone");
        assertThat(wish.terms().quantity()).isEqualTo(2);
        assertThat(wish.terms().line().orderId()).isEqualTo("r-1");
        assertThat(wish.terms().line().userId()).isEqualTo(Optional.of("ann"));
        assertThat(wish.attentionAt()).isEqualTo(NOW.plusSeconds(300));
    }

    @Test
    void it_is_held_where_its_buyer_belongs_and_nowhere_while_that_is_not_known() {
        place = Outcome.known(new PoolId("sale:phone:b3"));
        assertThat(hold("pay-1")).isEqualTo(Outcome.known(new HoldAnswer.Held(HOLD)));
        assertThat(wishes.getFirst().pool().pool().value()).isEqualTo("sale:phone:b3");
        assertThat(placed).containsExactly("sale:phone ann 2");

        place = Outcome.unavailable("the sale is being loaded anew");
        assertThat(hold("pay-2")).isInstanceOf(Outcome.Unavailable.class);
        assertThat(wishes).hasSize(1);
    }

    @Test
    void only_a_no_that_stays_is_a_no() {
        answer = Outcome.known(Verdict.refused(ReservationRefusal.SOLD_OUT));
        assertThat(hold("pay-1")).isEqualTo(Outcome.known(new HoldAnswer.NotHeld("SOLD_OUT")));
        answer = Outcome.known(Verdict.refused(ReservationRefusal.UNDER_REVIEW));
        assertThat(hold("pay-1")).isInstanceOf(Outcome.Unavailable.class);
        answer = Outcome.known(Verdict.pending());
        assertThat(hold("pay-1")).isInstanceOf(Outcome.Unknown.class);
        answer = Outcome.unknown("lost");
        assertThat(hold("pay-1")).isInstanceOf(Outcome.Unknown.class);
        answer = Outcome.unavailable("busy");
        assertThat(hold("pay-1")).isInstanceOf(Outcome.Unavailable.class);
    }
}
