package io.holdfast.simulation.claim;

import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.testkit.simulation.invariant.Invariant;

/** After every script: total and deficit are what is available, reserved and sold; nothing is negative; a deficit leaves nothing available. */
public record BooksBalance(SimulatedRedis redis) implements Invariant {

    @Override
    public void check() {
        redis.numbers().forEach((pool, books) -> {
            boolean sound = books.total() + books.deficit() == books.available() + books.reserved() + books.sold()
                    && books.total() >= 0
                    && books.deficit() >= 0
                    && books.available() >= 0
                    && books.reserved() >= 0
                    && books.sold() >= 0
                    && (books.deficit() == 0 || books.available() == 0);
            if (!sound) {
                throw new AssertionError("BooksBalance: " + pool + " has " + books);
            }
        });
    }
}
