package io.holdfast.engine.runtime;

import io.holdfast.engine.entity.EffectProgress;
import io.holdfast.engine.machine.Verdict;
import java.util.List;

/**
 * What an entity answers.
 *
 * @param entityId who answered; checked against who was asked
 * @param sequenceNumber of the last journaled event, 0 when there is none
 * @param verdict on the command that was given; Done for a look
 * @param repeated true when the command had been given before and this is what happened the first time
 * @param state the entity's state
 * @param working effects it owes and how they are going
 */
public record Reply<S>(
        String entityId,
        long sequenceNumber,
        Verdict verdict,
        boolean repeated,
        S state,
        List<EffectProgress> working) {

    public Reply {
        working = List.copyOf(working);
    }

    /** The same answer to somebody who had not given the command before, though others had on their behalf. */
    public Reply<S> asFirst() {
        return new Reply<>(entityId, sequenceNumber, verdict, false, state, working);
    }
}
