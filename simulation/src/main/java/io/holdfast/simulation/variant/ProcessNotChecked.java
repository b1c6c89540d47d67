package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.Weather;
import java.util.List;

/** Any Redis process is believed. */
final class ProcessNotChecked extends WrongVariant {

    @Override
    public String what() {
        return "does not look which Redis process it was verified under";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.OLD_DATA, Weather.FAILOVERS);
    }

    @Override
    public String script(String name, String text) {
        String check = "books.run_id == run_id and books.status ~= 'SUSPECT'";
        return text.contains(check) ? otherwise(text, check, "books.status ~= 'SUSPECT'") : text;
    }
}
