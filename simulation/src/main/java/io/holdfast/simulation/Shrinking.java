package io.holdfast.simulation;

import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import io.holdfast.testkit.simulation.Decisions.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks for the fewest things that have to happen in a world for the same claim to fail: first whole kinds of them are left out, then halves,
 * quarters and so on down to single ones, as long as the claim fails without (delta debugging).
 */
final class Shrinking {

    private final long seed;
    private final Weather weather;
    private final Supplier<? extends Twist> twist;
    private final String claim;
    private final long deadline;
    private List<Decision> steps;
    private int tried;

    /**
     * What came of it.
     *
     * @param script the short one
     * @param of how many things happened in the whole world
     * @param tried worlds that were run
     * @param fewest whether none of the steps can be left out; false when the time was over
     */
    record Shrunk(Script script, int of, int tried, boolean fewest) {}

    private Shrinking(WorldRun failed, Supplier<? extends Twist> twist, Duration atMost) {
        this.seed = failed.seed();
        this.weather = failed.weather();
        this.twist = twist;
        this.claim = failed.claim().orElseThrow();
        this.deadline = System.nanoTime() + atMost.toNanos();
        this.steps = failed.decisions();
    }

    /**
     * Shrinks a run that failed.
     *
     * @param variant the name of what is done wrong in it
     * @param twist that, anew for each world
     * @param atMost no world is begun after so long
     */
    static Shrunk of(WorldRun failed, Optional<String> variant, Supplier<? extends Twist> twist, Duration atMost) {
        var shrinking = new Shrinking(failed, twist, atMost);
        shrinking.withoutKinds();
        boolean fewest = shrinking.withoutParts();
        return new Shrunk(
                new Script(shrinking.seed, shrinking.weather, variant, shrinking.claim, shrinking.steps),
                failed.decisions().size(),
                shrinking.tried,
                fewest);
    }

    private void withoutKinds() {
        Map<String, Long> kinds = steps.stream().collect(Collectors.groupingBy(Decision::what, Collectors.counting()));
        kinds.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .forEach(kind -> leaves(
                        steps.stream().filter(step -> !step.what().equals(kind)).toList()));
    }

    /** True when no single one can be left out. */
    private boolean withoutParts() {
        int parts = 2;
        while (!steps.isEmpty()) {
            if (isOver()) {
                return false;
            }
            if (withoutOneOf(parts)) {
                parts = Math.max(2, parts - 1);
            } else if (parts >= steps.size()) {
                return !isOver();
            } else {
                parts = Math.min(steps.size(), parts * 2);
            }
        }
        return true;
    }

    /** Whether one of so many parts could be left out. Later things first: they are the more likely not to matter. */
    private boolean withoutOneOf(int parts) {
        int size = steps.size();
        for (int part = parts - 1; part >= 0; part--) {
            int from = size * part / parts;
            int to = size * (part + 1) / parts;
            List<Decision> rest = new ArrayList<>(steps.subList(0, from));
            rest.addAll(steps.subList(to, size));
            if (leaves(rest)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the claim fails with these alone; then they are what is left, without those that did not come up. */
    private boolean leaves(List<Decision> fewer) {
        if (fewer.size() == steps.size() || isOver()) {
            return false;
        }
        tried++;
        WorldRun run = WorldRun.untraced(seed, weather, twist.get(), Script.numbers(fewer));
        if (run.claim().filter(claim::equals).isEmpty()) {
            return false;
        }
        steps = run.decisions();
        return true;
    }

    private boolean isOver() {
        return System.nanoTime() >= deadline;
    }
}
