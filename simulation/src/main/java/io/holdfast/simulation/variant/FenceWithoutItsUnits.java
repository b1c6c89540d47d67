package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.Weather;
import java.util.List;

/** A rebuild arms fences again, and forgets what they hold. */
final class FenceWithoutItsUnits extends WrongVariant.InScripts {

    FenceWithoutItsUnits() {
        super("pool_rebuild_open");
    }

    @Override
    public String what() {
        return "opens a pool whose fences were armed again without counting their units";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.REBUILDS, Weather.FLUSHES);
    }

    @Override
    String wrong(String text) {
        String write = "write_numbers(arg, arg.now)\n";
        return otherwise(text, write, "arg.available, arg.reserved = arg.available + arg.reserved, 0\n" + write);
    }
}
