package io.holdfast.order.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.port.Holds;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationIds;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.entity.Outcomes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Asks for a journal-first reservation of the same order, whose item is named by the payment: one payment takes units once. */
public final class EntityHolds implements Holds {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** In which pool of a sale a hold belongs. */
    @FunctionalInterface
    public interface Places {
        /**
         * The pool to hold a user's units in; the same for the same user.
         *
         * @param first the sale's pool
         */
        CompletionStage<Outcome<PoolId>> of(PoolId first, String user, long units);
    }

    private final Entities<Reservation, ReservationCommand> reservations;
    private final Places places;
    private final Duration attentionAfter;
    private final InstantSource clock;

    /** @param attentionAfter when a hold of which nothing more was heard is reported as overdue */
    public EntityHolds(
            Entities<Reservation, ReservationCommand> reservations,
            Places places,
            Duration attentionAfter,
            InstantSource clock) {
        this.reservations = reservations;
        this.places = places;
        this.attentionAfter = attentionAfter;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Outcome<HoldAnswer>> hold(OrderCreateRequested request, String paymentId) {
        PoolId first = new PoolId(request.activity() + ":" + request.sku());
        return Outcomes.then(
                places.of(first, request.userId(), request.quantity()), pool -> hold(request, paymentId, pool));
    }

    private CompletionStage<Outcome<HoldAnswer>> hold(OrderCreateRequested request, String paymentId, PoolId pool) {
        var line = new Line(
                request.activity(),
                request.sku(),
                request.reservationId(),
                ReservationIds.itemOfLatePayment(paymentId),
                Optional.of(request.userId()));
        var command = new ReservationCommand.Reserve(
                new Terms(line, request.quantity(), new OrderType.InstantOrder()),
                new PoolChoice.Named(pool),
                clock.instant().plus(attentionAfter));
        var cause = new Cause("reacquire|" + paymentId, "", Cause.Kind.REQUEST, "order-service", Optional.empty());
        return reservations.ask(line.reservationId(), cause, command, PATIENCE).thenApply(outcome -> switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply) ->
                answer(line.reservationId(), reply.verdict());
            case Outcome.Unknown<Reply<Reservation>>(String why) -> Outcome.unknown(why);
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> Outcome.unavailable(why);
        });
    }

    private static Outcome<HoldAnswer> answer(String reservation, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done _ -> Outcome.known(new HoldAnswer.Held(reservation));
            case Verdict.Pending _ -> Outcome.unknown("reservation " + reservation + " is not decided yet");
            case Verdict.Refused(Refusal reason) ->
                reason.retryable()
                        ? Outcome.unavailable(reason.code() + ": " + reason.explanation())
                        : Outcome.known(new HoldAnswer.NotHeld(reason.code()));
        };
    }
}
