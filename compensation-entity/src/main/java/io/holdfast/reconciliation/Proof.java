package io.holdfast.reconciliation;

import io.holdfast.reservation.domain.Books;
import java.time.Instant;
import java.util.Optional;

/**
 * What a run proved of a pool: every reservation that had not moved after the watermark agreed, and so did the numbers.
 *
 * @param watermark reservations up to this moment were judged
 * @param books of Redis, where they were shown to agree
 * @param fullAt when every reservation was last looked at
 */
public record Proof(Instant watermark, Optional<Books> books, Instant fullAt) {}
