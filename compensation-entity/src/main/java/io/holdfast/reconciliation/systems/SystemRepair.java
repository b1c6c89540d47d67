package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.RepairId;
import java.util.List;

/**
 * One ordinary command that puts a difference right, or stops what contradicts itself. Whoever finds the same difference at the same version
 * gives the same command under the same id, and it is carried out once.
 *
 * @param rule why
 * @param orderId of the order
 * @param reservationId whose units it is about
 * @param expectedVersion of both sides, as they were looked at
 * @param news what is told
 * @param refunds what is told of, where that is refunds
 */
public record SystemRepair(
        SystemFindingType rule,
        String orderId,
        String reservationId,
        String expectedVersion,
        News news,
        List<RefundTold> refunds) {

    public SystemRepair {
        refunds = List.copyOf(refunds);
        if ((news == News.REFUND_REQUESTED) == refunds.isEmpty()) {
            throw new IllegalArgumentException("of refunds is told where there are any, and only there: " + news);
        }
    }

    /** What is told. */
    public enum News {
        /** The reservation, as the order domain would have told it. */
        ORDER_CREATED,
        /** Likewise. */
        ORDER_CREATED_FAILED,
        /** Likewise. */
        ORDER_CANCELED,
        /** The reservation, of each refund; what it knows changes nothing. */
        REFUND_REQUESTED,
        /** Order and reservation, to wait for a person. */
        FREEZE
    }

    /**
     * A refund as the order's books have it.
     *
     * @param quantity units
     * @param restock whether they can be sold again
     */
    public record RefundTold(String refundId, long quantity, boolean restock) {}

    /** SHA-256 in hex of rule, object, expected version and target. */
    public String id() {
        return RepairId.of(rule, reservationId, expectedVersion, news.name());
    }
}
