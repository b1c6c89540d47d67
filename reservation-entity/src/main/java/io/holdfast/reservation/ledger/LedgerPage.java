package io.holdfast.reservation.ledger;

import java.util.List;
import java.util.Optional;

/**
 * One page of a pool's ledger, in the order in which things happened.
 *
 * @param rows at most as many as were asked for
 * @param next where the next page begins; empty on the last one
 */
public record LedgerPage(List<LedgerRow> rows, Optional<String> next) {
    public LedgerPage {
        rows = List.copyOf(rows);
    }
}
