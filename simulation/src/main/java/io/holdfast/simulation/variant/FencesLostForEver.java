package io.holdfast.simulation.variant;

import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.simulation.world.SaleDay;

/** No fence stays where it was written. */
final class FencesLostForEver extends WrongVariant {

    @Override
    public String what() {
        return "loses every fence as soon as it is written, again and again";
    }

    @Override
    public EffectPerformer<ReservationEffect, ReservationCommand> reservations(
            SaleDay day, EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        return (id, effect) -> performer.perform(id, effect).thenApply(outcome -> {
            day.redis().forgetFence(effect.pool().value(), id);
            return outcome;
        });
    }
}
