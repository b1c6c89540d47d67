package io.holdfast.order.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderCommand.CancelAnswered;
import io.holdfast.order.domain.OrderCommand.CloseAnswered;
import io.holdfast.order.domain.OrderCommand.ContradictionFound;
import io.holdfast.order.domain.OrderCommand.CreationAnswered;
import io.holdfast.order.domain.OrderCommand.HoldAnswered;
import io.holdfast.order.domain.OrderCommand.MarkAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentReturned;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswered;
import io.holdfast.order.domain.OrderCommand.RefundAnswered;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEffect.CancelOrder;
import io.holdfast.order.domain.OrderEffect.ClosePayment;
import io.holdfast.order.domain.OrderEffect.CreateOrder;
import io.holdfast.order.domain.OrderEffect.HoldAgain;
import io.holdfast.order.domain.OrderEffect.MarkCancelPending;
import io.holdfast.order.domain.OrderEffect.ReacquireOrder;
import io.holdfast.order.domain.OrderEffect.RecordPayment;
import io.holdfast.order.domain.OrderEffect.RefundOrder;
import io.holdfast.order.domain.OrderEffect.RejectOverdue;
import io.holdfast.order.domain.OrderEffect.ReturnPayment;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.Holds;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.port.PaymentProvider.CloseAnswer;
import io.holdfast.order.port.PaymentProvider.GiveBackAnswer;
import io.holdfast.order.port.RequestBacklog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Performs what an order owes. Money that goes back goes back at the provider first and is then put on record; asked again, both answer what
 * they did the first time, so the whole is repeated until both have.
 */
final class OrderEffects implements EffectPerformer<OrderEffect, OrderCommand> {

    private final OrderBooks books;
    private final PaymentProvider provider;
    private final RequestBacklog backlog;
    private final Holds holds;

    OrderEffects(OrderBooks books, PaymentProvider provider, RequestBacklog backlog, Holds holds) {
        this.books = books;
        this.provider = provider;
        this.backlog = backlog;
        this.holds = holds;
    }

    @Override
    public CompletionStage<Outcome<OrderCommand>> perform(String entityId, OrderEffect effect) {
        return switch (effect) {
            case CreateOrder create ->
                told(create, books.create(create.request(), create.payWithin()), CreationAnswered::new);
            case RejectOverdue overdue ->
                backlog.mayHold(overdue.request().businessDeadline())
                        .<CompletionStage<Outcome<OrderCommand>>>map(
                                why -> CompletableFuture.completedFuture(Outcome.unavailable(why)))
                        .orElseGet(() -> told(overdue, books.rejectOverdue(overdue.request()), CreationAnswered::new));
            case RecordPayment record ->
                told(
                        record,
                        books.recordPayment(record.orderId(), record.payment()),
                        answer -> new PaymentAnswered(record.payment().paymentId(), answer));
            case HoldAgain again ->
                holds.hold(again.request(), again.paymentId())
                        .thenApply(outcome -> outcome.map(answer -> new HoldAnswered(again.paymentId(), answer)));
            case ReacquireOrder back ->
                told(
                        back,
                        books.reacquire(back.orderId(), back.payment(), back.reservationId()),
                        answer -> new ReacquireAnswered(back.payment().paymentId(), answer));
            case ReturnPayment back ->
                givenBack(
                        back,
                        back.settledOutside(),
                        back.payment(),
                        back.payment().amount(),
                        reference -> told(
                                back,
                                books.recordReturn(back.orderId(), back.payment(), reference),
                                known -> new PaymentReturned(back.payment().paymentId(), known)));
            case MarkCancelPending mark -> told(mark, books.markCancelPending(mark.orderId()), MarkAnswered::new);
            case ClosePayment close ->
                provider.close(close.orderId()).thenApply(outcome -> outcome.map(OrderEffects::closed));
            case CancelOrder cancel -> told(cancel, books.cancel(cancel.orderId()), CancelAnswered::new);
            case RefundOrder refund ->
                givenBack(
                        refund,
                        refund.settledOutside(),
                        refund.payment(),
                        refund.refund().amount(),
                        reference -> told(
                                refund,
                                books.recordRefund(refund.orderId(), refund.refund(), refund.payment(), reference),
                                known -> new RefundAnswered(refund.refund().refundId(), known)));
        };
    }

    private static OrderCommand closed(CloseAnswer answer) {
        return switch (answer) {
            case CloseAnswer.Closed() -> new CloseAnswered(Optional.empty());
            case CloseAnswer.IsPaid(Payment payment) -> new CloseAnswered(Optional.of(payment));
        };
    }

    private CompletionStage<Outcome<OrderCommand>> givenBack(
            OrderEffect effect,
            Optional<String> settledOutside,
            Payment payment,
            Money amount,
            Function<String, CompletionStage<Outcome<OrderCommand>>> onRecord) {
        if (settledOutside.isPresent()) {
            return onRecord.apply(settledOutside.get());
        }
        return provider.giveBack(effect.operationId(), payment, amount).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<GiveBackAnswer>(GiveBackAnswer answer) ->
                switch (answer) {
                    case GiveBackAnswer.GivenBack(String reference) -> onRecord.apply(reference);
                    case GiveBackAnswer.Declined(String code, var evidence) ->
                        CompletableFuture.completedFuture(
                                Outcome.known(new ContradictionFound(effect.operationId(), code, evidence)));
                };
            case Outcome.Unknown<GiveBackAnswer>(String why) -> CompletableFuture.completedFuture(Outcome.unknown(why));
            case Outcome.Unavailable<GiveBackAnswer>(String why) ->
                CompletableFuture.completedFuture(Outcome.unavailable(why));
        });
    }

    private static <T> CompletionStage<Outcome<OrderCommand>> told(
            OrderEffect effect, CompletionStage<Outcome<BookAnswer<T>>> answered, Function<T, OrderCommand> command) {
        return answered.thenApply(outcome -> outcome.map(answer -> switch (answer) {
            case BookAnswer.Decided<T>(T value) -> command.apply(value);
            case BookAnswer.Contradicted<T>(String code, var evidence) ->
                new ContradictionFound(effect.operationId(), code, evidence);
        }));
    }
}
