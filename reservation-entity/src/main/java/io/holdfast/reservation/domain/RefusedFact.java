package io.holdfast.reservation.domain;

/**
 * A fact that moved nothing, remembered so that whoever asks again is told the same.
 *
 * @param fact what came
 * @param reason why it moved nothing
 */
public record RefusedFact(Fact fact, ReservationRefusal reason) {}
