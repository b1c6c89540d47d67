package io.holdfast.testkit.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a run decided: which faults struck, and what people did. Each has a number that stays the same when others are left out, so a run can
 * be made again with some of them alone. What follows from others (repeats, time-outs, what an entity owes) is none.
 */
public final class Decisions {

    private final Optional<Set<Long>> kept;
    private final List<Decision> taken = new ArrayList<>();

    /**
     * One of them.
     *
     * @param number names it
     * @param at when
     * @param what the fault, or what somebody did
     */
    public record Decision(long number, Instant at, String what) {}

    private Decisions(Optional<Set<Long>> kept) {
        this.kept = kept;
    }

    /** Whatever the seed says. */
    public static Decisions all() {
        return new Decisions(Optional.empty());
    }

    /** Of what the seed says, only those with these numbers. */
    public static Decisions only(Set<Long> numbers) {
        return new Decisions(Optional.of(Set.copyOf(numbers)));
    }

    /** Whether it is taken in this run. */
    boolean take(long number, Instant at, String what) {
        if (kept.isPresent() && !kept.get().contains(number)) {
            return false;
        }
        taken.add(new Decision(number, at, what));
        return true;
    }

    /** Those that were taken so far, oldest first. */
    public List<Decision> taken() {
        return Collections.unmodifiableList(taken);
    }
}
