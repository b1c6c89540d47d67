package io.holdfast.reconciliation.systems;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reconciliation.systems.SystemRepair.News;
import io.holdfast.reconciliation.systems.SystemRepair.RefundTold;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Repairs between systems as the ordinary commands they are. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EntitySystemCommandsTest {

    private final List<String> told = new ArrayList<>();
    private final List<ReservationCommand> commands = new ArrayList<>();
    private Outcome<Verdict> reservation = Outcome.known(Verdict.done());
    private Outcome<Verdict> order = Outcome.known(Verdict.done());

    private final EntitySystemCommands gives = new EntitySystemCommands(
            new Entities<>() {
                @Override
                public CompletionStage<Outcome<Reply<Reservation>>> ask(
                        String entityId, Cause cause, ReservationCommand command, Duration patience) {
                    told.add("reservation " + entityId);
                    commands.add(command);
                    Reservation state = new ReservationMachine(EffectPolicies.standard()).initial(entityId);
                    return CompletableFuture.completedFuture(
                            reservation.map(verdict -> new Reply<>(entityId, 1, verdict, false, state, List.of())));
                }

                @Override
                public CompletionStage<Outcome<Reply<Reservation>>> look(String entityId) {
                    throw new AssertionError("nobody looks");
                }
            },
            (orderId, _, _) -> {
                told.add("order " + orderId);
                return CompletableFuture.completedFuture(order);
            });

    private Outcome<String> tell(News news, RefundTold... refunds) {
        return gives.tell(new SystemRepair(
                        SystemFindingType.REFUNDS_DIFFER, "o-1", "r-1", "order 3", news, List.of(refunds)))
                .toCompletableFuture()
                .join();
    }

    @Test
    void a_contradiction_stops_the_order_and_what_of_its_reservation_can_be_stopped() {
        reservation = Outcome.known(Verdict.refused(ReservationRefusal.ALREADY_ENDED));
        assertThat(tell(News.FREEZE)).isEqualTo(Outcome.known("DONE, reservation REFUSED ALREADY_ENDED"));
        assertThat(told).containsExactly("order o-1", "reservation r-1");
        assertThat(commands).singleElement().isInstanceOf(ReservationCommand.Freeze.class);
        told.clear();
        order = Outcome.unknown("lost");
        assertThat(tell(News.FREEZE)).isInstanceOf(Outcome.Unknown.class);
        assertThat(told).as("it is given again").containsExactly("order o-1");
    }

    @Test
    void each_refund_is_told_as_its_order_would_have_told_it_until_one_is_refused() {
        RefundTold first = new RefundTold("f-1", 1, true);
        RefundTold second = new RefundTold("f-2", 2, false);
        reservation = Outcome.known(Verdict.pending());
        assertThat(tell(News.REFUND_REQUESTED, first, second)).isEqualTo(Outcome.known("UNDER_WAY"));
        assertThat(commands)
                .containsExactly(
                        new Fact.RefundRequested(Optional.of("o-1"), "f-1", 1, true),
                        new Fact.RefundRequested(Optional.of("o-1"), "f-2", 2, false));
        commands.clear();
        reservation = Outcome.known(Verdict.refused(ReservationRefusal.REFUND_EXCEEDS));
        assertThat(tell(News.REFUND_REQUESTED, first, second)).isEqualTo(Outcome.known("REFUSED REFUND_EXCEEDS"));
        assertThat(commands).hasSize(1);
        reservation = Outcome.unavailable("busy");
        assertThat(tell(News.REFUND_REQUESTED, first, second)).isInstanceOf(Outcome.Unavailable.class);
    }

    @Test
    void other_news_are_facts_of_the_order_told_to_the_reservation_that_stands_for_it() {
        tell(News.ORDER_CREATED);
        tell(News.ORDER_CREATED_FAILED);
        tell(News.ORDER_CANCELED);
        assertThat(told).containsOnly("reservation r-1");
        assertThat(commands.getFirst()).isEqualTo(Fact.OrderCreated.whole("o-1"));
        assertThat(commands).extracting(command -> ((Fact) command).order()).containsOnly(Optional.of("o-1"));
    }
}
