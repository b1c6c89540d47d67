package io.holdfast.order.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.order.port.FinalStock.TotalAnswer;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.Outcomes;
import io.holdfast.reservation.port.SaleStock;
import java.util.concurrent.CompletionStage;

/**
 * The final stock of sales as their pools keep it: an operation of a pool is the same operation here. A total that is less than what is
 * taken and sold leaves nothing on offer, and no more than that.
 */
public final class FinalSaleStock implements SaleStock {

    private final FinalStock stock;

    /** Over this stock. */
    public FinalSaleStock(FinalStock stock) {
        this.stock = stock;
    }

    @Override
    public CompletionStage<Outcome<Kept>> atLeast(PoolId pool, String operationId, long total) {
        return Outcomes.then(
                stock.find(pool.merchant(), pool.dish()),
                found -> found.filter(numbers -> numbers.initial() >= total).isPresent()
                        ? kept()
                        : set(pool, operationId, total));
    }

    @Override
    public CompletionStage<Outcome<Kept>> exactly(PoolId pool, String operationId, long total) {
        return set(pool, operationId, total);
    }

    private CompletionStage<Outcome<Kept>> set(PoolId pool, String operationId, long total) {
        return Outcomes.then(
                stock.setTotal(pool.merchant(), pool.dish(), operationId, total), answer -> switch (answer) {
                    case TotalAnswer.Done _, TotalAnswer.OtherTotal _ -> kept();
                    case TotalAnswer.TooLow(Numbers numbers) -> lowest(pool, operationId, numbers);
                });
    }

    /** Under the same operation, so that it is done once even so. */
    private CompletionStage<Outcome<Kept>> lowest(PoolId pool, String operationId, Numbers numbers) {
        return Outcomes.then(
                stock.setTotal(pool.merchant(), pool.dish(), operationId, numbers.occupied() + numbers.sold()),
                answer -> switch (answer) {
                    case TotalAnswer.Done _, TotalAnswer.OtherTotal _ -> kept();
                    case TotalAnswer.TooLow _ ->
                        Outcomes.done(Outcome.unavailable("orders took units while the final stock was lowered"));
                });
    }

    private static CompletionStage<Outcome<Kept>> kept() {
        return Outcomes.done(Outcome.known(new Kept()));
    }
}
