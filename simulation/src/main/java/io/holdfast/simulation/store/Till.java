package io.holdfast.simulation.store;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A provider that remembers who paid for what, closes orders, and gives money back once per operation. */
public final class Till implements PaymentProvider {

    private final Map<String, List<Payment>> paid = new LinkedHashMap<>();
    private final Map<String, String> references = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final List<Movement> movements = new ArrayList<>();

    /** Takes a payment, unless the order is closed. */
    public boolean pay(String orderId, Payment payment) {
        return !closed.contains(orderId)
                && paid.computeIfAbsent(orderId, _ -> new ArrayList<>()).add(payment);
    }

    /** Takes a payment whether the order is closed or not: one that was under way. */
    public boolean payLate(String orderId, Payment payment) {
        return paid.computeIfAbsent(orderId, _ -> new ArrayList<>()).add(payment);
    }

    @Override
    public CompletionStage<Outcome<CloseAnswer>> close(String orderId) {
        Optional<Payment> kept = paid.getOrDefault(orderId, List.of()).stream()
                .filter(payment -> !references.containsKey("RETURN:" + payment.paymentId()))
                .findFirst();
        if (kept.isEmpty()) {
            closed.add(orderId);
        }
        return CompletableFuture.completedFuture(
                Outcome.known(kept.<CloseAnswer>map(CloseAnswer.IsPaid::new).orElseGet(CloseAnswer.Closed::new)));
    }

    @Override
    public CompletionStage<Outcome<GiveBackAnswer>> giveBack(String operationId, Payment payment, Money amount) {
        String reference = references.computeIfAbsent(operationId, id -> {
            movements.add(new Movement(id, amount.minor() + " back"));
            return "back-" + movements.size();
        });
        return CompletableFuture.completedFuture(Outcome.known(new GiveBackAnswer.GivenBack(reference)));
    }

    /** Every movement of money back, oldest first. */
    public List<Movement> movements() {
        return movements;
    }

    /** Every payment taken. */
    public List<Payment> payments() {
        return paid.values().stream().flatMap(List::stream).toList();
    }

    /** Whether money went back by this operation. */
    public boolean gaveBack(String operationId) {
        return references.containsKey(operationId);
    }
}
