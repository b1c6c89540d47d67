package io.holdfast.testkit.simulation;

import io.holdfast.testkit.simulation.invariant.Invariant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One run from one seed: a storm of a given length, then calm, then rest. Claims are checked after every step; others once it rests.
 *
 * <p>Set it up by hosting machines on {@link #fleet()}, planning what clients do on the {@link #world()}, and adding claims. A run that
 * fails names its seed; {@link Seeds} runs many.
 */
public final class Simulation {

    private static final Duration CHECK_REST_EVERY = Duration.ofSeconds(15);
    private static final int NODES = 3;

    private final World world;
    private final Fleet fleet;
    private final long stepLimit;
    private final List<Invariant> always = new ArrayList<>();
    private final List<Invariant> eventually = new ArrayList<>();
    private final List<Invariant> atRest = new ArrayList<>();

    private Simulation(World world, Fleet fleet, long stepLimit) {
        this.world = world;
        this.fleet = fleet;
        this.stepLimit = stepLimit;
    }

    /** A run from a seed. */
    public static Simulation of(long seed, Storm storm) {
        return of(seed, storm, Decisions.all());
    }

    /** A run from a seed, with some of what happens in it. */
    public static Simulation of(long seed, Storm storm, Decisions decisions) {
        World world = World.of(seed, decisions);
        return new Simulation(world, new Fleet(world, storm, NODES), 2_000_000);
    }

    /** Randomness, time and faults. */
    public World world() {
        return world;
    }

    /** The nodes and entities. */
    public Fleet fleet() {
        return fleet;
    }

    /**
     * Does something again and again while the storm lasts, at intervals drawn around this one.
     *
     * @param what its name; when it is done depends on the seed and on that alone
     */
    public void nowAndThen(Duration about, String what, Runnable run) {
        world.chance().apart(what, () -> next(about, what, run));
    }

    private Timeline.Event next(Duration about, String what, Runnable run) {
        return world.timeline().after(world.chance().between(Duration.ZERO, about.multipliedBy(2)), what, () -> {
            if (!world.mishaps().isCalm()) {
                next(about, what, run);
                world.does(what, run);
            }
        });
    }

    /** Claims to be checked after every step. */
    public Simulation always(Invariant... claims) {
        always.addAll(List.of(claims));
        return this;
    }

    /** Claims that calm must bring about; together they say what rest is. */
    public Simulation eventually(Invariant... claims) {
        eventually.addAll(List.of(claims));
        return this;
    }

    /** Claims to be checked once, when everything rests. */
    public Simulation atRest(Invariant... claims) {
        atRest.addAll(List.of(claims));
        return this;
    }

    /**
     * Runs.
     *
     * @param storm how long faults strike
     * @param calmAtMost by when it must rest after that; longer than the longest back-off and wake-up of its machines
     * @return how often each fault struck
     */
    public Map<String, Integer> run(Duration storm, Duration calmAtMost) {
        Instant calmAt = world.timeline().now().plus(storm);
        runUntil(calmAt);
        world.mishaps().calm();
        fleet.calm();
        Instant giveUpAt = calmAt.plus(calmAtMost);
        while (world.timeline().now().isBefore(giveUpAt) && !rests()) {
            runUntil(world.timeline().now().plus(CHECK_REST_EVERY));
        }
        eventually.forEach(Invariant::check);
        atRest.forEach(Invariant::check);
        return world.mishaps().struck();
    }

    private void runUntil(Instant moment) {
        boolean[] reached = {false};
        world.timeline().after(Duration.between(world.timeline().now(), moment), "", () -> reached[0] = true);
        while (!reached[0]) {
            if (!world.timeline().step()) {
                throw new AssertionError("time stands still");
            }
            if (world.timeline().steps() > stepLimit) {
                throw new AssertionError("more than " + stepLimit + " steps: something spins");
            }
            always.forEach(Invariant::check);
        }
    }

    private boolean rests() {
        return eventually.stream().allMatch(Invariant::holds);
    }

    /** The whole run, line by line, for whoever looks for the cause of a failure. */
    public List<String> trace() {
        return world.timeline().trace();
    }
}
