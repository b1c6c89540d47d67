package io.holdfast.order.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every payment that was made for one order, and what became of it. Each ends settled or given back, exactly once.
 *
 * @param entries in order of arrival
 */
public record PaymentBook(List<Entry> entries) {

    /** Payments that one order remembers. */
    static final int MOST = 100;

    private static final PaymentBook EMPTY = new PaymentBook(List.of());

    public PaymentBook {
        entries = List.copyOf(entries);
    }

    /** No payment. */
    static PaymentBook empty() {
        return EMPTY;
    }

    /** A payment and where it stands. */
    public record Entry(Payment payment, Standing standing) {}

    /** What became of a payment. */
    public sealed interface Standing {

        /** It came; whether it counts is to be put on record. */
        record Received() implements Standing {}

        /**
         * It came after the order was cancelled, and the order is to come back for it.
         *
         * @param hold the reservation that took its units anew, once it has
         */
        record Reacquiring(Optional<String> hold) implements Standing {}

        /** It is what paid the order. */
        record Settled() implements Standing {}

        /**
         * It pays nothing and is to go back.
         *
         * @param settledOutside what a person named as proof that it went back by other means; then the provider is not asked
         */
        record Surplus(SurplusReason reason, Optional<String> settledOutside) implements Standing {}

        /**
         * It went back.
         *
         * @param reference the provider's id of the giving back, or what a person named
         */
        record GivenBack(SurplusReason reason, String reference) implements Standing {}
    }

    /** The payment of this id. */
    public Optional<Entry> find(String paymentId) {
        return entries.stream()
                .filter(entry -> entry.payment().paymentId().equals(paymentId))
                .findFirst();
    }

    /** Whether the payment of this id waits to be put on record. */
    boolean isReceived(String paymentId) {
        return find(paymentId)
                .filter(entry -> entry.standing() instanceof Standing.Received)
                .isPresent();
    }

    /** Whether some payment waits to be put on record: money may have been taken for the order. */
    boolean hasReceived() {
        return entries.stream().anyMatch(entry -> entry.standing() instanceof Standing.Received);
    }

    /** How far the order has come back for this payment; empty where it is not to. */
    Optional<Standing.Reacquiring> reacquiring(String paymentId) {
        return find(paymentId)
                .map(Entry::standing)
                .filter(Standing.Reacquiring.class::isInstance)
                .map(Standing.Reacquiring.class::cast);
    }

    /** Whether the order is to come back for one of them. */
    boolean hasReacquiring() {
        return entries.stream().anyMatch(entry -> entry.standing() instanceof Standing.Reacquiring);
    }

    /** Whether it is empty. */
    boolean isEmpty() {
        return entries.isEmpty();
    }

    boolean isFull() {
        return entries.size() >= MOST;
    }

    /** Whether this is another payment under a known id, or a known transaction under another id. */
    boolean contradicts(Payment payment) {
        return entries.stream()
                .map(Entry::payment)
                .anyMatch(known -> !known.equals(payment)
                        && (known.paymentId().equals(payment.paymentId()) || known.isSameTransactionAs(payment)));
    }

    PaymentBook received(Payment payment) {
        List<Entry> more = new ArrayList<>(entries);
        more.add(new Entry(payment, new Standing.Received()));
        return new PaymentBook(more);
    }

    PaymentBook with(String paymentId, Standing standing) {
        return new PaymentBook(entries.stream()
                .map(entry ->
                        entry.payment().paymentId().equals(paymentId) ? new Entry(entry.payment(), standing) : entry)
                .toList());
    }

    PaymentBook givenBack(String paymentId, String reference) {
        return find(paymentId)
                .map(Entry::standing)
                .map(standing -> switch (standing) {
                    case Standing.Surplus(SurplusReason reason, var _) ->
                        with(paymentId, new Standing.GivenBack(reason, reference));
                    case Standing.Received _, Standing.Reacquiring _, Standing.Settled _, Standing.GivenBack _ ->
                        throw new IllegalStateException(paymentId + " was not to go back");
                })
                .orElseThrow(() -> new IllegalStateException(paymentId + " is not known"));
    }
}
