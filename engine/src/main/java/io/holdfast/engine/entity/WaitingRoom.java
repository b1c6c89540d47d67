package io.holdfast.engine.entity;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Callers whose answer is held back until their command is settled or their patience ends. */
final class WaitingRoom<C, A> {

    /**
     * One caller.
     *
     * @param until when the patience ends, on the monotonic clock
     */
    record Waiting<C, A>(C command, boolean repeated, long until, A asker) {}

    private final List<Waiting<C, A>> waiting = new ArrayList<>(1);

    int size() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(Waiting<C, A> caller) {
        waiting.add(caller);
    }

    /** Removes and returns those who match, in order of arrival. */
    List<Waiting<C, A>> leave(Predicate<Waiting<C, A>> when) {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Waiting<C, A>> leaving = new ArrayList<>(waiting.size());
        Iterator<Waiting<C, A>> each = waiting.iterator();
        while (each.hasNext()) {
            Waiting<C, A> caller = each.next();
            if (when.test(caller)) {
                each.remove();
                leaving.add(caller);
            }
        }
        return leaving;
    }

    /** When the first patience ends, on the monotonic clock; the largest number when nobody waits. */
    long earliest() {
        long earliest = Long.MAX_VALUE;
        for (Waiting<C, A> caller : waiting) {
            earliest = Math.min(earliest, caller.until());
        }
        return earliest;
    }
}
