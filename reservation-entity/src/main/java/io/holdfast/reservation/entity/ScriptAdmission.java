package io.holdfast.reservation.entity;

import io.holdfast.lua.JournaledFence;
import io.holdfast.reservation.domain.OrderCreateRequested;

/** How a hold came in by the gate, as scripts take it. */
final class ScriptAdmission {

    private ScriptAdmission() {}

    static JournaledFence.Admitted of(OrderCreateRequested order) {
        return new JournaledFence.Admitted(order.userId(), order.requestId(), order.businessDeadline());
    }
}
