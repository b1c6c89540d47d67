package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api;

/** The three numbers of a pool that a reader follows. */
record Numbers(long available, long reserved, long sold) {

    /** As the pool's page gives them. */
    static Numbers of(Api.Answer pool) {
        return new Numbers(pool.number("/redis/books/available"), pool.number("/redis/books/reserved"), pool.number("/redis/books/sold"));
    }
}
