package io.holdfast.testkit.simulation;

import java.util.Map;
import java.util.TreeMap;

/**
 * How likely each fault is, how often it struck, and whether the storm is over. A fault asks before it strikes; once calm, none does, and
 * what is still owed must come to rest.
 */
public final class Mishaps {

    private final Chance chance;
    private final Map<String, Integer> struck = new TreeMap<>();
    private boolean calm;
    private boolean held;

    /** Faults drawn from the run's seed. */
    public Mishaps(Chance chance) {
        this.chance = chance;
    }

    /** Whether the named fault strikes now. */
    public boolean strike(String fault, double probability) {
        if (calm || held || !chance.strikes(probability)) {
            return false;
        }
        struck.merge(fault, 1, Integer::sum);
        return true;
    }

    /** No fault strikes until {@link #go}. */
    public void hold() {
        held = true;
    }

    /** Faults strike again. */
    public void go() {
        held = false;
    }

    /** No fault strikes from now on. */
    public void calm() {
        calm = true;
    }

    /** Whether the storm is over. */
    public boolean isCalm() {
        return calm;
    }

    /** How often each fault struck. */
    public Map<String, Integer> struck() {
        return Map.copyOf(struck);
    }
}
