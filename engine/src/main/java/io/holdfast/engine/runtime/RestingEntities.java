package io.holdfast.engine.runtime;

import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * The entities of one machine that rest in this node's memory: nothing runs for them, and the next command would cost nothing to start.
 * There is room for so many; one more, and the one that has rested longest is asked to leave. One that owes an effect is never here, so
 * a store that is down can't make entities that work push each other out. Thread-safe.
 */
final class RestingEntities {

    private final int room;
    private final LinkedHashMap<String, Runnable> longestFirst = new LinkedHashMap<>();

    /** Room for this many. */
    RestingEntities(int room) {
        this.room = room;
    }

    /**
     * One has come to rest.
     *
     * @param leave asks it to leave; must not block. Harmless if it does not rest any more by then.
     */
    void enter(String entityId, Runnable leave) {
        Runnable eldest = null;
        synchronized (longestFirst) {
            longestFirst.putLast(entityId, leave);
            if (longestFirst.size() > room) {
                Iterator<Runnable> all = longestFirst.values().iterator();
                eldest = all.next();
                all.remove();
            }
        }
        if (eldest != null) {
            eldest.run();
        }
    }

    /** One is at work again, or gone. */
    void leave(String entityId) {
        synchronized (longestFirst) {
            longestFirst.remove(entityId);
        }
    }

    /** How many rest. */
    int size() {
        synchronized (longestFirst) {
            return longestFirst.size();
        }
    }
}
