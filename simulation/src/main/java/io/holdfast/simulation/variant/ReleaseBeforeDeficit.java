package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.SaleDay;
import java.time.Duration;

/** What is given back becomes available though units are missing. */
final class ReleaseBeforeDeficit extends WrongVariant.InScripts {

    ReleaseBeforeDeficit() {
        super("cancel", "confirm", "refund");
    }

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "makes units that are given back available before the deficit is paid";
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofSeconds(5), "somebody lowers a pool", day::somebodyLowersAPool);
    }

    @Override
    String wrong(String text) {
        return otherwise(text, "local pay = math.min(books.deficit, units)", "local pay = 0");
    }
}
