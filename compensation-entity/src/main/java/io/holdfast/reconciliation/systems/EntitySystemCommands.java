package io.holdfast.reconciliation.systems;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Asks the reservation's entity. The repair's id is the cause: told twice, it moves once. */
public record EntitySystemCommands(Entities<Reservation, ReservationCommand> reservations) implements SystemCommands {

    private static final String WHY = "found by reconciliation";

    @Override
    public CompletionStage<Outcome<String>> tell(SystemRepair repair) {
        String order = repair.reservationId();
        Fact fact = switch (repair.news()) {
            case ORDER_CREATED -> Fact.OrderCreated.whole(order);
            case ORDER_CREATED_FAILED -> new Fact.OrderCreatedFailed(order, WHY);
            case ORDER_CANCELED -> new Fact.OrderCanceled(Optional.of(order), WHY);
        };
        var cause =
                new Cause("repair-" + repair.id(), repair.id(), Cause.Kind.REQUEST, "reconciliation", Optional.empty());
        return reservations
                .ask(order, cause, fact, Duration.ZERO)
                .thenApply(outcome -> outcome.map(reply -> switch (reply.verdict()) {
                    case Verdict.Done() -> "DONE";
                    case Verdict.Pending() -> "UNDER_WAY";
                    case Verdict.Refused(Refusal reason) -> "REFUSED " + reason.code();
                }));
    }
}
