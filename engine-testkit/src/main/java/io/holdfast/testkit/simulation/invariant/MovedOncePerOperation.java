package io.holdfast.testkit.simulation.invariant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * An operation id moves things once, however often it is performed.
 */
public final class MovedOncePerOperation implements Invariant {

    private final Supplier<List<Movement>> movements;
    private final Map<String, String> moved = new HashMap<>();
    private int looked;

    /**
     * Something the outside world did.
     *
     * @param operationId under which operation
     * @param what for the message
     */
    public record Movement(String operationId, String what) {}

    /** Watches a growing list of movements. */
    public MovedOncePerOperation(Supplier<List<Movement>> movements) {
        this.movements = movements;
    }

    @Override
    public void check() {
        List<Movement> all = movements.get();
        for (; looked < all.size(); looked++) {
            Movement movement = all.get(looked);
            String before = moved.putIfAbsent(movement.operationId(), movement.what());
            if (before != null) {
                throw new AssertionError("MovedOncePerOperation: " + movement.operationId() + " moved twice: first "
                        + before + ", then " + movement.what());
            }
        }
    }
}
