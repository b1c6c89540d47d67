package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.FindingClass;
import java.util.Map;
import java.util.Optional;

/**
 * One difference between systems.
 *
 * @param object what it is about: an order, a payment, an item of a sale
 * @param reservationId the reservation it concerns, if one
 * @param pool the pool it concerns, if one
 * @param evidence what each side has, by name
 * @param repair what puts it right, of the class REPAIR
 */
record SystemFinding(
        SystemFindingType type,
        FindingClass kind,
        String object,
        Optional<String> reservationId,
        Optional<String> pool,
        Map<String, String> evidence,
        Optional<SystemRepair> repair) {
    SystemFinding {
        evidence = Map.copyOf(evidence);
        if ((kind == FindingClass.REPAIR) != repair.isPresent()) {
            throw new IllegalArgumentException("exactly what may be repaired says how: " + type);
        }
    }
}
