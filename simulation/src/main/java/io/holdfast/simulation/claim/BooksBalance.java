package io.holdfast.simulation.claim;

import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.simulation.store.SimulatedRedis.Numbers;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.Map;

/** After every script: total and deficit are what is available, reserved and sold; nothing is negative; a deficit leaves nothing available. */
public final class BooksBalance implements Invariant {

    private final SimulatedRedis redis;
    private Map<String, Numbers> looked = Map.of();

    /** Watches a Redis. */
    public BooksBalance(SimulatedRedis redis) {
        this.redis = redis;
    }

    @Override
    public void check() {
        Map<String, Numbers> now = redis.numbers();
        // It gives another map when they are others.
        if (now == looked) {
            return;
        }
        looked = now;
        now.forEach((pool, books) -> {
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
