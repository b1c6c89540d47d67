package io.holdfast.simulation.claim;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.Optional;

/** After every transaction: the final stock of an item is what is available, occupied and sold, and none of it is negative. */
public record FinalStockIsKept(FinalStock stock, String activity, String sku) implements Invariant {

    @Override
    public void check() {
        numbers(stock, activity, sku).ifPresent(now -> {
            if (now.available() < 0
                    || now.occupied() < 0
                    || now.sold() < 0
                    || now.available() + now.occupied() + now.sold() != now.initial()) {
                throw new AssertionError("FinalStockIsKept: " + activity + ":" + sku + " has " + now);
            }
        });
    }

    static Optional<Numbers> numbers(FinalStock stock, String activity, String sku) {
        if (stock.find(activity, sku).toCompletableFuture().join()
                instanceof Outcome.Known<Optional<Numbers>>(Optional<Numbers> numbers)) {
            return numbers;
        }
        throw new AssertionError("the model always knows");
    }
}
