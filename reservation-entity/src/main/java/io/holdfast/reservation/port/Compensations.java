package io.holdfast.reservation.port;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import java.util.concurrent.CompletionStage;

/**
 * Who gives stock back. Identity of a compensation is the effect's operation id: asked again under it, the stock moves once. Stages never
 * complete exceptionally; Unknown and Unavailable mean "ask again".
 */
public interface Compensations {

    /** Gives a hold back. */
    CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect);

    /** Gives units of a created order back. */
    CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect);

    /** What a person decided where a compensation was contradicted. Contradicted while nobody has; nothing is asked of Redis for that. */
    CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect);
}
