package io.holdfast.reconciliation;

import io.holdfast.reservation.domain.Books;

/**
 * By how many units a pool in Redis is off.
 *
 * @param oversellable units it offers that are not there: they could be sold twice
 * @param undersold units that are there and that it does not offer
 * @param oversold units promised beyond the total that it does not state as a deficit
 */
public record Drift(long oversellable, long undersold, long oversold) {

    /** None. */
    public static final Drift NONE = new Drift(0, 0, 0);

    static Drift of(Books expected, Books actual) {
        long offered = actual.available() - expected.available();
        return new Drift(
                Math.max(0, offered), Math.max(0, -offered), Math.max(0, expected.deficit() - actual.deficit()));
    }
}
