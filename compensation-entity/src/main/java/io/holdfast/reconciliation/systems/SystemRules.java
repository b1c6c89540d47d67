package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.systems.OrderAndHold.HoldSide;
import io.holdfast.reconciliation.systems.OrderAndHold.OrderSide;
import io.holdfast.reconciliation.systems.SystemRepair.News;
import io.holdfast.reconciliation.systems.SystemRepair.RefundTold;
import io.holdfast.reservation.domain.Reservation.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What records of several systems mean together. Only positive evidence is repaired: what the order's transaction decided, the reservation
 * is told. That something is missing proves nothing; what contradicts a payment is stopped and is for persons.
 */
final class SystemRules {

    /** Money that goes back is owed by the order, which repeats it; after this long it does not get there by itself. */
    static final Duration STUCK_AFTER = Duration.ofHours(1);

    private SystemRules() {}

    /** Empty where the two agree. */
    static Optional<SystemFinding> judge(OrderAndHold pair) {
        return switch (pair.order()) {
            case OrderSide.Order order ->
                switch (order.status()) {
                    case "CANCELLED", "REFUNDED" -> ended(pair, order);
                    default -> live(pair, order);
                };
            case OrderSide.Rejected rejected -> rejected(pair, rejected);
        };
    }

    private static Optional<SystemFinding> live(OrderAndHold pair, OrderSide.Order order) {
        if (pair.hold().isEmpty()) {
            return manual(pair, SystemFindingType.ORDER_WITHOUT_HOLD);
        }
        HoldSide hold = pair.hold().get();
        return switch (Status.valueOf(hold.status())) {
            case RESERVED -> repair(pair, SystemFindingType.ORDER_UNKNOWN_TO_HOLD, News.ORDER_CREATED, List.of());
            case CONFIRMED -> hold.refunded() == order.refunded() ? Optional.empty() : refunds(pair, order, hold);
            case CANCELING, CANCELED, REJECTED, REFUNDED ->
                order.status().equals("PAID")
                        ? freezes(pair, SystemFindingType.PAID_ORDER_GIVEN_BACK)
                        : manual(pair, SystemFindingType.LIVE_ORDER_GIVEN_BACK);
            case NONE, PREPARING, CREATED_RESERVED, CONFIRMING, REFUNDING, MANUAL_REVIEW -> waits(pair);
        };
    }

    private static Optional<SystemFinding> ended(OrderAndHold pair, OrderSide.Order order) {
        if (pair.hold().isEmpty()) {
            return manual(pair, SystemFindingType.ORDER_WITHOUT_HOLD);
        }
        HoldSide hold = pair.hold().get();
        return switch (Status.valueOf(hold.status())) {
            case RESERVED, CREATED_RESERVED, CONFIRMED ->
                // Which units a refund gave back, and whether to the shelf, is in the refund alone.
                order.status().equals("CANCELLED")
                        ? repair(pair, SystemFindingType.ENDED_ORDER_HELD, News.ORDER_CANCELED, List.of())
                        : refunds(pair, order, hold);
            case CANCELED, REJECTED, REFUNDED -> Optional.empty();
            case NONE, PREPARING, CONFIRMING, CANCELING, REFUNDING, MANUAL_REVIEW -> waits(pair);
        };
    }

    private static Optional<SystemFinding> rejected(OrderAndHold pair, OrderSide.Rejected order) {
        // A request that was decided against by its deadline may never have been held.
        if (pair.hold().isEmpty()) {
            return Optional.empty();
        }
        return switch (Status.valueOf(pair.hold().get().status())) {
            case RESERVED -> repair(pair, SystemFindingType.REJECTED_ORDER_HELD, News.ORDER_CREATED_FAILED, List.of());
            case CREATED_RESERVED, CONFIRMING, CONFIRMED -> manual(pair, SystemFindingType.REJECTED_ORDER_SOLD);
            case CANCELED, REJECTED, REFUNDED -> Optional.empty();
            case NONE, PREPARING, CANCELING, REFUNDING, MANUAL_REVIEW -> waits(pair);
        };
    }

