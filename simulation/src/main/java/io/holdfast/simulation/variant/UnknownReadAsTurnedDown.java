package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.simulation.world.SaleDay;

/** An answer that did not come is taken for a no. */
final class UnknownReadAsTurnedDown extends WrongVariant {

    private static final Books NONE = new Books(1, 1, 0, 0, 0, 0, 0);

    @Override
    public String what() {
        return "takes a hold whose answer was lost for turned down";
    }

    @Override
    public EffectPerformer<ReservationEffect, ReservationCommand> reservations(
            SaleDay day, EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        return (id, effect) -> performer
                .perform(id, effect)
                .thenApply(outcome -> outcome instanceof Outcome.Unknown<ReservationCommand>
                                && effect instanceof TryHold
                        ? Outcome.known(new AnsweredUnder(
                                effect.generation(), new HoldAnswered(new HoldAnswer.Turned(DenialReason.SHORT, NONE))))
                        : outcome);
    }
}
