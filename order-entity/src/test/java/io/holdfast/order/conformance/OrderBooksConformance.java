package io.holdfast.order.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.order.domain.Money;
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
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.order.port.FinalStock.TotalAnswer;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the order machine relies on in its books. Every test has a sale of its own, and ends with books that add up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class OrderBooksConformance {

    private static final AtomicInteger SALES = new AtomicInteger();
    private static final Instant RESERVED_AT = Instant.parse("2026-06-25T09:00:00.123Z");
    private static final Duration PAY_WITHIN = Duration.ofMinutes(15);
    private static final String SKU = "phone";
    private static final int CROWD = 24;

    private final String sale = "sale-" + SALES.incrementAndGet() + "-" + Long.toString(System.nanoTime(), 36);

    /** The books. */
    protected abstract OrderBooks books();

    /** The final stock they go by. */
    protected abstract FinalStock stock();

    /** What is on record about an order: its status, NONE where there is no row. */
    protected abstract String status(String orderId);

    /** What is on record about a payment: its status, NONE where there is no row. */
    protected abstract String payment(String paymentId);

    /** Each change of an item's final stock, in order: what it added to each number, and the version after it. */
    protected abstract List<Numbers> changes(String activity, String sku);

    private OrderCreateRequested request(String reservation, String user, long quantity) {
        return new OrderCreateRequested(
                "m-" + reservation + "-" + sale,
                id(reservation),
                "q-" + reservation,
                sale,
                SKU,
                user,
                quantity,
                RESERVED_AT,
                RESERVED_AT.plus(Duration.ofMinutes(5)));
    }

    private String id(String reservation) {
        return reservation + "-" + sale;
    }

    private Payment pay(String number) {
        return new Payment(
                number + "-" + sale, "sandbox", "t-" + number + "-" + sale, new Money(3000, "EUR"), RESERVED_AT);
    }

    private static OrderRefund refund(String id, long units, long amount, boolean restock) {
        return new OrderRefund(id, units, new Money(amount, "EUR"), restock);
    }

    private void setOut(long total) {
        assertThat(known(stock().setTotal(sale, SKU, "set-" + total, total))).isInstanceOf(TotalAnswer.Done.class);
    }

    protected static <T> T known(CompletionStage<Outcome<T>> asked) {
        Outcome<T> outcome = asked.toCompletableFuture().join();
        if (outcome instanceof Outcome.Known<T>(T value)) {
            return value;
        }
        throw new AssertionError("not known: " + outcome);
    }

    protected static <T> T decided(CompletionStage<Outcome<BookAnswer<T>>> asked) {
        BookAnswer<T> answer = known(asked);
        if (answer instanceof BookAnswer.Decided<T>(T value)) {
            return value;
        }
        throw new AssertionError("not decided: " + answer);
    }

    private static String contradiction(CompletionStage<? extends Outcome<? extends BookAnswer<?>>> asked) {
        Outcome<? extends BookAnswer<?>> outcome = asked.toCompletableFuture().join();
        if (outcome instanceof Outcome.Known<?> known && known.value() instanceof BookAnswer.Contradicted<?> no) {
            return no.code();
        }
        throw new AssertionError("not contradicted: " + outcome);
    }

    private CreationAnswer create(OrderCreateRequested request) {
        return decided(books().create(request, PAY_WITHIN));
    }

    private String made(String reservation, String user, long quantity) {
        assertThat(create(request(reservation, user, quantity))).isInstanceOf(CreationAnswer.Made.class);
        return id(reservation);
    }

    private String paid(String reservation, String user, long quantity) {
        String order = made(reservation, user, quantity);
        assertThat(decided(books().recordPayment(order, pay("p-" + reservation))))
                .isEqualTo(new PaymentAnswer.Settles());
        return order;
    }

    private String cancelled(String reservation, String user, long quantity) {
        String order = made(reservation, user, quantity);
        assertThat(decided(books().markCancelPending(order))).isEmpty();
        assertThat(decided(books().cancel(order))).isInstanceOf(CancelAnswer.Done.class);
        return order;
    }

    /** The stock is as told, and is what its ledger adds up to. */
    private void stands(long available, long occupied, long sold) {
        Numbers now = known(stock().find(sale, SKU)).orElseThrow();
        assertThat(List.of(now.available(), now.occupied(), now.sold()))
                .as("available, occupied, sold")
                .isEqualTo(List.of(available, occupied, sold));
        assertThat(now.initial()).isEqualTo(available + occupied + sold);
        List<Numbers> changes = changes(sale, SKU);
        assertThat(changes).hasSize((int) now.version());
        assertThat(changes.stream().map(Numbers::version))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, changes.size())
                        .mapToObj(i -> (long) i)
                        .toList());
        assertThat(changes.stream().mapToLong(Numbers::initial).sum()).isEqualTo(now.initial());
        assertThat(changes.stream().mapToLong(Numbers::available).sum()).isEqualTo(available);
        assertThat(changes.stream().mapToLong(Numbers::occupied).sum()).isEqualTo(occupied);
        assertThat(changes.stream().mapToLong(Numbers::sold).sum()).isEqualTo(sold);
    }

    // ---- late payments

    private ReacquireAnswer reacquire(String order, String payment) {
        return decided(books().reacquire(order, pay(payment), "again-" + id(payment)));
    }

    private void late(String order, String payment) {
        assertThat(decided(books().recordPayment(order, pay(payment))))
                .isEqualTo(new PaymentAnswer.IsSurplus(SurplusReason.ORDER_CANCELLED));
    }

    @Test
    void a_cancelled_order_comes_back_once_for_the_payment_that_came_late() {
        setOut(10);
        String order = cancelled("r-1", "u-1", 3);
        late(order, "p-1");
        stands(10, 0, 0);
        for (int i = 0; i < 5; i++) {
            assertThat(reacquire(order, "p-1")).isEqualTo(new ReacquireAnswer.Taken());
        }
        assertThat(status(order)).isEqualTo("PAID");
        assertThat(payment(pay("p-1").paymentId())).isEqualTo("SETTLED");
        stands(7, 0, 3);
        assertThat(contradiction(books().recordReturn(order, pay("p-1"), "back-1")))
                .isEqualTo("PAYMENT_SETTLED");
        assertThat(contradiction(books().reacquire(order, pay("p-1"), "another-hold")))
                .isEqualTo("REACQUIRED_OTHERWISE");
        assertThat(decided(books().cancel(order)))
                .isEqualTo(new CancelAnswer.FoundPaid(pay("p-1").paymentId()));
        assertThat(decided(books().recordPayment(order, pay("p-2"))))
                .isEqualTo(new PaymentAnswer.IsSurplus(SurplusReason.PAID_BEFORE));
        assertThat(decided(books().recordRefund(order, refund("f-1", 3, 3000, true), pay("p-1"), "back-2")))
                .isEqualTo("back-2");
        assertThat(status(order)).isEqualTo("REFUNDED");
        stands(10, 0, 0);
    }

    @Test
    void without_units_it_stays_cancelled_also_when_units_come_back_and_the_payment_goes_back() {
        setOut(3);
        String order = cancelled("r-1", "u-1", 3);
        String other = made("r-2", "u-2", 1);
        late(order, "p-1");
        ReacquireAnswer no = new ReacquireAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK);
        assertThat(reacquire(order, "p-1")).isEqualTo(no);
        decided(books().markCancelPending(other));
        decided(books().cancel(other));
        assertThat(reacquire(order, "p-1")).isEqualTo(no);
        assertThat(status(order)).isEqualTo("CANCELLED");
        assertThat(decided(books().recordReturn(order, pay("p-1"), "back-1"))).isEqualTo("back-1");
        stands(3, 0, 0);
    }

    @Test
    void a_buyer_who_has_ordered_anew_keeps_the_new_order_alone() {
        setOut(10);
        String order = cancelled("r-1", "u-1", 3);
        made("r-2", "u-1", 1);
        late(order, "p-1");
        assertThat(reacquire(order, "p-1")).isEqualTo(new ReacquireAnswer.Turned(RejectReason.DUPLICATE_BUYER));
        stands(9, 1, 0);
    }

    @Test
    void an_order_comes_back_for_nothing_but_a_payment_of_its_own_that_came_late() {
        setOut(10);
        String open = made("r-1", "u-1", 1);
        String order = cancelled("r-2", "u-2", 2);
        late(order, "p-2");
        assertThat(contradiction(books().reacquire(open, pay("p-1"), "again"))).isEqualTo("NOT_CANCELLED");
        assertThat(contradiction(books().reacquire(order, pay("p-9"), "again"))).isEqualTo("PAYMENT_NOT_SURPLUS");
        assertThat(decided(books().recordReturn(order, pay("p-2"), "back-2"))).isEqualTo("back-2");
        assertThat(contradiction(books().reacquire(order, pay("p-2"), "again"))).isEqualTo("PAYMENT_NOT_SURPLUS");
        assertThat(contradiction(books().reacquire(id("nobody"), pay("p-2"), "again")))
                .isEqualTo("ORDER_MISSING");
        stands(9, 1, 0);
    }

    // ---- creation

    @Test
    void an_order_takes_its_units_and_waits_for_its_payment() {
        setOut(10);
        CreationAnswer answer = create(request("r-1", "u-1", 3));
        assertThat(answer).isInstanceOf(CreationAnswer.Made.class);
        CreationAnswer.Made made = (CreationAnswer.Made) answer;
        assertThat(Duration.between(made.createdAt(), made.payBy())).isEqualTo(PAY_WITHIN);
        assertThat(status(id("r-1"))).isEqualTo("CREATED");
        stands(7, 3, 0);
    }

    @Test
    void the_same_request_again_is_told_the_same_and_moves_nothing() {
        setOut(10);
        CreationAnswer first = create(request("r-1", "u-1", 3));
        for (int i = 0; i < 5; i++) {
            assertThat(create(request("r-1", "u-1", 3))).isEqualTo(first);
        }
        stands(7, 3, 0);
    }

    @Test
    void the_same_id_with_other_content_decides_nothing() {
        setOut(10);
        made("r-1", "u-1", 3);
        assertThat(contradiction(books().create(request("r-1", "u-1", 4), PAY_WITHIN)))
                .isEqualTo("OTHER_PAYLOAD");
        assertThat(contradiction(books().rejectOverdue(request("r-1", "u-2", 3))))
                .isEqualTo("OTHER_PAYLOAD");
        stands(7, 3, 0);
    }

    @Test
    void too_few_units_are_a_no_that_stays() {
        setOut(2);
        CreationAnswer no = new CreationAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK);
        assertThat(create(request("r-1", "u-1", 3))).isEqualTo(no);
        setOut(10);
        assertThat(create(request("r-1", "u-1", 3))).isEqualTo(no);
        assertThat(status(id("r-1"))).isEqualTo("NONE");
        stands(10, 0, 0);
        made("r-2", "u-1", 3);
        stands(7, 3, 0);
    }

    @Test
    void a_buyer_has_one_live_order_of_an_item_and_a_second_leaves_the_stock_as_it_was() {
        setOut(10);
        made("r-1", "u-1", 1);
        assertThat(create(request("r-2", "u-1", 1))).isEqualTo(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER));
        assertThat(create(request("r-2", "u-1", 1))).isEqualTo(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER));
        stands(9, 1, 0);
        made("r-3", "u-2", 1);
        stands(8, 2, 0);
    }

    @Test
    void an_order_that_is_over_makes_room_for_the_buyers_next() {
        setOut(10);
        cancelled("r-1", "u-1", 1);
        String second = paid("r-2", "u-1", 1);
        assertThat(create(request("r-3", "u-1", 1))).isEqualTo(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER));
        assertThat(decided(books().recordRefund(second, refund("f-1", 1, 3000, true), pay("p-r-2"), "back-1")))
                .isEqualTo("back-1");
        made("r-4", "u-1", 1);
        stands(9, 1, 0);
    }

    @Test
    void a_sale_without_final_stock_decides_nothing_until_it_is_set_out() {
        assertThat(books().create(request("r-1", "u-1", 1), PAY_WITHIN)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Outcome.Unavailable.class);
        setOut(1);
        made("r-1", "u-1", 1);
        stands(0, 1, 0);
    }

    @Test
    void the_deadline_decides_when_it_comes_first_and_the_request_is_told() {
        setOut(10);
        CreationAnswer overdue = new CreationAnswer.Turned(RejectReason.BUSINESS_DEADLINE_EXCEEDED);
        assertThat(decided(books().rejectOverdue(request("r-1", "u-1", 1)))).isEqualTo(overdue);
        assertThat(create(request("r-1", "u-1", 1))).isEqualTo(overdue);
        assertThat(decided(books().rejectOverdue(request("r-1", "u-1", 1)))).isEqualTo(overdue);
        stands(10, 0, 0);
    }

    @Test
    void the_request_decides_when_it_comes_first_and_the_deadline_is_told() {
        setOut(1);
        CreationAnswer made = create(request("r-1", "u-1", 1));
        assertThat(made).isInstanceOf(CreationAnswer.Made.class);
        assertThat(decided(books().rejectOverdue(request("r-1", "u-1", 1)))).isEqualTo(made);
        CreationAnswer no = create(request("r-2", "u-2", 1));
        assertThat(decided(books().rejectOverdue(request("r-2", "u-2", 1)))).isEqualTo(no);
        stands(0, 1, 0);
    }

    // ---- payment

    @Test
    void a_payment_pays_an_open_order_once() {
        setOut(10);
        String order = made("r-1", "u-1", 3);
        for (int i = 0; i < 3; i++) {
            assertThat(decided(books().recordPayment(order, pay("p-1")))).isEqualTo(new PaymentAnswer.Settles());
        }
        assertThat(status(order)).isEqualTo("PAID");
        assertThat(payment(pay("p-1").paymentId())).isEqualTo("SETTLED");
        stands(7, 0, 3);
    }

    @Test
    void a_payment_pays_an_order_that_is_being_cancelled() {
        setOut(10);
        String order = made("r-1", "u-1", 3);
        assertThat(decided(books().markCancelPending(order))).isEmpty();
        assertThat(decided(books().recordPayment(order, pay("p-1")))).isEqualTo(new PaymentAnswer.Settles());
        assertThat(decided(books().cancel(order)))
                .isEqualTo(new CancelAnswer.FoundPaid(pay("p-1").paymentId()));
        stands(7, 0, 3);
    }

    @Test
    void a_payment_that_pays_nothing_says_why_and_goes_back_once() {
        setOut(5);
        String cancelled = cancelled("r-1", "u-1", 1);
        assertThat(create(request("r-2", "u-2", 6))).isInstanceOf(CreationAnswer.Turned.class);
        String paid = paid("r-3", "u-3", 1);
        surplus(cancelled, "p-1", SurplusReason.ORDER_CANCELLED);
        surplus(id("r-2"), "p-2", SurplusReason.ORDER_REJECTED);
        surplus(paid, "p-3", SurplusReason.PAID_BEFORE);
        surplus(id("r-9"), "p-4", SurplusReason.NO_ORDER);
        assertThat(contradiction(books().recordReturn(paid, pay("p-r-3"), "back")))
                .isEqualTo("PAYMENT_SETTLED");
        assertThat(contradiction(books().recordReturn(paid, pay("p-9"), "back")))
                .isEqualTo("PAYMENT_MISSING");
        stands(4, 0, 1);
    }

    private void surplus(String order, String number, SurplusReason reason) {
        Payment payment = pay(number);
        PaymentAnswer answer = new PaymentAnswer.IsSurplus(reason);
        assertThat(decided(books().recordPayment(order, payment))).isEqualTo(answer);
        assertThat(payment(payment.paymentId())).isEqualTo("SURPLUS");
        assertThat(decided(books().recordReturn(order, payment, "back-1"))).isEqualTo("back-1");
        assertThat(decided(books().recordReturn(order, payment, "back-2"))).isEqualTo("back-1");
        assertThat(payment(payment.paymentId())).isEqualTo("RETURNED");
        assertThat(decided(books().recordPayment(order, payment))).isEqualTo(answer);
    }

    @Test
    void a_payment_that_came_before_its_order_stays_what_it_was() {
        setOut(5);
        surplus(id("r-1"), "p-1", SurplusReason.NO_ORDER);
        String order = made("r-1", "u-1", 1);
        assertThat(decided(books().recordPayment(order, pay("p-1"))))
                .isEqualTo(new PaymentAnswer.IsSurplus(SurplusReason.NO_ORDER));
        assertThat(decided(books().recordPayment(order, pay("p-2")))).isEqualTo(new PaymentAnswer.Settles());
        stands(4, 0, 1);
    }

    @Test
    void a_payment_id_or_transaction_is_of_one_payment() {
        setOut(10);
        String order = paid("r-1", "u-1", 1);
        String other = made("r-2", "u-2", 1);
        Payment known = pay("p-r-1");
        assertThat(contradiction(books().recordPayment(other, known))).isEqualTo("PAYMENT_ID_REUSED");
        assertThat(contradiction(books().recordPayment(
                                order,
                                new Payment(
                                        known.paymentId(),
                                        known.provider(),
                                        known.transaction(),
                                        new Money(1, "EUR"),
                                        RESERVED_AT))))
                .isEqualTo("PAYMENT_ID_REUSED");
        assertThat(contradiction(books().recordPayment(
                                other,
                                new Payment(
                                        "another-" + sale,
                                        known.provider(),
                                        known.transaction(),
                                        known.amount(),
                                        RESERVED_AT))))
                .isEqualTo("TRANSACTION_TAKEN");
        assertThat(status(other)).isEqualTo("CREATED");
        stands(8, 1, 1);
    }

    // ---- cancellation

    @Test
    void a_cancelled_order_gives_its_units_back_once() {
        setOut(10);
        String order = made("r-1", "u-1", 3);
        assertThat(decided(books().markCancelPending(order))).isEmpty();
        assertThat(decided(books().markCancelPending(order))).isEmpty();
        assertThat(status(order)).isEqualTo("CANCEL_PENDING");
        stands(7, 3, 0);
        CancelAnswer done = decided(books().cancel(order));
        assertThat(done).isInstanceOf(CancelAnswer.Done.class);
        assertThat(decided(books().cancel(order))).isEqualTo(done);
        assertThat(decided(books().markCancelPending(order))).isEmpty();
        assertThat(status(order)).isEqualTo("CANCELLED");
        stands(10, 0, 0);
    }

    @Test
    void a_paid_order_is_not_cancelled() {
        setOut(10);
        String order = paid("r-1", "u-1", 3);
        String payment = pay("p-r-1").paymentId();
        assertThat(decided(books().markCancelPending(order))).isEqualTo(Optional.of(payment));
        assertThat(decided(books().cancel(order))).isEqualTo(new CancelAnswer.FoundPaid(payment));
        stands(7, 0, 3);
    }

    @Test
    void an_order_is_marked_before_it_is_cancelled() {
        setOut(10);
        String order = made("r-1", "u-1", 3);
        assertThat(contradiction(books().cancel(order))).isEqualTo("NOT_MARKED");
        assertThat(contradiction(books().cancel("nobody-" + sale))).isEqualTo("ORDER_MISSING");
        assertThat(contradiction(books().markCancelPending("nobody-" + sale))).isEqualTo("ORDER_MISSING");
        stands(7, 3, 0);
    }

    // ---- refund

    @Test
    void a_refund_gives_units_and_money_back_once() {
        setOut(10);
        String order = paid("r-1", "u-1", 3);
        OrderRefund one = refund("f-1", 1, 1000, true);
        assertThat(decided(books().recordRefund(order, one, pay("p-r-1"), "back-1")))
                .isEqualTo("back-1");
        assertThat(decided(books().recordRefund(order, one, pay("p-r-1"), "back-2")))
                .isEqualTo("back-1");
        assertThat(status(order)).isEqualTo("PAID");
        stands(8, 0, 2);
        OrderRefund rest = refund("f-2", 2, 2000, true);
        assertThat(decided(books().recordRefund(order, rest, pay("p-r-1"), "back-3")))
                .isEqualTo("back-3");
        assertThat(decided(books().recordRefund(order, rest, pay("p-r-1"), "back-3")))
                .isEqualTo("back-3");
        assertThat(status(order)).isEqualTo("REFUNDED");
        stands(10, 0, 0);
    }

    @Test
    void units_that_are_not_restocked_stay_sold() {
        setOut(10);
        String order = paid("r-1", "u-1", 3);
        assertThat(decided(books().recordRefund(order, refund("f-1", 3, 3000, false), pay("p-r-1"), "back-1")))
                .isEqualTo("back-1");
        assertThat(status(order)).isEqualTo("REFUNDED");
        stands(7, 0, 3);
    }

    @Test
    void a_refund_that_does_not_fit_is_a_contradiction() {
        setOut(10);
        String order = paid("r-1", "u-1", 3);
        String open = made("r-2", "u-2", 1);
        Payment payment = pay("p-r-1");
        assertThat(decided(books().recordRefund(order, refund("f-1", 1, 1000, true), payment, "back-1")))
                .isEqualTo("back-1");
        assertThat(contradiction(books().recordRefund(order, refund("f-1", 2, 1000, true), payment, "b")))
                .isEqualTo("REFUND_ID_REUSED");
        assertThat(contradiction(books().recordRefund(order, refund("f-2", 3, 1000, true), payment, "b")))
                .isEqualTo("REFUND_EXCEEDS");
        assertThat(contradiction(books().recordRefund(order, refund("f-2", 1, 2001, true), payment, "b")))
                .isEqualTo("REFUND_EXCEEDS");
        assertThat(contradiction(books().recordRefund(
                                order, new OrderRefund("f-2", 1, new Money(1, "USD"), true), payment, "b")))
                .isEqualTo("REFUND_EXCEEDS");
        assertThat(contradiction(books().recordRefund(open, refund("f-2", 1, 1, true), payment, "b")))
                .isEqualTo("NOT_PAID");
        assertThat(contradiction(books().recordRefund("nobody", refund("f-2", 1, 1, true), payment, "b")))
                .isEqualTo("ORDER_MISSING");
        stands(7, 1, 2);
    }

    // ---- final stock

    @Test
    void a_total_is_set_raised_and_lowered_once_per_operation() {
        assertThat(known(stock().find(sale, SKU))).isEmpty();
        TotalAnswer first = known(stock().setTotal(sale, SKU, "set-1", 5));
        assertThat(first).isEqualTo(new TotalAnswer.Done(new Numbers(5, 5, 0, 0, 1)));
        made("r-1", "u-1", 2);
        assertThat(known(stock().setTotal(sale, SKU, "set-2", 8)))
                .isEqualTo(new TotalAnswer.Done(new Numbers(8, 6, 2, 0, 3)));
        assertThat(known(stock().setTotal(sale, SKU, "set-1", 5))).isEqualTo(first);
        assertThat(known(stock().setTotal(sale, SKU, "set-1", 6)))
                .isEqualTo(new TotalAnswer.OtherTotal(new Numbers(5, 5, 0, 0, 1)));
        assertThat(known(stock().setTotal(sale, SKU, "set-3", 1)))
                .isEqualTo(new TotalAnswer.TooLow(new Numbers(8, 6, 2, 0, 3)));
        assertThat(known(stock().setTotal(sale, SKU, "set-3", 2)))
                .isEqualTo(new TotalAnswer.Done(new Numbers(2, 0, 2, 0, 4)));
        stands(0, 2, 0);
    }

    // ---- crowds

    /** All at once; what each was told, in the order given. */
    private static <T> List<T> atOnce(List<Supplier<T>> tasks) {
        CountDownLatch ready = new CountDownLatch(tasks.size());
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> told = new ArrayList<>();
            for (Supplier<T> task : tasks) {
                told.add(crowd.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return task.get();
                }));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> each : told) {
                all.add(each.get());
            }
            return all;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void one_message_that_comes_many_times_at_once_makes_one_order() {
        setOut(10);
        List<Supplier<CreationAnswer>> same = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            same.add(() -> create(request("r-1", "u-1", 2)));
        }
        List<CreationAnswer> told = atOnce(same);
        assertThat(told).doesNotContainNull();
        assertThat(told.stream().distinct()).hasSize(1);
        assertThat(told.getFirst()).isInstanceOf(CreationAnswer.Made.class);
        stands(8, 2, 0);
    }

    @Test
    void many_requests_of_one_buyer_at_once_make_one_order() {
        setOut(100);
        List<Supplier<CreationAnswer>> requests = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            String reservation = "r-" + i;
            requests.add(() -> create(request(reservation, "u-1", 1)));
        }
        List<CreationAnswer> told = atOnce(requests);
        assertThat(told.stream().filter(CreationAnswer.Made.class::isInstance)).hasSize(1);
        assertThat(told.stream().filter(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER)::equals))
                .hasSize(CROWD - 1);
        stands(99, 1, 0);
    }

    @Test
    void more_buyers_at_once_than_units_sell_exactly_the_units() {
        setOut(7);
        List<Supplier<CreationAnswer>> requests = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            int number = i;
            requests.add(() -> create(request("r-" + number, "u-" + number, 1)));
        }
        List<CreationAnswer> told = atOnce(requests);
        assertThat(told.stream().filter(CreationAnswer.Made.class::isInstance)).hasSize(7);
        assertThat(told.stream().filter(new CreationAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK)::equals))
                .hasSize(CROWD - 7);
        assertThat(IntStream.range(0, CROWD).filter(i -> !status(id("r-" + i)).equals("NONE")))
                .as("whoever was turned away left no order behind")
                .hasSize(7);
        stands(0, 7, 0);
    }

    @Test
    void request_and_deadline_at_once_are_told_the_same() {
        setOut(CROWD);
        int made = 0;
        for (int i = 0; i < CROWD; i++) {
            OrderCreateRequested request = request("r-" + i, "u-" + i, 1);
            List<CreationAnswer> told =
                    atOnce(List.of(() -> create(request), () -> decided(books().rejectOverdue(request))));
            assertThat(told.getFirst()).isEqualTo(told.getLast());
            made += told.getFirst() instanceof CreationAnswer.Made ? 1 : 0;
        }
        stands(CROWD - made, made, 0);
    }

    @Test
    void payment_and_cancellation_at_once_leave_one_winner() {
        setOut(CROWD);
        int paid = 0;
        for (int i = 0; i < CROWD; i++) {
            String order = made("r-" + i, "u-" + i, 1);
            Payment payment = pay("p-" + i);
            assertThat(decided(books().markCancelPending(order))).isEmpty();
            List<Object> told = atOnce(List.of(
                    () -> decided(books().recordPayment(order, payment)), () -> decided(books().cancel(order))));
            boolean settled = told.getFirst().equals(new PaymentAnswer.Settles());
            assertThat(told)
                    .isEqualTo(
                            settled
                                    ? List.of(
                                            new PaymentAnswer.Settles(),
                                            new CancelAnswer.FoundPaid(payment.paymentId()))
                                    : List.of(
                                            new PaymentAnswer.IsSurplus(SurplusReason.ORDER_CANCELLED),
                                            decided(books().cancel(order))));
            assertThat(status(order)).isEqualTo(settled ? "PAID" : "CANCELLED");
            paid += settled ? 1 : 0;
        }
        stands(CROWD - paid, 0, paid);
    }

    @Test
    void two_payments_at_once_leave_one_to_go_back() {
        setOut(10);
        String order = made("r-1", "u-1", 2);
        List<PaymentAnswer> told = atOnce(List.of(
                () -> decided(books().recordPayment(order, pay("p-1"))),
                () -> decided(books().recordPayment(order, pay("p-2"))),
                () -> decided(books().recordPayment(order, pay("p-1"))),
                () -> decided(books().recordPayment(order, pay("p-2")))));
        assertThat(told)
                .containsExactlyInAnyOrder(
                        new PaymentAnswer.Settles(),
                        new PaymentAnswer.Settles(),
                        new PaymentAnswer.IsSurplus(SurplusReason.PAID_BEFORE),
                        new PaymentAnswer.IsSurplus(SurplusReason.PAID_BEFORE));
        stands(8, 0, 2);
    }

    @Test
    void a_cancelled_order_and_the_buyers_next_at_once_never_wait_for_each_other_for_good() {
        setOut(4);
        String order = made("r-0", "u-1", 1);
        for (int i = 1; i <= CROWD; i++) {
            String current = order;
            OrderCreateRequested next = request("r-" + i, "u-1", 1);
            assertThat(decided(books().markCancelPending(current))).isEmpty();
            List<Object> told = atOnce(List.of(() -> decided(books().cancel(current)), () -> create(next)));
            assertThat(told.getFirst()).isInstanceOf(CancelAnswer.Done.class);
            order = told.getLast() instanceof CreationAnswer.Made ? id("r-" + i) : made("r-" + i + "-again", "u-1", 1);
        }
        stands(3, 1, 0);
    }

    @Test
    void a_cancelled_order_that_comes_back_and_the_buyers_next_at_once_leave_one_live_order() {
        setOut(100);
        int back = 0;
        for (int i = 0; i < CROWD; i++) {
            String user = "u-" + i;
            String order = cancelled("r-" + i, user, 1);
            late(order, "p-" + i);
            String payment = "p-" + i;
            OrderCreateRequested next = request("r-" + i + "-next", user, 1);
            List<Object> told = atOnce(List.of(
                    () -> untilDecided(() -> books().reacquire(order, pay(payment), "again")), () -> create(next)));
            boolean taken = told.getFirst().equals(new ReacquireAnswer.Taken());
            assertThat(told.getLast() instanceof CreationAnswer.Made).isEqualTo(!taken);
            back += taken ? 1 : 0;
        }
        stands(100 - CROWD, CROWD - back, back);
    }

    /** A new order that comes in between is no answer: it is asked again. */
    private static <T> T untilDecided(Supplier<CompletionStage<Outcome<BookAnswer<T>>>> asked) {
        for (int i = 0; i < CROWD; i++) {
            CompletionStage<Outcome<BookAnswer<T>>> answer = asked.get();
            if (answer.toCompletableFuture().join() instanceof Outcome.Known<BookAnswer<T>>) {
                return decided(answer);
            }
        }
        throw new AssertionError("never decided");
    }
}
