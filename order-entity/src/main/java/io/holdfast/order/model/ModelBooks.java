package io.holdfast.order.model;

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
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The books in memory, one decision at a time. For tests and for simulation. Safe for use by many threads. */
public final class ModelBooks implements OrderBooks, FinalStock {

    private final Map<String, Stock> stocks = new HashMap<>();
    private final Map<String, Decided> inbox = new HashMap<>();
    private final Map<String, Row> orders = new HashMap<>();
    private final Map<String, Paid> payments = new HashMap<>();
    private final Map<String, Back> refunds = new HashMap<>();
    private final Map<String, Again> reacquired = new HashMap<>();
    private final List<Moved> movements = new ArrayList<>();
    private final InstantSource clock;

    /** Books at a time that stands still. */
    public ModelBooks() {
        this(InstantSource.fixed(Instant.parse("2026-06-25T09:00:01Z")));
    }

    /** @param clock the database's */
    public ModelBooks(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * A change of a final stock.
     *
     * @param operationId which made it
     * @param what it came to
     */
    public record Moved(String operationId, String what) {}

    private record Decided(OrderCreateRequested request, Optional<RejectReason> rejected) {}

    private record Paid(String orderId, Payment payment, Optional<SurplusReason> surplus, Optional<String> returned) {}

    private record Again(String orderId, String reservationId, ReacquireAnswer answer) {}

    private record Back(OrderRefund refund, String reference) {}

    private enum Status {
        CREATED,
        CANCEL_PENDING,
        CANCELLED,
        PAID,
        REFUNDED
    }

    private static final class Row {
        private final OrderCreateRequested request;
        private final Instant createdAt;
        private final Instant payBy;
        private Instant cancelledAt = Instant.MAX;
        private Status status = Status.CREATED;
        private String paidBy = "";
        private long refunded;
        private long money;

        private Row(OrderCreateRequested request, Instant createdAt, Duration payWithin) {
            this.request = request;
            this.createdAt = createdAt;
            this.payBy = createdAt.plus(payWithin);
        }

        private boolean isLive() {
            return status != Status.CANCELLED && status != Status.REFUNDED;
        }
    }

    private final class Stock {
        private Numbers now = new Numbers(0, 0, 0, 0, 0);
        private final Map<String, Numbers> operations = new HashMap<>();
        private final List<Numbers> changes = new ArrayList<>();

        private void move(String operation, long initial, long available, long occupied, long sold) {
            now = new Numbers(
                    now.initial() + initial,
                    now.available() + available,
                    now.occupied() + occupied,
                    now.sold() + sold,
                    now.version() + 1);
            operations.put(operation, now);
            movements.add(new Moved(operation, available + " available"));
            changes.add(new Numbers(initial, available, occupied, sold, now.version()));
        }
    }

    private static <T> CompletionStage<Outcome<T>> known(T value) {
        return CompletableFuture.completedFuture(Outcome.known(value));
    }

    private static <T> CompletionStage<Outcome<BookAnswer<T>>> decided(T value) {
        return known(BookAnswer.decided(value));
    }

    private static <T> CompletionStage<Outcome<BookAnswer<T>>> contradicted(String code) {
        return known(BookAnswer.contradicted(code, Map.of()));
    }

    private static String item(String activity, String sku) {
        return activity + "|" + sku;
    }

    private Stock stock(OrderCreateRequested request) {
        return Objects.requireNonNull(stocks.get(item(request.activity(), request.sku())));
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<CreationAnswer>>> create(
            OrderCreateRequested request, Duration payWithin) {
        Decided known = inbox.get(request.messageId());
        if (known != null) {
            return prior(known, request);
        }
        Stock stock = stocks.get(item(request.activity(), request.sku()));
        if (stock == null) {
            return CompletableFuture.completedFuture(Outcome.unavailable("no final stock is set out"));
        }
        boolean live = orders.values().stream()
                .anyMatch(row -> row.isLive()
                        && row.request.userId().equals(request.userId())
                        && item(row.request.activity(), row.request.sku())
                                .equals(item(request.activity(), request.sku())));
        if (live) {
            return reject(request, RejectReason.DUPLICATE_BUYER);
        }
        if (stock.now.available() < request.quantity()) {
            return reject(request, RejectReason.OUT_OF_FINAL_STOCK);
        }
        stock.move("CREATE:" + request.reservationId(), 0, -request.quantity(), request.quantity(), 0);
        orders.put(request.reservationId(), new Row(request, clock.instant(), payWithin));
        Decided decision = new Decided(request, Optional.empty());
        inbox.put(request.messageId(), decision);
        return prior(decision, request);
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<CreationAnswer>>> rejectOverdue(
            OrderCreateRequested request) {
        Decided known = inbox.get(request.messageId());
        return known != null ? prior(known, request) : reject(request, RejectReason.BUSINESS_DEADLINE_EXCEEDED);
    }

    private CompletionStage<Outcome<BookAnswer<CreationAnswer>>> reject(
            OrderCreateRequested request, RejectReason reason) {
        Decided decision = new Decided(request, Optional.of(reason));
        inbox.put(request.messageId(), decision);
        return prior(decision, request);
    }

    private CompletionStage<Outcome<BookAnswer<CreationAnswer>>> prior(Decided known, OrderCreateRequested request) {
        if (!known.request().equals(request)) {
            return contradicted("OTHER_PAYLOAD");
        }
        if (known.rejected().isPresent()) {
            return decided(new CreationAnswer.Turned(known.rejected().get()));
        }
        Row row = Objects.requireNonNull(orders.get(request.reservationId()));
        return decided(new CreationAnswer.Made(row.createdAt, row.payBy));
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<PaymentAnswer>>> recordPayment(
            String orderId, Payment payment) {
        Paid known = payments.get(payment.paymentId());
        if (known != null) {
            return known.payment().equals(payment) && known.orderId().equals(orderId)
                    ? decided(known.surplus()
                            .<PaymentAnswer>map(PaymentAnswer.IsSurplus::new)
                            .orElseGet(PaymentAnswer.Settles::new))
                    : contradicted("PAYMENT_ID_REUSED");
        }
        boolean taken = payments.values().stream()
                .anyMatch(other -> other.payment().provider().equals(payment.provider())
                        && other.payment().transaction().equals(payment.transaction()));
        if (taken) {
            return contradicted("TRANSACTION_TAKEN");
        }
        Row row = orders.get(orderId);
        Optional<SurplusReason> surplus = row == null ? Optional.of(withoutOrder(orderId)) : surplusFor(row);
        payments.put(payment.paymentId(), new Paid(orderId, payment, surplus, Optional.empty()));
        if (surplus.isEmpty() && row != null) {
            long units = row.request.quantity();
            row.status = Status.PAID;
            row.paidBy = payment.paymentId();
            stock(row.request).move("PAYMENT:" + payment.paymentId(), 0, 0, -units, units);
        }
        return recordPayment(orderId, payment);
    }

    private SurplusReason withoutOrder(String orderId) {
        return inbox.values().stream()
                        .anyMatch(decision -> decision.request().reservationId().equals(orderId))
                ? SurplusReason.ORDER_REJECTED
                : SurplusReason.NO_ORDER;
    }

    private static Optional<SurplusReason> surplusFor(Row row) {
        return switch (row.status) {
            case CREATED, CANCEL_PENDING -> Optional.empty();
            case CANCELLED -> Optional.of(SurplusReason.ORDER_CANCELLED);
            case PAID, REFUNDED -> Optional.of(SurplusReason.PAID_BEFORE);
        };
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<ReacquireAnswer>>> reacquire(
            String orderId, Payment payment, String reservationId) {
        Row row = orders.get(orderId);
        if (row == null) {
            return contradicted("ORDER_MISSING");
        }
        Again known = reacquired.get(payment.paymentId());
        if (known != null) {
            return known.orderId().equals(orderId) && known.reservationId().equals(reservationId)
                    ? decided(known.answer())
                    : contradicted("REACQUIRED_OTHERWISE");
        }
        if (row.status != Status.CANCELLED) {
            return contradicted("NOT_CANCELLED");
        }
        Paid paid = payments.get(payment.paymentId());
        boolean spare = paid != null
                && paid.surplus().isPresent()
                && paid.returned().isEmpty()
                && paid.orderId().equals(orderId);
        OrderCreateRequested request = row.request;
        boolean live = orders.values().stream()
                .anyMatch(other -> other != row
                        && other.isLive()
                        && other.request.userId().equals(request.userId())
                        && item(other.request.activity(), other.request.sku())
                                .equals(item(request.activity(), request.sku())));
        if (!live && !spare) {
            return contradicted("PAYMENT_NOT_SURPLUS");
        }
        Stock stock = stock(request);
        long units = request.quantity();
        ReacquireAnswer answer = live
                ? new ReacquireAnswer.Turned(RejectReason.DUPLICATE_BUYER)
                : stock.now.available() < units
                        ? new ReacquireAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK)
                        : new ReacquireAnswer.Taken();
        reacquired.put(payment.paymentId(), new Again(orderId, reservationId, answer));
        if (answer instanceof ReacquireAnswer.Taken) {
            payments.put(payment.paymentId(), new Paid(orderId, payment, Optional.empty(), Optional.empty()));
            row.status = Status.PAID;
            row.paidBy = payment.paymentId();
            stock.move("REACQUIRE:" + payment.paymentId(), 0, -units, units, 0);
            stock.move("PAYMENT:" + payment.paymentId(), 0, 0, -units, units);
        }
        return decided(answer);
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<String>>> recordReturn(
            String orderId, Payment payment, String reference) {
        Paid known = payments.get(payment.paymentId());
        if (known == null) {
            return contradicted("PAYMENT_MISSING");
        }
        if (known.surplus().isEmpty()) {
            return contradicted("PAYMENT_SETTLED");
        }
        String kept = known.returned().orElse(reference);
        payments.put(payment.paymentId(), new Paid(orderId, payment, known.surplus(), Optional.of(kept)));
        return decided(kept);
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<Optional<String>>>> markCancelPending(String orderId) {
        Row row = orders.get(orderId);
        if (row == null) {
            return contradicted("ORDER_MISSING");
        }
        return switch (row.status) {
            case CREATED -> {
                row.status = Status.CANCEL_PENDING;
                yield decided(Optional.empty());
            }
            case CANCEL_PENDING, CANCELLED -> decided(Optional.empty());
            case PAID, REFUNDED -> decided(Optional.of(row.paidBy));
        };
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<CancelAnswer>>> cancel(String orderId) {
        Row row = orders.get(orderId);
        if (row == null) {
            return contradicted("ORDER_MISSING");
        }
        return switch (row.status) {
            case CREATED -> contradicted("NOT_MARKED");
            case CANCEL_PENDING -> {
                row.status = Status.CANCELLED;
                row.cancelledAt = clock.instant();
                long units = row.request.quantity();
                stock(row.request).move("CANCEL:" + orderId, 0, units, -units, 0);
                yield decided(new CancelAnswer.Done(row.cancelledAt));
            }
            case CANCELLED -> decided(new CancelAnswer.Done(row.cancelledAt));
            case PAID, REFUNDED -> decided(new CancelAnswer.FoundPaid(row.paidBy));
        };
    }

    @Override
    public synchronized CompletionStage<Outcome<BookAnswer<String>>> recordRefund(
            String orderId, OrderRefund refund, Payment payment, String reference) {
        String operation = "REFUND:" + orderId + ":" + refund.refundId();
        Back known = refunds.get(operation);
        if (known != null) {
            return known.refund().equals(refund) ? decided(known.reference()) : contradicted("REFUND_ID_REUSED");
        }
        Row row = orders.get(orderId);
        if (row == null) {
            return contradicted("ORDER_MISSING");
        }
        if (row.status != Status.PAID || !row.paidBy.equals(payment.paymentId())) {
            return contradicted("NOT_PAID");
        }
        Payment paid = Objects.requireNonNull(payments.get(row.paidBy)).payment();
        if (row.money + refund.amount().minor() > paid.amount().minor()
                || !paid.amount().currency().equals(refund.amount().currency())
                || row.refunded + refund.units() > row.request.quantity()) {
            return contradicted("REFUND_EXCEEDS");
        }
        row.money += refund.amount().minor();
        row.refunded += refund.units();
        if (row.refunded == row.request.quantity()) {
            row.status = Status.REFUNDED;
        }
        if (refund.restock()) {
            stock(row.request).move(operation, 0, refund.units(), 0, -refund.units());
        }
        refunds.put(operation, new Back(refund, reference));
        return decided(reference);
    }

    @Override
    public synchronized CompletionStage<Outcome<TotalAnswer>> setTotal(
            String activity, String sku, String operationId, long total) {
        Stock stock = stocks.get(item(activity, sku));
        Numbers before = stock == null ? new Numbers(0, 0, 0, 0, 0) : stock.now;
        Numbers then = stock == null ? null : stock.operations.get(operationId);
        if (then != null) {
            return known(then.initial() == total ? new TotalAnswer.Done(then) : new TotalAnswer.OtherTotal(then));
        }
        long delta = total - before.initial();
        if (before.available() + delta < 0) {
            return known(new TotalAnswer.TooLow(before));
        }
        Stock changed = stock == null ? new Stock() : stock;
        stocks.put(item(activity, sku), changed);
        changed.move(operationId, delta, delta, 0, 0);
        return known(new TotalAnswer.Done(changed.now));
    }

    @Override
    public synchronized CompletionStage<Outcome<Optional<Numbers>>> find(String activity, String sku) {
        return known(Optional.ofNullable(stocks.get(item(activity, sku))).map(stock -> stock.now));
    }

    /** What the order's row says, in the words of the database; NONE where there is no row. */
    public synchronized String status(String orderId) {
        Row row = orders.get(orderId);
        return row == null ? "NONE" : row.status.name();
    }

    /** What the payment's row says, in the words of the database; NONE where there is no row. */
    public synchronized String payment(String paymentId) {
        Paid known = payments.get(paymentId);
        if (known == null) {
            return "NONE";
        }
        return known.surplus().isEmpty() ? "SETTLED" : known.returned().isEmpty() ? "SURPLUS" : "RETURNED";
    }

    /** Each change of an item's final stock, in order. */
    public synchronized List<Numbers> changes(String activity, String sku) {
        Stock stock = stocks.get(item(activity, sku));
        return stock == null ? List.of() : List.copyOf(stock.changes);
    }

    /** Every change of any stock, with the operation that made it. */
    public List<Moved> movements() {
        return movedSince(0);
    }

    /** The same, without so many of the first. */
    public synchronized List<Moved> movedSince(int known) {
        return List.copyOf(movements.subList(known, movements.size()));
    }
}
