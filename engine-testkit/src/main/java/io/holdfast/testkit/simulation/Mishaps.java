package io.holdfast.testkit.simulation;

import java.util.Map;
import java.util.TreeMap;

/**
 * How likely each fault is, how often it struck, and whether the storm is over. A fault asks before it strikes; once calm, none does, and
 * what is still owed must come to rest.
 */
public final class Mishaps {

    private final Chance chance;
    private final Timeline timeline;
    private final Decisions decisions;
    private final Map<String, Integer> struck = new TreeMap<>();
    private boolean calm;
    private boolean held;

    Mishaps(Chance chance, Timeline timeline, Decisions decisions) {
        this.chance = chance;
        this.timeline = timeline;
        this.decisions = decisions;
    }

    /**
     * Whether the named fault strikes now.
     *
     * @param probability of 1 or more where whoever asks has decided already
     */
    public boolean strike(String fault, double probability) {
        if (calm || held || !chance.strikes(probability)) {
            return false;
        }
        if (probability < 1 && !decisions.take(chance.branch(), timeline.now(), fault)) {
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
