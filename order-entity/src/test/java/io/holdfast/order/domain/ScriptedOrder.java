package io.holdfast.order.domain;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.order.domain.OrderCommand.CancelAnswered;
import io.holdfast.order.domain.OrderCommand.CloseAnswered;
import io.holdfast.order.domain.OrderCommand.ContradictionFound;
import io.holdfast.order.domain.OrderCommand.CreationAnswered;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderCommand.HoldAnswered;
import io.holdfast.order.domain.OrderCommand.MarkAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentReturned;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswered;
import io.holdfast.order.domain.OrderCommand.RefundAnswered;
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
import io.holdfast.order.model.ModelBooks;
import io.holdfast.order.port.BookAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One order over the books in memory and a provider that remembers: commands are given, what is owed is done when the script says so, and
 * answers may be lost.
 */
final class ScriptedOrder {

    static final String ACTIVITY = A.REQUEST.activity();
    static final String SKU = A.REQUEST.sku();

    private final OrderMachine machine;
    private final List<OrderEvent> events = new ArrayList<>();
    private final Map<String, String> givenBack = new HashMap<>();
    private final ModelBooks books;
    private final List<Payment> atProvider = new ArrayList<>();
    private boolean closedAtProvider;
    private final boolean holds;
    private Order state;
    private Instant now = A.NOW;

    /** @param stock units of the sale; another buyer's orders go through the same books */
    ScriptedOrder(long stock) {
        this(stock, OrderPolicies.LatePayment.REFUND, true);
    }

    /**
     * @param late what becomes of late payments
     * @param holds whether units can be held anew for them
     */
    ScriptedOrder(long stock, OrderPolicies.LatePayment late, boolean holds) {
        this.machine = new OrderMachine(A.POLICIES.with(late));
        this.holds = holds;
        this.state = machine.initial(A.ID);
        books = new ModelBooks();
        books.setTotal(ACTIVITY, SKU, "set-1", stock);
    }

    OrderMachine machine() {
        return machine;
    }

    Order state() {
        return state;
    }

    ModelBooks books() {
        return books;
    }

    List<OrderEvent> events() {
        return events;
    }

    /** How often money went back, by operation. */
    Map<String, String> givenBack() {
        return givenBack;
    }

    Verdict verdict(OrderCommand command) {
        return machine.verdict(state, command);
    }

    Decision<OrderEvent> give(OrderCommand command) {
        Decision<OrderEvent> decision = machine.decide(state, command, now);
        for (OrderEvent event : decision.events()) {
            state = machine.evolve(state, event);
            events.add(event);
        }
        return decision;
    }

    /** The buyer pays, unless the provider takes no money any more. The news may come later, or never. */
    boolean payAtProvider(Payment payment) {
        if (closedAtProvider || atProvider.contains(payment)) {
            return false;
        }
        atProvider.add(payment);
        return true;
    }

    void passTo(Instant later) {
        if (later.isAfter(now)) {
            now = later;
        }
        give(machine.wakeUp());
    }

    Instant now() {
        return now;
    }

    /** Forgets everything but the journal. */
    void restart() {
        state = machine.initial(A.ID);
        events.forEach(event -> state = machine.evolve(state, event));
    }

    /** Does this one of what is owed, and tells the order. */
    void step(int which) {
        List<OrderEffect> owed = machine.owe(state).effects();
        if (!owed.isEmpty()) {
            give(perform(owed.get(which % owed.size())));
        }
    }

    /** Does this one of what is owed; the answer is lost. */
    void loseAnswer(int which) {
        List<OrderEffect> owed = machine.owe(state).effects();
        if (!owed.isEmpty()) {
            perform(owed.get(which % owed.size()));
        }
    }

    /** Does what is owed until nothing is. */
    void settle() {
        for (int i = 0; i < 1_000; i++) {
            if (machine.owe(state).effects().isEmpty()) {
                return;
            }
            step(0);
        }
        throw new AssertionError("it never comes to rest: " + state);
    }

    private OrderCommand perform(OrderEffect effect) {
        return switch (effect) {
            case CreateOrder e -> told(e, books.create(e.request(), e.payWithin()), CreationAnswered::new);
            case RejectOverdue e -> told(e, books.rejectOverdue(e.request()), CreationAnswered::new);
            case RecordPayment e ->
                told(
                        e,
                        books.recordPayment(e.orderId(), e.payment()),
                        answer -> new PaymentAnswered(e.payment().paymentId(), answer));
            case HoldAgain e ->
                new HoldAnswered(
                        e.paymentId(),
                        holds ? new HoldAnswer.Held("again-" + e.paymentId()) : new HoldAnswer.NotHeld("SOLD_OUT"));
            case ReacquireOrder e ->
                told(
                        e,
                        books.reacquire(e.orderId(), e.payment(), e.reservationId()),
                        answer -> new ReacquireAnswered(e.payment().paymentId(), answer));
            case ReturnPayment e -> {
                String reference = back(e.operationId());
                yield told(
                        e,
                        books.recordReturn(e.orderId(), e.payment(), reference),
                        known -> new PaymentReturned(e.payment().paymentId(), known));
            }
            case MarkCancelPending e -> told(e, books.markCancelPending(e.orderId()), MarkAnswered::new);
            case ClosePayment _ -> {
                Optional<Payment> paid = atProvider.stream()
                        .filter(payment -> !givenBack.containsKey("RETURN:" + payment.paymentId()))
                        .findFirst();
                closedAtProvider |= paid.isEmpty();
                yield new CloseAnswered(paid);
            }
            case CancelOrder e -> told(e, books.cancel(e.orderId()), CancelAnswered::new);
            case RefundOrder e -> {
                String reference = back(e.operationId());
                yield told(
                        e,
                        books.recordRefund(e.orderId(), e.refund(), e.payment(), reference),
                        known -> new RefundAnswered(e.refund().refundId(), known));
            }
        };
    }

    private String back(String operationId) {
        return givenBack.computeIfAbsent(operationId, id -> "back-" + id);
    }

    private static <T> OrderCommand told(
            OrderEffect effect, CompletionStage<Outcome<BookAnswer<T>>> answered, Function<T, OrderCommand> command) {
        Outcome<BookAnswer<T>> outcome = answered.toCompletableFuture().join();
        if (!(outcome instanceof Outcome.Known<BookAnswer<T>>(BookAnswer<T> answer))) {
            throw new AssertionError("the model always knows: " + outcome);
        }
        return switch (answer) {
            case BookAnswer.Decided<T>(T value) -> command.apply(value);
            case BookAnswer.Contradicted<T>(String code, var evidence) ->
                new ContradictionFound(effect.operationId(), code, evidence);
        };
    }
}