    /** What the books gave back and the reservation has not heard of, it is told; what it gave back without them is for a person. */
    private static Optional<SystemFinding> refunds(OrderAndHold pair, OrderSide.Order order, HoldSide hold) {
        return hold.refunded() < order.refunded() && !order.refunds().isEmpty()
                ? repair(pair, SystemFindingType.REFUNDS_DIFFER, News.REFUND_REQUESTED, order.refunds())
                : manual(pair, SystemFindingType.REFUNDS_DIFFER);
    }

    private static Optional<SystemFinding> repair(
            OrderAndHold pair, SystemFindingType type, News news, List<RefundTold> refunds) {
        return found(pair, type, FindingClass.REPAIR, Optional.of(command(pair, type, news, refunds)));
    }

    /** A contradiction that must not go on while nobody looks. */
    private static Optional<SystemFinding> freezes(OrderAndHold pair, SystemFindingType type) {
        return found(pair, type, FindingClass.MANUAL, Optional.of(command(pair, type, News.FREEZE, List.of())));
    }

    private static SystemRepair command(
            OrderAndHold pair, SystemFindingType type, News news, List<RefundTold> refunds) {
        String version = switch (pair.order()) {
                    case OrderSide.Order order -> "order " + order.version();
                    case OrderSide.Rejected rejected -> rejected.result();
                }
                + ", reservation "
                + pair.hold().map(HoldSide::sequenceNumber).orElse(0L);
        return new SystemRepair(type, pair.orderId(), pair.reservationId(), version, news, refunds);
    }

    private static Optional<SystemFinding> manual(OrderAndHold pair, SystemFindingType type) {
        return found(pair, type, FindingClass.MANUAL, Optional.empty());
    }

    private static Optional<SystemFinding> waits(OrderAndHold pair) {
        return found(pair, SystemFindingType.UNDER_WAY, FindingClass.WAIT, Optional.empty());
    }

    private static Optional<SystemFinding> found(
            OrderAndHold pair, SystemFindingType type, FindingClass kind, Optional<SystemRepair> repair) {
        Map<String, String> evidence = new LinkedHashMap<>();
        switch (pair.order()) {
            case OrderSide.Order order -> {
                evidence.put("order_status", order.status());
                evidence.put("order_refunded", Long.toString(order.refunded()));
                evidence.put("order_version", Long.toString(order.version()));
            }
            case OrderSide.Rejected rejected -> evidence.put("order_rejected", rejected.result());
        }
        evidence.put("reservation_status", pair.hold().map(HoldSide::status).orElse("none"));
        pair.hold().ifPresent(hold -> {
            evidence.put("reservation_refunded", Long.toString(hold.refunded()));
            evidence.put("reservation_sequence_number", Long.toString(hold.sequenceNumber()));
        });
        return Optional.of(new SystemFinding(
                type,
                kind,
                pair.orderId(),
                Optional.of(pair.reservationId()),
                pair.hold().flatMap(HoldSide::pool),
                evidence,
                repair));
    }

    /**
     * A payment that is to go back.
     *
     * @param age since it was recorded so
     */
    static SystemFinding surplus(String paymentId, String orderId, String reason, Duration age) {
        return new SystemFinding(
                SystemFindingType.SURPLUS_NOT_RETURNED,
                age.compareTo(STUCK_AFTER) < 0 ? FindingClass.WAIT : FindingClass.MANUAL,
                paymentId,
                Optional.of(orderId),
                Optional.empty(),
                Map.of("surplus_reason", reason, "order", orderId),
                Optional.empty());
    }

    /** A payment and its order that contradict each other. */
    static SystemFinding payment(SystemFindingType type, String object, String orderId, Map<String, String> evidence) {
        return new SystemFinding(
                type, FindingClass.MANUAL, object, Optional.of(orderId), Optional.empty(), evidence, Optional.empty());
    }

    /** An item whose numbers are not what its orders come to. */
    static SystemFinding stock(String activity, String sku, Map<String, String> evidence) {
        return new SystemFinding(
                SystemFindingType.FINAL_STOCK_DIFFERS,
                FindingClass.MANUAL,
                activity + ":" + sku,
                Optional.empty(),
                Optional.of(activity + ":" + sku),
                evidence,
                Optional.empty());
    }
}
