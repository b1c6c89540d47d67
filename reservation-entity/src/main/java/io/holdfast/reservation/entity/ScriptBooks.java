package io.holdfast.reservation.entity;

import io.holdfast.lua.Books;

/** A pool's numbers as scripts take them. The other way round: {@link ScriptAnswers#books}. */
final class ScriptBooks {

    private ScriptBooks() {}

    static Books of(io.holdfast.reservation.domain.Books books) {
        return new Books(
                books.epoch(),
                books.version(),
                books.total(),
                books.deficit(),
                books.available(),
                books.reserved(),
                books.sold());
    }
}
