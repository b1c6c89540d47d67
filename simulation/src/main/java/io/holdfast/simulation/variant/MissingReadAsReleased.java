package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.SaleDay;
import java.time.Duration;

/** A fence that is missing is taken for one that holds nothing any more. */
final class MissingReadAsReleased extends WrongVariant.InScripts {

    MissingReadAsReleased() {
        super("cancel");
    }

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "calls a hold released though its fence is missing";
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofSeconds(3), "a hold vanishes unseen", day::aHoldVanishesUnseen);
    }

    @Override
    String wrong(String text) {
        return otherwise(
                text,
                "return no('MISSING', books) end",
                "return answer('RELEASED', '0', record(books), digits(arg.now), arg.operation_id) end");
    }
}
