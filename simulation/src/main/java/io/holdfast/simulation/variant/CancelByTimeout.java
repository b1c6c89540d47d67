package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.simulation.world.SaleDay;
import java.time.Duration;
import java.util.Optional;

/** A hold of which nothing was heard in time is given back. */
final class CancelByTimeout extends WrongVariant {

    @Override
    public String what() {
        return "cancels a hold because nothing was heard of its order in time";
    }

    @Override
    public OrderDirectory directory(SaleDay day, OrderDirectory directory) {
        return question -> {
            Fact timedOut = new Fact.OrderCreatedFailed(question.line().orderId(), "timed out");
            var cause =
                    new Cause("timeout-" + question.operationId(), "", Cause.Kind.TIMER, "timeout", Optional.empty());
            return day.reservations()
                    .ask(question.reservationId(), cause, timedOut, Duration.ZERO)
                    .thenApply(_ -> Outcome.known(OrderAnswer.UNREACHED));
        };
    }
}
