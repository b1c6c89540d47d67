package io.holdfast.reservation.domain;

/**
 * What one operation changed of a pool's numbers. Worked out from the numbers after it: what was given back has paid the deficit first,
 * and a pool with a deficit has nothing available.
 *
 * @param total change of the baseline
 * @param deficit change of what is promised beyond it
 * @param available change of what can still be held
 * @param reserved change of what is held
 * @param sold change of what is sold
 */
public record StockMove(long total, long deficit, long available, long reserved, long sold) {

    /** Units that were available are held. */
    public static StockMove held(long units) {
        return new StockMove(0, 0, -units, units, 0);
    }

    /** Units that were held are sold; the others of that hold went back. */
    public static StockMove confirmed(long units, long givenBack, Books after) {
        return givenBack(givenBack, after).and(new StockMove(0, 0, 0, -units - givenBack, units));
    }

    /** Units that were held went back. */
    public static StockMove released(long units, Books after) {
        return givenBack(units, after).and(new StockMove(0, 0, 0, -units, 0));
    }

    /** Units that were sold went back. */
    public static StockMove returned(long units, Books after) {
        return givenBack(units, after).and(new StockMove(0, 0, 0, 0, -units));
    }

    /** Units that were held now count as sold: the order gave them back, and they are gone all the same. */
    public static StockMove keptSold(long units) {
        return new StockMove(0, 0, 0, -units, units);
    }

    /** The pool began, or a book of it: from nothing to these numbers. */
    public static StockMove begun(Books after) {
        return new StockMove(after.total(), after.deficit(), after.available(), after.reserved(), after.sold());
    }

    /** The baseline changed from this; what is promised did not. */
    public static StockMove adjusted(long totalBefore, Books after) {
        Books before = Books.expected(after.epoch(), after.version(), totalBefore, after.reserved(), after.sold());
        return new StockMove(
                after.total() - totalBefore,
                after.deficit() - before.deficit(),
                after.available() - before.available(),
                0,
                0);
    }

    private static StockMove givenBack(long units, Books after) {
        long becameAvailable = after.deficit() > 0 ? 0 : Math.min(units, after.available());
        return new StockMove(0, becameAvailable - units, becameAvailable, 0, 0);
    }

    private StockMove and(StockMove other) {
        return new StockMove(
                total + other.total,
                deficit + other.deficit,
                available + other.available,
                reserved + other.reserved,
                sold + other.sold);
    }
}
