package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.Weather;
import java.util.List;

/** The read side skips what is committed after a higher number. */
final class OffsetByNumberAlone extends WrongVariant {

    @Override
    public String what() {
        return "has the read side go on from the highest number it has seen, though lower ones are committed later";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.REBUILDS, Weather.FLUSHES);
    }

    @Override
    public boolean followsByNumberAlone() {
        return true;
    }
}
