package io.holdfast.simulation;

import io.holdfast.simulation.variant.WrongVariants;
import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import io.holdfast.testkit.simulation.Decisions.Decision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A world of which only some things happen: a failing one, shrunk, and kept as a test. In a file it is a line for the world, and one for each
 * thing that happens:
 *
 * <pre>
 * seed 7
 * weather FAIR
 * variant StockBeforeRepeat
 * claim JournalAgreesWithFence
 * step 1c0ffee5c0ffee00 2026-03-01T08:00:03.120Z somebody orders
 * </pre>
 *
 * <p>The numbers of the steps are drawn from the seed, so a script is of the world that its commit makes: where a world is made otherwise, some
 * steps no longer come up, which {@link WorldRun#leftOut} says.
 *
 * @param seed of the world
 * @param weather it is in
 * @param variant what is done wrong in it; empty for the product as it is
 * @param claim that did not hold
 * @param steps all that happens
 */
record Script(long seed, Weather weather, Optional<String> variant, String claim, List<Decision> steps) {

    /** Where tests look for them. */
    static final String SUFFIX = ".script";

    /** What a run that failed did. */
    static Script of(WorldRun failed, Optional<String> variant) {
        return new Script(
                failed.seed(), failed.weather(), variant, failed.claim().orElseThrow(), failed.decisions());
    }

    /** Runs it with the variant it names. */
    WorldRun run() {
        return WorldRun.of(seed, weather, twist(), only());
    }

    /** Runs it with nothing done wrong. */
    WorldRun runRight() {
        return WorldRun.of(seed, weather, () -> Twist.NONE, only());
    }

    private Supplier<? extends Twist> twist() {
        return variant.<Supplier<? extends Twist>>map(WrongVariants::named).orElse(() -> Twist.NONE);
    }

    private Set<Long> only() {
        return numbers(steps);
    }

    static Set<Long> numbers(List<Decision> steps) {
        return steps.stream().map(Decision::number).collect(Collectors.toSet());
    }

    /** As in a file. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + seed);
        lines.add("weather " + weather);
        variant.ifPresent(name -> lines.add("variant " + name));
        lines.add("claim " + claim);
        steps.forEach(
                step -> lines.add("step " + Long.toHexString(step.number()) + " " + step.at() + " " + step.what()));
        return lines;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if a line can't be read, or one of seed, weather and claim is missing
     */
    static Script read(Path file) {
        try {
            return parse(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Script parse(List<String> lines) {
        Map<String, String> world = new LinkedHashMap<>();
        List<Decision> steps = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split(" ", 4);
            if (words[0].equals("step") && words.length == 4) {
                steps.add(new Decision(Long.parseUnsignedLong(words[1], 16), Instant.parse(words[2]), words[3]));
            } else if (Set.of("seed", "weather", "variant", "claim").contains(words[0]) && words.length == 2) {
                world.put(words[0], words[1]);
            } else {
                throw new IllegalArgumentException("no line of a script: " + line);
            }
        }
        return new Script(
                Long.parseLong(said(world, "seed")),
                Weather.valueOf(said(world, "weather")),
                Optional.ofNullable(world.get("variant")),
                said(world, "claim"),
                List.copyOf(steps));
    }

    private static String said(Map<String, String> world, String what) {
        String value = world.get(what);
        if (value == null) {
            throw new IllegalArgumentException("the script does not say its " + what);
        }
        return value;
    }
}
