package io.holdfast.compensation.view;

import io.holdfast.compensation.domain.Compensation.Status;
import io.holdfast.reservation.domain.PoolId;
import java.util.Optional;
import java.util.Set;

/**
 * Which compensations to list; every present part must hold.
 *
 * @param merchants of one of these merchants or activities
 */
public record CompensationFilter(
        Optional<Status> status,
        Optional<PoolId> pool,
        Optional<String> reservationId,
        Optional<Set<String>> merchants) {}
