package io.holdfast.chaos;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Never oversold, at no moment: a hold stands surely from its answer until somebody begins to give it back, and the units of all that stand at a
 * moment are there.
 */
final class SureHolds {

    private static final String CLAIM = "never oversold";

    private record Step(long at, long units) {}

    private SureHolds() {}

    static List<Violation> check(List<Op> ops, Picture picture) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<Step>> steps = steps(ops);
        picture.pools().forEach((id, pool) -> {
            long most = most(steps.getOrDefault(id, List.of()));
            if (most > pool.total()) {
                found.add(new Violation(
                        CLAIM, id + " has " + pool.total() + " units, and " + most + " were held at once"));
            }
            long promised = picture.holds().values().stream()
                    .filter(hold -> hold.pool().equals(id))
                    .mapToLong(hold -> hold.reserved() + hold.sold())
                    .sum();
            if (promised > pool.total()) {
                found.add(new Violation(
                        CLAIM, id + " has " + pool.total() + " units, and the journals promise " + promised));
            }
            if (pool.taken() > pool.total()) {
                found.add(
                        new Violation(CLAIM, id + " has " + pool.total() + " units, and orders took " + pool.taken()));
            }
        });
        return found;
    }

    private static Map<String, List<Step>> steps(List<Op> ops) {
        Map<String, Op> held = new HashMap<>();
        Map<String, Long> givenBack = new HashMap<>();
        for (Op op : ops) {
            if (op.kind() == Kind.HOLD && op.told() == Told.DONE) {
                // Asked for twice it is one hold: it stands from the first answer on.
                held.merge(op.reservation(), op, (one, other) -> one.to() <= other.to() ? one : other);
            } else if (givesBack(op)) {
                givenBack.merge(op.reservation(), op.from(), Math::min);
            }
        }
        Map<String, List<Step>> steps = new TreeMap<>();
        held.forEach((id, op) -> {
            long until = givenBack.getOrDefault(id, Long.MAX_VALUE);
            if (until > op.to()) {
                List<Step> mine = steps.computeIfAbsent(op.pool(), _ -> new ArrayList<>());
                mine.add(new Step(op.to(), op.quantity()));
                mine.add(new Step(until, -op.quantity()));
            }
        });
        return steps;
    }

    private static boolean givesBack(Op op) {
        return op.kind() == Kind.CANCEL || op.kind() == Kind.TELL_FAILED || op.kind() == Kind.REFUND;
    }

    private static long most(List<Step> steps) {
        List<Step> ordered = steps.stream()
                .sorted(Comparator.comparingLong(Step::at).thenComparingLong(Step::units))
                .toList();
        long now = 0;
        long most = 0;
        for (Step step : ordered) {
            now += step.units();
            most = Math.max(most, now);
        }
        return most;
    }
}
