package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;

/** The numbers of one pool as the scripts move them, worked out the other way round: from what was before. */
final class RedisModel {

    private Books books;

    RedisModel(long total) {
        this.books = new Books(1, 1, total, 0, total, 0, 0);
    }

    Books books() {
        return books;
    }

    Books hold(long units) {
        return set(books.total(), books.deficit(), books.available() - units, books.reserved() + units, books.sold());
    }

    /** Of a hold of {@code held} units, these are sold and the others go back. */
    Books confirm(long held, long sold) {
        return giveBack(held - sold, -held, sold);
    }

    Books release(long held) {
        return giveBack(held, -held, 0);
    }

    Books returned(long units) {
        return giveBack(units, 0, -units);
    }

    Books keptSold(long units) {
        return set(books.total(), books.deficit(), books.available(), books.reserved() - units, books.sold() + units);
    }

    Books adjust(long total) {
        long promised = books.reserved() + books.sold();
        return set(total, Math.max(0, promised - total), Math.max(0, total - promised), books.reserved(), books.sold());
    }

    private Books giveBack(long units, long reserved, long sold) {
        long pays = Math.min(books.deficit(), units);
        return set(
                books.total(),
                books.deficit() - pays,
                books.available() + units - pays,
                books.reserved() + reserved,
                books.sold() + sold);
    }

    private Books set(long total, long deficit, long available, long reserved, long sold) {
        books = new Books(books.epoch(), books.version() + 1, total, deficit, available, reserved, sold);
        return books;
    }

    /** Loaded anew with the same numbers. */
    Books rebuild() {
        books = new Books(
                books.epoch() + 1,
                books.version() + 1,
                books.total(),
                books.deficit(),
                books.available(),
                books.reserved(),
                books.sold());
        return books;
    }
}
