package io.holdfast.http.wire;

import io.holdfast.reservation.domain.Books;

/** Numbers of a pool right after one operation: {@code total + deficit = available + reserved + sold}. */
public record BooksView(long epoch, long version, long total, long deficit, long available, long reserved, long sold) {

    /** The wire form. */
    public static BooksView of(Books books) {
        return new BooksView(
                books.epoch(),
                books.version(),
                books.total(),
                books.deficit(),
                books.available(),
                books.reserved(),
                books.sold());
    }
}
