package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.Weather;
import java.util.List;

/** A fence that is missing is taken for one that held nothing. */
final class MissingReadAsReleased extends WrongVariant.InScripts {

    MissingReadAsReleased() {
        super("cancel");
    }

    @Override
    public String what() {
        return "calls a hold released though its fence is missing";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.LOST_FENCES);
    }

    @Override
    String wrong(String text) {
        return otherwise(
                text,
                "return no('MISSING', books) end",
                "return answer('RELEASED', '0', record(books), digits(arg.now), arg.operation_id) end");
    }
}
