package io.holdfast.order.port;

import io.holdfast.engine.effect.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The final stock of a sale, owned by the sale. Whoever raises what is admitted raises this first, and lowers it last, so that no more is
 * ever promised than can be sold.
 */
public interface FinalStock {

    /**
     * Sets how many units of an item the sale has in all, sold and taken ones included.
     *
     * @param operationId moves once, however often it is asked: a repeat is told the numbers after the first time
     * @param total 0 to 2^53 - 1
     * @throws IllegalArgumentException if an id or the total breaks the rule
     */
    CompletionStage<Outcome<TotalAnswer>> setTotal(String activity, String sku, String operationId, long total);

    /** The numbers now; empty where the sale has set none out. */
    CompletionStage<Outcome<Optional<Numbers>>> find(String activity, String sku);

    /** What became of a total. */
    sealed interface TotalAnswer {

        /** It is set; the numbers after it. */
        record Done(Numbers numbers) implements TotalAnswer {}

        /** More is taken and sold than the total names. Nothing changed; it may be asked for again. */
        record TooLow(Numbers numbers) implements TotalAnswer {}

        /** The operation was done with another total. Nothing changed. */
        record OtherTotal(Numbers numbers) implements TotalAnswer {}
    }

    /**
     * How an item's final stock stands: {@code initial = available + occupied + sold}.
     *
     * @param version counts the changes
     */
    record Numbers(long initial, long available, long occupied, long sold, long version) {}
}
