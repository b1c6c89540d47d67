package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.DishBaseline;
import java.time.Instant;

/**
 * A baseline as it is stored.
 *
 * @param version counts its changes, from 1
 * @param updatedAt when it was changed last
 * @param updatedBy who did
 */
public record KeptBaseline(DishBaseline baseline, long version, Instant updatedAt, String updatedBy) {}
