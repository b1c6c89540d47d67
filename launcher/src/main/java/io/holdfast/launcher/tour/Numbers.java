package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.launcher.Api;
import java.util.List;
import java.util.Optional;

/** The three numbers of a pool that a reader follows. */
record Numbers(long available, long reserved, long sold) {

    private static final Numbers UNKNOWN = new Numbers(-1, -1, -1);

    /** As Redis has them now, by the pool's page; never equal to anything expected when it does not say. */
    static Numbers of(Api.Answer pool) {
        return at(pool, "/redis/books").orElse(UNKNOWN);
    }

    /** Whichever an answer has: a pool's as Redis has them now, a reservation's as they were after its last step. */
    static Optional<Numbers> in(Api.Answer answer) {
        return List.of("/redis/books", "/books").stream()
                .flatMap(pointer -> at(answer, pointer).stream())
                .findFirst();
    }

    private static Optional<Numbers> at(Api.Answer answer, String pointer) {
        JsonNode books = answer.body().at(pointer);
        return books.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Numbers(
                        books.path("available").asLong(-1),
                        books.path("reserved").asLong(-1),
                        books.path("sold").asLong(-1)));
    }

    @Override
    public String toString() {
        return available + " available, " + reserved + " reserved, " + sold + " sold";
    }
}
