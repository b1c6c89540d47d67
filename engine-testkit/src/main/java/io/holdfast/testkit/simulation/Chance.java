package io.holdfast.testkit.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The only source of randomness of a run, ids included. The same seed gives the same run.
 *
 * <p>It is a tree of streams: every event has its own, drawn from that of whoever planned it. So leaving out one thing that happened changes
 * what came of it, and nothing else.
 */
public final class Chance {

    private final long seed;
    private final Set<String> ids = new HashSet<>();
    private final Map<String, Integer> named = new HashMap<>();
    private SplittableRandom random;

    /** Randomness from a seed. */
    public Chance(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** True with this probability. */
    public boolean strikes(double probability) {
        return random.nextDouble() < probability;
    }

    /** A whole number from low to high, both included. */
    public int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    /** A duration from low to high, in milliseconds. */
    public Duration between(Duration low, Duration high) {
        return Duration.ofMillis(random.nextLong(low.toMillis(), high.toMillis() + 1));
    }

    /** One of these. */
    public <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** A number in [0, 1). */
    public double fraction() {
        return random.nextDouble();
    }

    /** An id not given before in this run. */
    public String id(String prefix) {
        while (true) {
            String id = prefix + "-" + Long.toHexString(random.nextLong() >>> 24);
            if (ids.add(id)) {
                return id;
            }
        }
    }

    /** A number that stands for a place in this stream: a stream of its own begins with it, or a decision is named by it. */
    long branch() {
        return random.nextLong();
    }

    /** Draws from this stream from now on. */
    void goOn(long stream) {
        random = new SplittableRandom(stream);
    }

    /** Runs with a stream of its own, so that what is drawn there, much or little, does not change what is drawn after it. */
    public <T> T apart(Supplier<T> run) {
        return in(branch(), run);
    }

    /** Runs with the stream of a name, so that what is drawn there depends on nothing that was drawn before. */
    <T> T apart(String name, Supplier<T> run) {
        long stream = seed;
        for (char letter : (name + "#" + named.merge(name, 1, Integer::sum)).toCharArray()) {
            stream = 31 * new SplittableRandom(stream).nextLong() + letter;
        }
        return in(stream, run);
    }

    private <T> T in(long stream, Supplier<T> run) {
        SplittableRandom outside = random;
        random = new SplittableRandom(stream);
        try {
            return run.get();
        } finally {
            random = outside;
        }
    }
}
