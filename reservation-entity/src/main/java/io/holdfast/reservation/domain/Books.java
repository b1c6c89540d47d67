package io.holdfast.reservation.domain;

/**
 * The numbers of a pool as Redis held them right after one script: {@code total + deficit = available + reserved + sold}.
 *
 * @param epoch raised by every rebuild; an older one must not be recorded any more
 * @param version raised by every change of the numbers
 * @param total baseline
 * @param deficit promised beyond the total, after the total was lowered
 * @param available can still be held
 * @param reserved held, not sold yet
 * @param sold confirmed
 */
public record Books(long epoch, long version, long total, long deficit, long available, long reserved, long sold) {

    /** Whether the sums agree and nothing is negative. */
    public boolean balanced() {
        return total >= 0
                && deficit >= 0
                && available >= 0
                && reserved >= 0
                && sold >= 0
                && total + deficit == available + reserved + sold;
    }

    /** The only books a pool of this total can have when this much is reserved and sold: a deficit leaves nothing available. */
    public static Books expected(long epoch, long version, long total, long reserved, long sold) {
        long promised = reserved + sold;
        return new Books(
                epoch, version, total, Math.max(0, promised - total), Math.max(0, total - promised), reserved, sold);
    }

    /** Whether the two agree on every number, whatever their epoch and version. */
    public boolean sameNumbers(Books other) {
        return total == other.total
                && deficit == other.deficit
                && available == other.available
                && reserved == other.reserved
                && sold == other.sold;
    }
}
