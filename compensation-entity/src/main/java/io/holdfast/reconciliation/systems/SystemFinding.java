package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.systems.SystemRepair.News;
import java.util.Map;
import java.util.Optional;

/**
 * One difference between systems.
 *
 * @param object what it is about: an order, a payment, an item of a sale
 * @param reservationId the reservation it concerns, if one
 * @param pool the pool it concerns, if one
 * @param evidence what each side has, by name
 * @param repair what puts it right, of the class REPAIR; of the class MANUAL what stops it, if anything does
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
        boolean fits = switch (kind) {
            case REPAIR -> repair.filter(how -> how.news() != News.FREEZE).isPresent();
            case MANUAL -> repair.filter(how -> how.news() != News.FREEZE).isEmpty();
            case WAIT -> repair.isEmpty();
        };
        if (!fits) {
            throw new IllegalArgumentException("exactly what may be repaired says how: " + type);
        }
    }

    /** The same, once what was to put it right was refused. */
    SystemFinding refused() {
        return new SystemFinding(type, FindingClass.MANUAL, object, reservationId, pool, evidence, Optional.empty());
    }
}
