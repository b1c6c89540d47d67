package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.StockMove;
import java.util.Optional;

/**
 * What the rows of a pool's latest book add up to.
 *
 * @param epoch of the book
 * @param rows how many it has
 * @param openedAtVersion version of the row that opened it; empty while that is missing
 * @param version the greatest
 * @param sum of all deltas: the numbers of the pool, if no row is missing
 */
public record Balance(long epoch, long rows, Optional<Long> openedAtVersion, long version, StockMove sum) {

    /** Whether no version between the first and the greatest is missing. */
    public boolean complete() {
        return openedAtVersion.isPresent() && rows == version - openedAtVersion.get() + 1;
    }
}
