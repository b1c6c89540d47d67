package io.holdfast.reservation.day;

/** What came of a request to withdraw a baseline. */
public sealed interface BaselineWithdrawal {

    /** It was there, and is no more. */
    record Done() implements BaselineWithdrawal {}

    /** There was none. */
    record NoneThere() implements BaselineWithdrawal {}

    /**
     * It was changed since the caller looked; nothing was changed.
     *
     * @param kept as it stands
     */
    record OtherVersion(KeptBaseline kept) implements BaselineWithdrawal {}
}
