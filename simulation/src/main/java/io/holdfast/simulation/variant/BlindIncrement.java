package io.holdfast.simulation.variant;

import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Weather;
import java.time.Duration;
import java.util.List;

/** A release without a fence makes units available all the same. */
final class BlindIncrement extends WrongVariant.InScripts {

    BlindIncrement() {
        super("cancel");
    }

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "makes units available though the fence that held them is missing";
    }

    @Override
    public List<Weather> weathers() {
        return List.of(Weather.LOST_FENCES);
    }

    @Override
    public void happens(SaleDay day) {
        day.simulation().nowAndThen(Duration.ofSeconds(2), "a hold vanishes unseen", day::aHoldVanishesUnseen);
    }

    @Override
    String wrong(String text) {
        return otherwise(text, "return no('MISSING', books) end", """
            give_back(books, arg.quantity)
                books.version = books.version + 1
                write_numbers(books, arg.now)
                return answer('RELEASED', '0', record(books), digits(arg.now), arg.operation_id)
            end\
            """);
    }
}
