package io.holdfast.order.sql;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.SurplusReason;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.BooksListener;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The books in PostgreSQL: each decision is made in one transaction, at the isolation level READ COMMITTED. Orders of an item that wait for it
 * at the same time share one.
 */
public final class SqlOrderBooks implements OrderBooks {

    private final Transactions transactions;
    private final OrderCreation creation;
    private final CreationLine creations;
    private final BooksListener listener;

    /**
     * @param database connections of a role that may write the tables, with a time-out of their statements
     * @param executor runs what blocks; its width bounds how many transactions of this node are under way
     * @param consumerGroup under which messages count as decided: of all nodes the same, never changed
     */
    public SqlOrderBooks(DataSource database, Executor executor, String consumerGroup) {
        this(database, executor, consumerGroup, BooksListener.NONE);
    }

    /** The same, telling what they come to. */
    public SqlOrderBooks(DataSource database, Executor executor, String consumerGroup, BooksListener listener) {
        this.transactions = new Transactions(database, executor, listener);
        this.creation = new OrderCreation(consumerGroup, listener);
        this.creations = new CreationLine(transactions, creation, new OrderCreations(consumerGroup), executor);
        this.listener = listener;
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<CreationAnswer>>> create(
            OrderCreateRequested request, Duration payWithin) {
        return creations
                .decide(new OrderCreations.Asked(request, payWithin))
                .whenComplete((outcome, _) -> tellCreated(outcome));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<CreationAnswer>>> rejectOverdue(OrderCreateRequested request) {
        return transactions
                .decide(connection -> creation.rejectOverdue(connection, request))
                .whenComplete((outcome, _) -> tellCreated(outcome));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<PaymentAnswer>>> recordPayment(String orderId, Payment payment) {
        return transactions
                .decide(connection -> OrderPayments.record(connection, orderId, payment))
                .whenComplete((outcome, _) -> tellPaid(outcome));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<ReacquireAnswer>>> reacquire(
            String orderId, Payment payment, String reservationId) {
        return transactions.decide(
                connection -> OrderReacquisition.decide(connection, orderId, payment, reservationId));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<String>>> recordReturn(
            String orderId, Payment payment, String reference) {
        return transactions.decide(connection -> OrderPayments.recordReturn(connection, orderId, payment, reference));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<Optional<String>>>> markCancelPending(String orderId) {
        return transactions.decide(connection -> OrderCancellation.mark(connection, orderId));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<CancelAnswer>>> cancel(String orderId) {
        return transactions.decide(connection -> OrderCancellation.cancel(connection, orderId));
    }

    @Override
    public CompletionStage<Outcome<BookAnswer<String>>> recordRefund(
            String orderId, OrderRefund refund, Payment payment, String reference) {
        return transactions.decide(
                connection -> OrderPayments.recordRefund(connection, orderId, refund, payment, reference));
    }

    private void tellCreated(@Nullable Outcome<BookAnswer<CreationAnswer>> outcome) {
        if (outcome instanceof Outcome.Known<BookAnswer<CreationAnswer>>(BookAnswer<CreationAnswer> answer)) {
            switch (answer) {
                case BookAnswer.Decided<CreationAnswer>(CreationAnswer.Turned(RejectReason reason)) ->
                    listener.rejected(reason);
                case BookAnswer.Decided<CreationAnswer>(CreationAnswer.Made _) -> {}
                case BookAnswer.Contradicted<CreationAnswer>(String code, var _) -> {
                    if (code.equals(OrderCreation.OTHER_PAYLOAD)) {
                        listener.otherPayload();
                    }
                }
            }
        }
    }

    private void tellPaid(@Nullable Outcome<BookAnswer<PaymentAnswer>> outcome) {
        if (outcome instanceof Outcome.Known<BookAnswer<PaymentAnswer>>(BookAnswer<PaymentAnswer> answer)
                && answer instanceof BookAnswer.Decided<PaymentAnswer>(PaymentAnswer.IsSurplus(SurplusReason reason))) {
            listener.surplus(reason);
        }
    }
}
