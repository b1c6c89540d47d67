package io.holdfast.simulation.variant;

import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.util.List;

/** A call of an epoch that is over is carried out: a Try of a hold that has ended since meets no fence, and holds for nobody. */
final class EpochNotChecked extends WrongVariant {

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "carries out calls that were sent before the pool was loaded anew";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.REBUILDS);
    }

    @Override
    StockScripts network(SaleDay day, StockScripts scripts) {
        return worseNetwork(day, scripts, TryRequest.class::isInstance, _ -> false);
    }

    @Override
    public String script(String name, String text) {
        String check =
                "if books.epoch and books.epoch ~= arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch))"
                        + " end";
        return text.contains(check) ? otherwise(text, check, "") : text;
    }
}
