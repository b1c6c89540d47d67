package io.holdfast.testkit.simulation;

import java.time.Instant;

/**
 * What everything in a run shares: randomness, time, and faults.
 *
 * @param chance randomness from the seed
 * @param timeline virtual time
 * @param mishaps faults and whether they are over
 * @param decisions what struck and what was done
 */
public record World(Chance chance, Timeline timeline, Mishaps mishaps, Decisions decisions) {

    /** The moment every run starts at; machines see it and what follows. */
    public static final Instant START = Instant.parse("2026-03-01T08:00:00Z");

    /** A world from a seed. */
    public static World of(long seed) {
        return of(seed, Decisions.all());
    }

    /** A world from a seed, with some of what happens in it. */
    public static World of(long seed, Decisions decisions) {
        Chance chance = new Chance(seed);
        Timeline timeline = new Timeline(START, chance);
        return new World(chance, timeline, new Mishaps(chance, timeline, decisions), decisions);
    }

    /**
     * Somebody does something that can be left undone.
     *
     * @param what for whoever reads what happened
     */
    public void does(String what, Runnable run) {
        if (decisions.take(chance.branch(), timeline.now(), what)) {
            run.run();
        }
    }
}
