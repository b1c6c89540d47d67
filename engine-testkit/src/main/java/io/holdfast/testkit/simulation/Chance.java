package io.holdfast.testkit.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** The only source of randomness of a run, ids included. The same seed gives the same run. */
public final class Chance {

    private final SplittableRandom random;
    private long ids;

    /** Randomness from a seed. */
    public Chance(long seed) {
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
        ids++;
        return prefix + "-" + ids + "-" + Integer.toHexString(random.nextInt() & 0xffff);
    }
}
