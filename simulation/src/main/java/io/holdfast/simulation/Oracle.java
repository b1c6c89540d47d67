package io.holdfast.simulation;

import io.holdfast.simulation.variant.WrongVariant;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Weather;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Tries the claims themselves: worlds in which one thing is done wrong, until a claim says so. */
final class Oracle {

    private Oracle() {}

    /**
     * What became of a wrong variant.
     *
     * @param worlds how many there were of it
     * @param caught the world in which a claim failed; empty when it survived
     */
    record Trial(String name, String what, long worlds, Optional<WorldRun> caught) {}

    /**
     * Tries one.
     *
     * @param from the first seed
     * @param most worlds at most
     */
    static Trial of(Supplier<WrongVariant> variant, long from, long most) {
        WrongVariant shown = variant.get();
        List<Weather> weathers = shown.weathers();
        for (long i = 0; i < most; i++) {
            WorldRun world = WorldRun.of(from + i, weathers.get((int) (i % weathers.size())), variant, Coverage.none());
            if (world.failure().isPresent()) {
                return new Trial(shown.name(), shown.what(), i + 1, Optional.of(world));
            }
        }
        return new Trial(shown.name(), shown.what(), most, Optional.empty());
    }
}
