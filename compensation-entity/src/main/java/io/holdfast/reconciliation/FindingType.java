package io.holdfast.reconciliation;

/** Kinds of differences. The names are part of the API. */
public enum FindingType {
    /** The journal says that units are held or sold, and Redis has no fence of them. */
    FENCE_MISSING("The journal says that units are held or sold; Redis has no fence of the reservation."),
    /** Redis lacks an operation that the journal has. */
    FENCE_BEHIND("Redis shows less than the journal has: an operation that was done is not in the fence."),
    /** Redis shows an operation that the journal neither has nor owes. */
    FENCE_AHEAD("Redis shows an operation that the journal neither has nor owes."),
    /** The fence has other quantities than any operation could have left. */
    FENCE_DIFFERS("The fence has quantities that no operation of this reservation leaves."),
    /** The reservation has ended without units, and Redis still holds them. */
    FENCE_LEFT_OVER("The reservation has ended, and Redis still holds units for it."),
    /** Both sides ended, each in another way; no units are concerned. */
    FENCE_ENDED_OTHERWISE("Both sides have ended, each in another way; no units are concerned."),
    /** The fence can't be read. */
    FENCE_UNREADABLE("The fence in Redis can't be read."),
    /** Redis has a fence of a reservation that no journal knows in this pool. */
    FENCE_UNKNOWN("Redis has a fence of a reservation that no journal knows in this pool."),
    /** The pool's numbers in Redis don't add up, can't be read, or aren't what its reservations and its total come to. */
    NUMBERS_DIFFER("The pool's numbers in Redis are not what its journals come to."),
    /** The ledger lacks changes of the pool that Redis has counted. */
    LEDGER_INCOMPLETE("The ledger lacks changes of the pool that Redis has counted."),
    /** The ledger's sums are not what the reservations come to. */
    LEDGER_DIFFERS("The ledger's sums are not what the pool's journals come to."),
    /** Redis has no such pool, or one of another epoch. */
    POOL_LOST("Redis has no such pool, or has it at another epoch than the journal."),
    /** So many fences differ that the pool is better loaded anew. */
    TOO_MANY("So many fences differ that they are not named one by one; the pool is better loaded anew."),
    /** The pool was not compared. */
    NOT_COMPARED("The pool was not compared.");

    private final String explanation;

    FindingType(String explanation) {
        this.explanation = explanation;
    }

    /** What it means, in one sentence for people. */
    public String explanation() {
        return explanation;
    }
}
