package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.port.Owing;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Accounted;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Review;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Looks at the reservation's entity. */
public record EntityOwing(Entities<Reservation, ReservationCommand> reservations) implements Owing {

    @Override
    public CompletionStage<Outcome<Standing>> standing(Content content, Asked asked) {
        return reservations
                .look(content.reservationId())
                .thenApply(outcome -> outcome.map(Reply::state).map(state -> standing(state, content, asked)));
    }

    private static Standing standing(Reservation state, Content content, Asked asked) {
        Optional<Claim> owing = owing(state, content).map(Accounted::claim);
        if (owing.isEmpty()) {
            return new Standing.NotOwed(state.unmarked().status().name());
        }
        if (state instanceof UnderReview marked && marked.review().trigger() != Review.Trigger.COMPENSATION) {
            return new Standing.Waits("its reservation is under review");
        }
        boolean asItAsked =
                owing.get().generation() == asked.generation() && owing.get().epoch() == asked.epoch();
        return asItAsked
                ? new Standing.Owed()
                : new Standing.Waits("its reservation stands elsewhere and will ask anew");
    }

    /** The reservation's state, if that is what it owes. */
    private static Optional<Accounted> owing(Reservation state, Content content) {
        return switch (content) {
            case Content.Release _ ->
                state.unmarked() instanceof Canceling canceling ? Optional.of(canceling) : Optional.empty();
            case Content.GiveBack(var _, var _, var refund, var _) ->
                state.unmarked() instanceof Refunding refunding
                                && refunding.refund().equals(refund)
                        ? Optional.of(refunding)
                        : Optional.empty();
        };
    }
}
