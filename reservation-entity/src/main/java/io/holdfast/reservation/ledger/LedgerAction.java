package io.holdfast.reservation.ledger;

/** What changed the numbers of a pool. The names are stored. */
public enum LedgerAction {
    /** The pool began. Opens its first book. */
    INIT,
    /** Units were held. */
    TRY,
    /** A hold was sold; what the order does not want went back. */
    CONFIRM,
    /** A hold went back: there is no order. */
    CANCEL,
    /** Units of an order went back. */
    REFUND,
    /** The total was changed. */
    ADJUST,
    /** Redis was put right. The sums were right before, so it has no deltas. */
    REPAIR,
    /** Redis was loaded anew. Opens the book of another epoch. */
    REBUILD;

    /** Whether it begins a book: its deltas are the whole numbers. */
    public boolean opens() {
        return switch (this) {
            case INIT, REBUILD -> true;
            case TRY, CONFIRM, CANCEL, REFUND, ADJUST, REPAIR -> false;
        };
    }
}
