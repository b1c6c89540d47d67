package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.SaleDay;
import java.time.Duration;

/** A record is done with as soon as it is read. */
final class CommitsBeforeHandling extends WrongVariant {

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "commits the offset of a record before it is handled";
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofSeconds(1), "one more rebalance", day::aRebalance);
    }

    @Override
    public boolean commitsBeforeHandling() {
        return true;
    }
}
