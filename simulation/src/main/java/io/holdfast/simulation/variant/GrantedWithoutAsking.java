package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.simulation.world.SaleDay;
import java.util.concurrent.CompletableFuture;

/** A hold is called granted, and Redis was not asked. */
final class GrantedWithoutAsking extends WrongVariant {

    private static final Books NONE = new Books(1, 1, 0, 0, 0, 0, 0);

    @Override
    public String what() {
        return "grants a hold without asking Redis";
    }

    @Override
    public EffectPerformer<ReservationEffect, ReservationCommand> reservations(
            SaleDay day, EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        return (id, effect) -> effect instanceof TryHold
                ? CompletableFuture.completedFuture(Outcome.known(
                        new AnsweredUnder(effect.generation(), new HoldAnswered(new HoldAnswer.Granted(NONE)))))
                : performer.perform(id, effect);
    }
}
