package io.holdfast.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is told of a reservation never goes back: an answer that was begun after another was there shows nothing older. */
final class Reads {

    private Reads() {}

    static List<Violation> check(List<Op> ops) {
        Map<String, List<Op>> told = new HashMap<>();
        ops.stream()
                .filter(op -> op.sequence() >= 0)
                .forEach(op -> told.computeIfAbsent(op.reservation(), _ -> new ArrayList<>())
                        .add(op));
        List<Violation> found = new ArrayList<>();
        told.values().forEach(mine -> goBack(mine, found));
        return found;
    }

    private static void goBack(List<Op> mine, List<Violation> found) {
        List<Op> byEnd = mine.stream().sorted(Comparator.comparingLong(Op::to)).toList();
        List<Op> byBegin =
                mine.stream().sorted(Comparator.comparingLong(Op::from)).toList();
        int ended = 0;
        Op newest = null;
        for (Op op : byBegin) {
            while (ended < byEnd.size() && byEnd.get(ended).to() < op.from()) {
                Op before = byEnd.get(ended++);
                if (newest == null || before.sequence() > newest.sequence()) {
                    newest = before;
                }
            }
            if (newest != null && op.sequence() < newest.sequence()) {
                found.add(new Violation(
                        "reads never go back", op.reservation() + ": after " + newest.line() + " came " + op.line()));
                return;
            }
        }
    }
}
