package io.holdfast.testkit.simulation;

import java.time.Instant;

/**
 * What everything in a run shares: randomness, time, and faults.
 *
 * @param chance randomness from the seed
 * @param timeline virtual time
 * @param mishaps faults and whether they are over
 */
public record World(Chance chance, Timeline timeline, Mishaps mishaps) {

    /** The moment every run starts at; machines see it and what follows. */
    public static final Instant START = Instant.parse("2026-03-01T08:00:00Z");

    /** A world from a seed. */
    public static World of(long seed) {
        Chance chance = new Chance(seed);
        return new World(chance, new Timeline(START, chance), new Mishaps(chance));
    }
}
