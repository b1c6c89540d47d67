package io.holdfast.testkit.simulation.invariant;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** A named number never falls: a version, an epoch, a count of journal lines. */
public final class OnlyRises implements Invariant {

    private final String what;
    private final Supplier<Map<String, Long>> numbers;
    private final Map<String, Long> highest = new HashMap<>();
    private Map<String, Long> looked = Map.of();

    /**
     * Watches numbers by name; a new name starts a new number.
     *
     * @param numbers gives another map when they are others; the same one is not looked at again
     */
    public OnlyRises(String what, Supplier<Map<String, Long>> numbers) {
        this.what = what;
        this.numbers = numbers;
    }

    @Override
    public void check() {
        Map<String, Long> now = numbers.get();
        if (now == looked) {
            return;
        }
        looked = now;
        now.forEach((name, number) -> {
            Long before = highest.put(name, number);
            if (before != null && number < before) {
                throw new AssertionError(
                        "OnlyRises: " + what + " of " + name + " fell from " + before + " to " + number);
            }
        });
    }
}
