package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.simulation.world.SaleDay;
import java.util.concurrent.CompletableFuture;

/** A compensation says done before anything was done. */
final class ReleasedBeforeItIs extends WrongVariant {

    private static final Books NONE = new Books(1, 1, 0, 0, 0, 0, 0);

    @Override
    public String what() {
        return "records a release that was never made";
    }

    @Override
    public EffectPerformer<ReservationEffect, ReservationCommand> reservations(
            SaleDay day, EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        return (id, effect) -> effect instanceof ReleaseHold release
                ? CompletableFuture.completedFuture(Outcome.known(
                        new AnsweredUnder(effect.generation(), new ReleaseAnswered(release.expectHeld(), NONE))))
                : performer.perform(id, effect);
    }
}
