package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.Weather;
import java.util.List;

/** A call of an epoch that is over is carried out. */
final class EpochNotChecked extends WrongVariant {

    @Override
    public String what() {
        return "carries out calls that were sent before the pool was loaded anew";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.REBUILDS, Weather.OLD_DATA, Weather.FLUSHES);
    }

    @Override
    public String script(String name, String text) {
        String check =
                "if books.epoch and books.epoch ~= arg.epoch then return no('STALE_EPOCH', nil, digits(books.epoch))"
                        + " end";
        return text.contains(check) ? otherwise(text, check, "") : text;
    }
}
