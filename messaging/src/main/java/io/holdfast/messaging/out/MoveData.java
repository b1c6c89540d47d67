package io.holdfast.messaging.out;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.StockMove;

/** How a change of a pool's numbers, and the numbers after it, are written. */
final class MoveData {

    private MoveData() {}

    static Data of(StockMove move, Books after) {
        return new Data()
                .with("total_delta", move.total())
                .with("deficit_delta", move.deficit())
                .with("available_delta", move.available())
                .with("reserved_delta", move.reserved())
                .with("sold_delta", move.sold())
                .with(numbers(after));
    }

    /** The numbers after, and what orders them. */
    static Data numbers(Books after) {
        return new Data()
                .with("epoch", after.epoch())
                .with("redis_version", after.version())
                .with(
                        "after",
                        new Data()
                                .with("total", after.total())
                                .with("deficit", after.deficit())
                                .with("available", after.available())
                                .with("reserved", after.reserved())
                                .with("sold", after.sold())
                                .fields());
    }
}
