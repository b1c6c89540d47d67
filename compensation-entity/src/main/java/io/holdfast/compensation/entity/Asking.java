package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Content;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;

/**
 * What a reservation asks for, as its compensation knows it.
 *
 * @param content the same on every attempt
 * @param asked where the reservation's journal stands
 */
record Asking(Content content, Asked asked) {

    /** What rests on a hold that the journal knows. */
    static Asking of(ReleaseHold effect) {
        return new Asking(
                new Content.Release(
                        effect.reservationId(), effect.pool(), effect.expectHeld(), true, effect.admitted()),
                new Asked(effect.generation(), effect.epoch()));
    }

    static Asking of(RefundHold effect) {
        return new Asking(
                new Content.GiveBack(effect.reservationId(), effect.pool(), effect.refund(), effect.admitted()),
                new Asked(effect.generation(), effect.epoch()));
    }
}
