package io.holdfast.order.sandbox;

import io.holdfast.order.domain.Money;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the sandbox knows: payments, what of them went back, and closed orders. Safe for use by many threads. */
final class PlayedPayments {

    private final Map<String, Charge> charges = new LinkedHashMap<>();
    private final Map<String, List<Charge>> late = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final Map<String, GivenBack> refunds = new HashMap<>();

    /** A payment that succeeded, or is about to. */
    record Charge(String transaction, String paymentId, String orderId, Money amount, Instant paidAt) {}

    /** Money that went back. */
    private record GivenBack(String transaction, Money amount, String reference) {}

    /** What became of a payment that was asked for. */
    sealed interface Paid {

        /** It succeeded. */
        record Succeeded(List<Charge> charges) implements Paid {}

        /** It was not taken. */
        record Declined(String code) implements Paid {}

        /** It is taken, and nobody hears of it yet. */
        record Unheard() implements Paid {}
    }

    /** A payment. Asked for again it is the first one again. */
    synchronized Paid pay(String orderId, String paymentId, Money amount, PlayedOutcome outcome, Instant now) {
        List<Charge> known = charges.values().stream()
                .filter(charge -> charge.orderId().equals(orderId)
                        && (charge.paymentId().equals(paymentId)
                                || charge.paymentId().equals(second(paymentId))))
                .toList();
        if (!known.isEmpty()) {
            return outcome == PlayedOutcome.UNKNOWN ? new Paid.Unheard() : new Paid.Succeeded(known);
        }
        if (closed.contains(orderId)) {
            return new Paid.Declined("CLOSED");
        }
        return switch (outcome) {
            case SUCCESS -> new Paid.Succeeded(List.of(charge(orderId, paymentId, amount, now)));
            case FAILURE -> new Paid.Declined("DECLINED");
            case LATE -> {
                List<Charge> waiting = late.computeIfAbsent(orderId, _ -> new ArrayList<>());
                if (waiting.stream().noneMatch(charge -> charge.paymentId().equals(paymentId))) {
                    waiting.add(made(orderId, paymentId, amount, now));
                }
                yield new Paid.Unheard();
            }
            case UNKNOWN -> {
                charge(orderId, paymentId, amount, now);
                yield new Paid.Unheard();
            }
            case DOUBLE ->
                new Paid.Succeeded(List.of(
                        charge(orderId, paymentId, amount, now), charge(orderId, second(paymentId), amount, now)));
        };
    }

    private static String second(String paymentId) {
        return paymentId + "-2";
    }

    private static Charge made(String orderId, String paymentId, Money amount, Instant now) {
        return new Charge("tx-" + paymentId, paymentId, orderId, amount, now);
    }

    private Charge charge(String orderId, String paymentId, Money amount, Instant now) {
        Charge charge = made(orderId, paymentId, amount, now);
        charges.put(charge.transaction(), charge);
        return charge;
    }

    /** The first payment of the order; without one it is closed, and no payment is taken for it any more. */
    synchronized Optional<Charge> close(String orderId) {
        Optional<Charge> paid = charges.values().stream()
                .filter(charge -> charge.orderId().equals(orderId))
                .findFirst();
        if (paid.isEmpty()) {
            closed.add(orderId);
        }
        return paid;
    }

    /** Those that were on their way when the order was closed, which now arrive. */
    synchronized List<Charge> arriveLate(String orderId) {
        List<Charge> arrived = Optional.ofNullable(late.remove(orderId)).orElse(List.of());
        arrived.forEach(charge -> charges.put(charge.transaction(), charge));
        return arrived;
    }

    /** What became of money that was to go back. */
    sealed interface Refunded {

        /** It went back, now or the first time it was asked for. */
        record Done(String reference) implements Refunded {}

        /** It does not. */
        record Refused(int status, String code) implements Refunded {}
    }

    /** Gives money back, once under each key. */
    synchronized Refunded giveBack(String transaction, String key, Money amount) {
        GivenBack before = refunds.get(key);
        if (before != null) {
            return before.transaction().equals(transaction) && before.amount().equals(amount)
                    ? new Refunded.Done(before.reference())
                    : new Refunded.Refused(422, "KEY_REUSED");
        }
        Charge charge = charges.get(transaction);
        if (charge == null) {
            return new Refunded.Refused(404, "NO_SUCH_PAYMENT");
        }
        if (!charge.amount().currency().equals(amount.currency())
                || charge.amount().minor() - givenBack(transaction) < amount.minor()) {
            return new Refunded.Refused(422, "EXCEEDS_PAYMENT");
        }
        var done = new GivenBack(transaction, amount, "refund-" + (refunds.size() + 1));
        refunds.put(key, done);
        return new Refunded.Done(done.reference());
    }

    private long givenBack(String transaction) {
        return refunds.values().stream()
                .filter(refund -> refund.transaction().equals(transaction))
                .mapToLong(refund -> refund.amount().minor())
                .sum();
    }

    /** A payment as the statement has it. */
    record Line(Charge charge, long refunded) {}

    /** Every payment within this time, from its beginning to before its end, in the order in which they were made. */
    synchronized List<Line> statement(Instant from, Instant to) {
        return charges.values().stream()
                .filter(charge ->
                        !charge.paidAt().isBefore(from) && charge.paidAt().isBefore(to))
                .map(charge -> new Line(charge, givenBack(charge.transaction())))
                .toList();
    }
}
