package io.holdfast.reconciliation.systems;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.reconciliation.systems.SystemRepair.RefundTold;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks the entities. The repair's id is the cause: told twice, it moves once.
 *
 * @param orders stops an order, where they are made by this fleet
 */
public record EntitySystemCommands(Entities<Reservation, ReservationCommand> reservations, FreezesOrders orders)
        implements SystemCommands {

    private static final String WHY = "found by reconciliation";
    private static final String ASKED_BY = "reconciliation";
    private static final String DONE = "DONE";
    private static final String REFUSED = "REFUSED";

    /** Sets the review mark of an order. Stages never complete exceptionally. */
    @FunctionalInterface
    public interface FreezesOrders {
        /**
         * @param cause the same for the same contradiction
         * @return Known: how it answered
         */
        CompletionStage<Outcome<Verdict>> freeze(String orderId, Cause cause, String reason);
    }

    @Override
    public CompletionStage<Outcome<String>> tell(SystemRepair repair) {
        String order = repair.orderId();
        return switch (repair.news()) {
            case ORDER_CREATED -> told(repair, "", Fact.OrderCreated.whole(order));
            case ORDER_CREATED_FAILED -> told(repair, "", new Fact.OrderCreatedFailed(order, WHY));
            case ORDER_CANCELED -> told(repair, "", new Fact.OrderCanceled(Optional.of(order), WHY));
            case REFUND_REQUESTED -> {
                CompletionStage<Outcome<String>> all = CompletableFuture.completedFuture(Outcome.known(DONE));
                for (RefundTold refund : repair.refunds()) {
                    all = all.thenCompose(before -> before instanceof Outcome.Known<String>(String how)
                                    && !how.startsWith(REFUSED)
                            ? told(
                                    repair,
                                    " " + refund.refundId(),
                                    new Fact.RefundRequested(
                                            Optional.of(order), refund.refundId(), refund.quantity(), refund.restock()))
                            : CompletableFuture.completedFuture(before));
                }
                yield all;
            }
            case FREEZE -> frozen(repair);
        };
    }

    /** The order first: it is what could go on. A reservation that has ended can't be stopped any more, and need not be. */
    private CompletionStage<Outcome<String>> frozen(SystemRepair repair) {
        String why = WHY + ": " + repair.rule().explanation();
        return orders.freeze(repair.orderId(), cause(repair, " order"), why)
                .thenCompose(order -> order instanceof Outcome.Known<Verdict>(Verdict verdict)
                        ? told(repair, "", new ReservationCommand.Freeze(why))
                                .thenApply(hold -> hold.map(how -> word(verdict) + ", reservation " + how))
                        : CompletableFuture.completedFuture(order.map(EntitySystemCommands::word)));
    }

    private CompletionStage<Outcome<String>> told(SystemRepair repair, String part, ReservationCommand command) {
        return reservations
                .ask(repair.reservationId(), cause(repair, part), command, Duration.ZERO)
                .thenApply(outcome -> outcome.map(reply -> word(reply.verdict())));
    }

    private static Cause cause(SystemRepair repair, String part) {
        return new Cause("repair-" + repair.id() + part, repair.id(), Cause.Kind.REQUEST, ASKED_BY, Optional.empty());
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Done() -> DONE;
            case Verdict.Pending() -> "UNDER_WAY";
            case Verdict.Refused(Refusal reason) -> REFUSED + " " + reason.code();
        };
    }
}
