package io.holdfast.http.problem;

import io.holdfast.compensation.domain.CompensationRefusal;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.order.domain.OrderRefusal;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.StockPoolRefusal;

/** The one switch from what a machine refuses to the code that is answered. A new refusal does not compile before it has one. */
public final class Refusals {

    private Refusals() {}

    /**
     * The code of a refusal.
     *
     * @throws IllegalArgumentException for a refusal of a machine that has no routes
     */
    public static ProblemCode code(Refusal refusal) {
        return switch (refusal) {
            case EngineRefusal engine -> code(engine);
            case ReservationRefusal reservation -> code(reservation);
            case StockPoolRefusal pool -> code(pool);
            case CompensationRefusal compensation -> code(compensation);
            case OrderRefusal order -> code(order);
            // The interface is open to machines of other modules; none of them can be reached from here.
            default -> throw new IllegalArgumentException("no code for refusal " + refusal.code());
        };
    }

    private static ProblemCode code(EngineRefusal refusal) {
        return switch (refusal) {
            case KEY_REUSED -> ProblemCode.KEY_REUSED;
            case WRONG_ENTITY -> ProblemCode.WRONG_ENTITY;
            case TOO_MANY_WAITING -> ProblemCode.TOO_MANY_WAITING;
            case JOURNAL_UNREADABLE -> ProblemCode.JOURNAL_UNREADABLE;
        };
    }

    private static ProblemCode code(ReservationRefusal refusal) {
        return switch (refusal) {
            case SOLD_OUT -> ProblemCode.SOLD_OUT;
            case POOL_CLOSED -> ProblemCode.POOL_CLOSED;
            case POOL_PAUSED -> ProblemCode.POOL_PAUSED;
            case FENCED -> ProblemCode.FENCED;
            case OTHER_LINE_NOT_HELD -> ProblemCode.OTHER_LINE_NOT_HELD;
            case OTHER_CONTENT -> ProblemCode.OTHER_CONTENT;
            case WAS_CANCELED -> ProblemCode.WAS_CANCELED;
            case WAS_REFUNDED -> ProblemCode.WAS_REFUNDED;
            case OTHER_ORDER -> ProblemCode.OTHER_ORDER;
            case ORDER_ALREADY_CREATED -> ProblemCode.ORDER_ALREADY_CREATED;
            case ORDER_ALREADY_FAILED -> ProblemCode.ORDER_ALREADY_FAILED;
            case NOTHING_HELD -> ProblemCode.NOTHING_HELD;
            case ORDER_EXCEEDS_HOLD -> ProblemCode.ORDER_EXCEEDS_HOLD;
            case ORDER_QUANTITY_CONFLICT -> ProblemCode.ORDER_QUANTITY_CONFLICT;
            case REFUND_EXCEEDS -> ProblemCode.REFUND_EXCEEDS;
            case REFUND_ID_REUSED -> ProblemCode.REFUND_ID_REUSED;
            case ORDER_DECIDES -> ProblemCode.ORDER_DECIDES;
            case UNDER_REVIEW -> ProblemCode.UNDER_REVIEW;
            case NOT_UNDER_REVIEW -> ProblemCode.NOT_UNDER_REVIEW;
            case RESOLUTION_NOT_ALLOWED -> ProblemCode.RESOLUTION_NOT_ALLOWED;
            case RESOLVED_AT_COMPENSATION -> ProblemCode.RESOLVED_AT_COMPENSATION;
            case ALREADY_ENDED -> ProblemCode.ALREADY_ENDED;
            case UNKNOWN_RESERVATION -> ProblemCode.UNKNOWN_RESERVATION;
        };
    }

    private static ProblemCode code(CompensationRefusal refusal) {
        return switch (refusal) {
            case UNKNOWN_COMPENSATION -> ProblemCode.UNKNOWN_COMPENSATION;
            case OTHER_CONTENT -> ProblemCode.OTHER_CONTENT;
            case NOT_MANUAL -> ProblemCode.NOT_MANUAL;
            case COMPENSATION_ENDED -> ProblemCode.COMPENSATION_ENDED;
            case OTHER_PROPOSAL -> ProblemCode.OTHER_PROPOSAL;
            case NOTHING_PROPOSED -> ProblemCode.NOTHING_PROPOSED;
            case SAME_PERSON -> ProblemCode.SAME_PERSON;
            case INCIDENT_MISSING -> ProblemCode.INCIDENT_MISSING;
            case RESOLUTION_NOT_ALLOWED -> ProblemCode.RESOLUTION_NOT_ALLOWED;
        };
    }

