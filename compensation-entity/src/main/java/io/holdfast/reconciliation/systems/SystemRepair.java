package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.RepairId;

/**
 * One ordinary command that puts a difference right. Whoever finds the same difference at the same version gives the same command under the
 * same id, and it is carried out once.
 *
 * @param rule why
 * @param reservationId who is told
 * @param expectedVersion of both sides, as they were looked at
 * @param news what it is told
 */
public record SystemRepair(SystemFindingType rule, String reservationId, String expectedVersion, News news) {

    /** What the reservation is told, as the order domain would have told it. */
    public enum News {
        ORDER_CREATED,
        ORDER_CREATED_FAILED,
        ORDER_CANCELED
    }

    /** SHA-256 in hex of rule, object, expected version and target. */
    public String id() {
        return RepairId.of(rule, reservationId, expectedVersion, news.name());
    }
}
