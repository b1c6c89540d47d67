package io.holdfast.messaging.out;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The types of all messages that journals announce, so that a caller who wants some of them can be told when it names one that this version
 * never announces. Types that come with later versions are added here.
 */
public final class AnnouncedTypes {

    /** In the order of the alphabet. */
    public static final SortedSet<String> ALL = Collections.unmodifiableSortedSet(new TreeSet<>(List.of(
            "InventoryCancelRefused",
            "InventoryCanceled",
            "InventoryCompensationManual",
            "InventoryCompensationResolved",
            "InventoryConfirmRefused",
            "InventoryConfirmScheduled",
            "InventoryConfirmed",
            "InventoryEventContradicted",
            "InventoryHoldUnknown",
            "InventoryOperationDead",
            "InventoryOrderReviewLifted",
            "InventoryOrderReviewOpened",
            "InventoryOverdue",
            "InventoryRedisCanceled",
            "InventoryRedisConfirmed",
            "InventoryRedisRefunded",
            "InventoryRedisReserved",
            "InventoryRefundRefused",
            "InventoryRefunded",
            "InventoryRejected",
            "InventoryReserved",
            "InventoryReviewLifted",
            "InventoryReviewOpened",
            "OrderCanceled",
            "OrderCreated",
            "OrderCreatedFailed",
            "RefundRequested",
            "StockBaselineAdjusted",
            "StockBucketInitialized",
            "StockPoolArchived",
            "StockPoolClosed",
            "StockPoolPaused",
            "StockPoolReopened",
            "StockPoolResumed",
            "StockPoolSuspected",
            "StockRepaired")));

    private AnnouncedTypes() {}
}
