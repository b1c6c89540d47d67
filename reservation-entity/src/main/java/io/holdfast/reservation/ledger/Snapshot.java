package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;
import java.time.Instant;

/**
 * How a pool stands by the journal, as far as it was projected.
 *
 * @param pool pool id
 * @param books after the change with the greatest epoch and version
 * @param changedAt when that was journaled
 * @param complete whether the ledger has every version of this epoch up to that one
 */
public record Snapshot(String pool, Books books, Instant changedAt, boolean complete) {}
