package io.holdfast.http.route;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.SurplusReason;
import io.holdfast.order.port.PaymentStatements;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.order.statement.StatementRun;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Books and provider of orders that live in memory: the first payment of an order settles it, and whoever is out of stock is so by name. */
final class TestTill {

    static final String PROVIDER = "provider";

    /** Buyers of this name find nothing left. */
    static final String TOO_LATE = "too-late";

    static final byte[] SECRET = "a secret of the provider".getBytes(StandardCharsets.UTF_8);

    static final PaymentNotices NOTICES = new PaymentNotices(PROVIDER, List.of(SECRET), Duration.ofMinutes(5));

    private final Map<String, String> paidBy = new ConcurrentHashMap<>();
    private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

    CompletionStage<Outcome<OrderCommand>> perform(OrderEffect effect) {
        return CompletableFuture.completedFuture(Outcome.known(answer(effect)));
    }

    /** What the provider and the records say; the same, unless a test changes one. */
    volatile List<PaymentStatements.Line> statement = List.of();

    StatementRun statements(Entities<Order, OrderCommand> orders) {
        return new StatementRun(
                PROVIDER,
                (_, _) -> CompletableFuture.completedFuture(Outcome.known(statement)),
                (_, _, _) -> CompletableFuture.completedFuture(Outcome.known(List.of())),
                orders);
    }

    private OrderCommand answer(OrderEffect effect) {
        return switch (effect) {
            case OrderEffect.CreateOrder create -> {
                Instant at = create.request().reservedAt().plusSeconds(1);
                yield new OrderCommand.CreationAnswered(
                        create.request().userId().equals(TOO_LATE)
                                ? new CreationAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK)
                                : new CreationAnswer.Made(
                                        at,
                                        Instant.now().plus(create.payWithin()).plusSeconds(1)));
            }
            case OrderEffect.RejectOverdue _ ->
                new OrderCommand.CreationAnswered(new CreationAnswer.Turned(RejectReason.BUSINESS_DEADLINE_EXCEEDED));
            case OrderEffect.RecordPayment record ->
                new OrderCommand.PaymentAnswered(record.payment().paymentId(), recorded(record));
            case OrderEffect.HoldAgain again ->
                new OrderCommand.HoldAnswered(again.paymentId(), new OrderCommand.HoldAnswer.NotHeld("SOLD_OUT"));
            case OrderEffect.ReacquireOrder back ->
                new OrderCommand.ReacquireAnswered(
                        back.payment().paymentId(), new OrderCommand.ReacquireAnswer.Taken());
            case OrderEffect.ReturnPayment back ->
                new OrderCommand.PaymentReturned(back.payment().paymentId(), "back-1");
            case OrderEffect.MarkCancelPending mark ->
                new OrderCommand.MarkAnswered(Optional.ofNullable(paidBy.get(mark.orderId())));
            case OrderEffect.ClosePayment _ -> new OrderCommand.CloseAnswered(Optional.empty());
            case OrderEffect.CancelOrder cancel -> {
                cancelled.add(cancel.orderId());
                yield new OrderCommand.CancelAnswered(new CancelAnswer.Done(Instant.now()));
            }
            case OrderEffect.RefundOrder refund ->
                new OrderCommand.RefundAnswered(refund.refund().refundId(), "back-2");
        };
    }

    private PaymentAnswer recorded(OrderEffect.RecordPayment record) {
        if (cancelled.contains(record.orderId())) {
            return new PaymentAnswer.IsSurplus(SurplusReason.ORDER_CANCELLED);
        }
        String paid =
                paidBy.computeIfAbsent(record.orderId(), _ -> record.payment().paymentId());
        return paid.equals(record.payment().paymentId())
                ? new PaymentAnswer.Settles()
                : new PaymentAnswer.IsSurplus(SurplusReason.PAID_BEFORE);
    }

    /** An order of 2 units for this buyer, as a request for it makes one. */
    static void order(InMemoryEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders, String id, String buyer) {
        Instant reservedAt = Instant.parse("2026-11-29T10:00:00Z");
        var request = new OrderCreateRequested(
                "m-" + id, id, "q-1", "spring", "phone", buyer, 2, reservedAt, reservedAt.plusSeconds(300));
        orders.ask(
                        id,
                        new Cause("m-" + id, "", Cause.Kind.EVENT, "test", Optional.empty()),
                        new OrderFact.Create(request),
                        Duration.ofSeconds(5))
                .toCompletableFuture()
                .join();
    }
}
