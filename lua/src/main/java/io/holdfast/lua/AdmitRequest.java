package io.holdfast.lua;

import java.time.Instant;

/**
 * Let a user's request into a sale.
 *
 * @param reservation follows from activity, sku, user and request: the same request asks under the same one
 * @param user who asks; an id
 * @param request the user's own id of the request
 * @param quantity units, at least 1
 * @param deadline when its order must be decided by
 * @param dueAt from when on whoever claims it hands it over, unless its actor has it by then
 */
public record AdmitRequest(
        String pool,
        long epoch,
        String reservation,
        String user,
        String request,
        long quantity,
        Instant deadline,
        Instant dueAt,
        Instant now) {}