    private static ProblemCode code(OrderRefusal refusal) {
        return switch (refusal) {
            case UNKNOWN_ORDER -> ProblemCode.UNKNOWN_ORDER;
            case OUT_OF_FINAL_STOCK -> ProblemCode.OUT_OF_FINAL_STOCK;
            case DUPLICATE_BUYER -> ProblemCode.DUPLICATE_BUYER;
            case LATE_REJECTED -> ProblemCode.LATE_REJECTED;
            case DEADLINE_NOT_REACHED -> ProblemCode.DEADLINE_NOT_REACHED;
            case ALREADY_CREATED -> ProblemCode.ALREADY_CREATED;
            case WAS_REJECTED -> ProblemCode.WAS_REJECTED;
            case NOT_CREATED_YET -> ProblemCode.NOT_CREATED_YET;
            case CANCEL_IN_PROGRESS -> ProblemCode.CANCEL_IN_PROGRESS;
            case WAS_CANCELLED -> ProblemCode.WAS_CANCELLED;
            case ALREADY_PAID -> ProblemCode.ALREADY_PAID;
            case NOT_PAID -> ProblemCode.NOT_PAID;
            case REFUND_CURRENCY -> ProblemCode.REFUND_CURRENCY;
            case TOO_MANY_PAYMENTS -> ProblemCode.TOO_MANY_PAYMENTS;
            case TOO_MANY_REFUNDS -> ProblemCode.TOO_MANY_REFUNDS;
            case OTHER_CONTENT -> ProblemCode.OTHER_CONTENT;
            case REFUND_EXCEEDS -> ProblemCode.REFUND_EXCEEDS;
            case REFUND_ID_REUSED -> ProblemCode.REFUND_ID_REUSED;
            case UNDER_REVIEW -> ProblemCode.UNDER_REVIEW;
            case NOT_UNDER_REVIEW -> ProblemCode.NOT_UNDER_REVIEW;
            case RESOLUTION_NOT_ALLOWED -> ProblemCode.RESOLUTION_NOT_ALLOWED;
            case ALREADY_ENDED -> ProblemCode.ALREADY_ENDED;
        };
    }

    private static ProblemCode code(StockPoolRefusal refusal) {
        return switch (refusal) {
            case POOL_UNKNOWN -> ProblemCode.POOL_UNKNOWN;
            case POOL_ID_MALFORMED -> ProblemCode.POOL_ID_MALFORMED;
            case ALREADY_INITIALIZED -> ProblemCode.ALREADY_INITIALIZED;
            case POOL_CLOSED -> ProblemCode.POOL_CLOSED;
            case NOT_CLOSED -> ProblemCode.NOT_CLOSED;
            case NOT_DRAINED -> ProblemCode.NOT_DRAINED;
            case POOL_ARCHIVED -> ProblemCode.POOL_ARCHIVED;
            case BASELINE_CHANGED -> ProblemCode.BASELINE_CHANGED;
            case OPERATION_ID_REUSED -> ProblemCode.OPERATION_ID_REUSED;
            case OPERATION_MALFORMED -> ProblemCode.OPERATION_MALFORMED;
            case REPAIR_OVERTAKEN -> ProblemCode.REPAIR_OVERTAKEN;
            case NOT_SUSPECT -> ProblemCode.NOT_SUSPECT;
            case UNITS_SHORT -> ProblemCode.UNITS_SHORT;
            case PART_OF_SALE -> ProblemCode.PART_OF_SALE;
            case BUCKET_TAKEN -> ProblemCode.BUCKET_TAKEN;
            case TOO_MANY_OPERATIONS -> ProblemCode.TOO_MANY_OPERATIONS;
        };
    }
}
