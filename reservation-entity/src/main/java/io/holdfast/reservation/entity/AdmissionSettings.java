package io.holdfast.reservation.entity;

import java.time.Duration;

/**
 * Bounds of letting users into sales.
 *
 * @param decideWithin how long after its admission the order of a hold must be decided by
 * @param handOverAfter from when on another node hands a hold over, unless its reservation has it by then
 * @param answerAfter what a user who is let in waits for
 * @param rememberSoldOut how long after Redis said that a pool is short it is asked for many requests at once
 * @param adopting holds that this node hands over at a time
 * @param reopenOver how long it takes until a pool that was rebuilt lets everybody in
 */
public record AdmissionSettings(
        Duration decideWithin,
        Duration handOverAfter,
        AnswerAfter answerAfter,
        Duration rememberSoldOut,
        int adopting,
        Duration reopenOver) {

    /** What a user who is let in waits for. */
    public enum AnswerAfter {
        /** For Redis: what it says may be lost with it. */
        ADMIT,
        /** For the reservation's journal as well. */
        ADOPT
    }
}
