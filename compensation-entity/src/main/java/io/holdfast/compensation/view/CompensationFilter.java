package io.holdfast.compensation.view;

import io.holdfast.compensation.domain.Compensation.Status;
import io.holdfast.reservation.domain.PoolId;
import java.util.Optional;

/** Which compensations to list; every present part must hold. */
public record CompensationFilter(Optional<Status> status, Optional<PoolId> pool, Optional<String> reservationId) {}
