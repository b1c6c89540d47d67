package io.holdfast.reservation.domain;

import java.time.Instant;

/**
 * A reservation as it was first asked for, kept unchanged to its end.
 *
 * @param id reservation id
 * @param pool chosen once
 * @param terms what was asked for
 * @param attentionAt when a hold whose order's fate is still unknown is reported as overdue; never a reason to cancel
 */
public record Claim(String id, PoolId pool, Terms terms, Instant attentionAt) {}
