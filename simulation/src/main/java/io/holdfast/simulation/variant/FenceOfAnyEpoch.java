package io.holdfast.simulation.variant;

import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.time.Duration;
import java.util.List;

/** A rebuild leaves behind fences that count: what it did not load is there all the same. */
final class FenceOfAnyEpoch extends WrongVariant {

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "takes a fence that a rebuild did not load for one of the pool as it is now";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.REBUILDS);
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofMillis(700), "one more orders", day::somebodyOrders);
        day.simulation().nowAndThen(Duration.ofSeconds(2), "one more rebuild", day::somebodyRebuildsAPool);
    }

    @Override
    StockScripts network(SaleDay day, StockScripts scripts) {
        return worseNetwork(day, scripts, _ -> false, TryRequest.class::isInstance);
    }

    @Override
    public String script(String name, String text) {
        String check = "if (stored[7] or FIRST_EPOCH) ~= digits(books.epoch) then";
        return text.contains(check) ? otherwise(text, check, "if false then") : text;
    }
}
