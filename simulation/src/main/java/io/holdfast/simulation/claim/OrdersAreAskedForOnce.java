package io.holdfast.simulation.claim;

import io.holdfast.simulation.store.Broker;
import io.holdfast.testkit.simulation.invariant.Invariant;

/** The order of a hold is asked for under one id, however often it is. */
public record OrdersAreAskedForOnce(Broker broker) implements Invariant {

    @Override
    public void check() {
        broker.requestIds().forEach((reservation, ids) -> {
            if (ids.size() > 1) {
                throw new AssertionError("OrdersAreAskedForOnce: that of " + reservation + " was asked for as " + ids);
            }
        });
    }
}
