package io.holdfast.testkit.simulation.invariant;

import io.holdfast.testkit.simulation.Client;
import java.util.TreeSet;

/** Once faults have stopped, every client has a settled answer to everything it asked. */
public record EveryoneIsAnswered(Client<?, ?> client) implements Invariant {

    @Override
    public void check() {
        if (!client.open().isEmpty()) {
            throw new AssertionError("EveryoneIsAnswered: nobody has answered " + new TreeSet<>(client.open()));
        }
    }
}
