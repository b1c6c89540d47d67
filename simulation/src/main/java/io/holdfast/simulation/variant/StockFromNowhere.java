package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.SaleDay;
import java.time.Duration;

/** Somebody writes into Redis past all scripts. */
final class StockFromNowhere extends WrongVariant {

    @Override
    public String what() {
        return "adds a unit past the scripts";
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofSeconds(30), "a unit from nowhere", day.redis()::addAUnitFromNowhere);
    }
}
