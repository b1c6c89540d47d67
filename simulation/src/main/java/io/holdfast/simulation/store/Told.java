package io.holdfast.simulation.store;

import io.holdfast.reservation.entity.AdmissionDesk.Wish;

/**
 * A user was told that the request is in.
 *
 * @param reservation its hold
 * @param wish the request
 * @param journaled whether the hold was said to be in its journal
 */
public record Told(String reservation, Wish wish, boolean journaled) {}
