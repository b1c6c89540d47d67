package io.holdfast.order.domain;

import static io.holdfast.engine.machine.Verdict.done;
import static io.holdfast.engine.machine.Verdict.pending;
import static io.holdfast.engine.machine.Verdict.refused;
import static io.holdfast.order.domain.A.ALL;
import static io.holdfast.order.domain.A.ANOTHER;
import static io.holdfast.order.domain.A.ASKED;
import static io.holdfast.order.domain.A.BEGUN;
import static io.holdfast.order.domain.A.BOUGHT;
import static io.holdfast.order.domain.A.CALLED_OFF;
import static io.holdfast.order.domain.A.CANCEL;
import static io.holdfast.order.domain.A.CANCELLED;
import static io.holdfast.order.domain.A.CANCELLING;
import static io.holdfast.order.domain.A.CLOSED;
import static io.holdfast.order.domain.A.CREATED;
import static io.holdfast.order.domain.A.DEADLINE;
import static io.holdfast.order.domain.A.ID;
import static io.holdfast.order.domain.A.MADE;
import static io.holdfast.order.domain.A.MARKED;
import static io.holdfast.order.domain.A.NOW;
import static io.holdfast.order.domain.A.ONE;
import static io.holdfast.order.domain.A.OTHER_REQUEST;
import static io.holdfast.order.domain.A.OVERDUE;
import static io.holdfast.order.domain.A.PAID;
import static io.holdfast.order.domain.A.PAYING;
import static io.holdfast.order.domain.A.PAYMENT;
import static io.holdfast.order.domain.A.PAY_BY;
import static io.holdfast.order.domain.A.POLICIES;
import static io.holdfast.order.domain.A.RECEIVED;
import static io.holdfast.order.domain.A.REFUND;
import static io.holdfast.order.domain.A.REFUNDING;
import static io.holdfast.order.domain.A.REJECTED;
import static io.holdfast.order.domain.A.REQUEST;
import static io.holdfast.order.domain.A.REQUESTED;
import static io.holdfast.order.domain.A.RETURNED;
import static io.holdfast.order.domain.A.SECOND;
import static io.holdfast.order.domain.A.TURNED;
import static io.holdfast.order.domain.A.paid;
import static io.holdfast.order.domain.A.refund;
import static io.holdfast.order.domain.A.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.order.domain.Order.Intent;
import io.holdfast.order.domain.Order.None;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CancelAnswered;
import io.holdfast.order.domain.OrderCommand.CloseAnswered;
import io.holdfast.order.domain.OrderCommand.Contradicted;
import io.holdfast.order.domain.OrderCommand.ContradictionFound;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswered;
import io.holdfast.order.domain.OrderCommand.Freeze;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderCommand.HoldAnswered;
import io.holdfast.order.domain.OrderCommand.Lift;
import io.holdfast.order.domain.OrderCommand.MarkAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentReturned;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswer;
import io.holdfast.order.domain.OrderCommand.ReacquireAnswered;
import io.holdfast.order.domain.OrderCommand.RefundAnswered;
import io.holdfast.order.domain.OrderCommand.WakeUp;
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
import io.holdfast.order.domain.OrderEvent.CancelNoted;
import io.holdfast.order.domain.OrderEvent.CancelStarted;
import io.holdfast.order.domain.OrderEvent.ContradictionNoticed;
import io.holdfast.order.domain.OrderEvent.DeadlineReached;
import io.holdfast.order.domain.OrderEvent.FactNoted;
import io.holdfast.order.domain.OrderEvent.HoldTakenAgain;
import io.holdfast.order.domain.OrderEvent.OrderAwaited;
import io.holdfast.order.domain.OrderEvent.OrderNotFound;
import io.holdfast.order.domain.OrderEvent.OrderReacquired;
import io.holdfast.order.domain.OrderEvent.OrderRefunded;
import io.holdfast.order.domain.OrderEvent.OrderRejected;
import io.holdfast.order.domain.OrderEvent.PaymentBegun;
import io.holdfast.order.domain.OrderEvent.PaymentFoundSurplus;
import io.holdfast.order.domain.OrderEvent.PaymentGivenBack;
import io.holdfast.order.domain.OrderEvent.PaymentReceived;
import io.holdfast.order.domain.OrderEvent.ReacquireFailed;
import io.holdfast.order.domain.OrderEvent.ReacquireStarted;
import io.holdfast.order.domain.OrderEvent.RefundNoted;
import io.holdfast.order.domain.OrderEvent.RefundStarted;
import io.holdfast.order.domain.OrderEvent.ReviewLifted;
import io.holdfast.order.domain.OrderEvent.ReviewOpened;
import io.holdfast.order.domain.OrderFact.BeginPayment;
import io.holdfast.order.domain.OrderFact.Cancel;
import io.holdfast.order.domain.OrderFact.Create;
import io.holdfast.order.domain.OrderFact.Expire;
import io.holdfast.order.domain.OrderFact.RequestRefund;
import io.holdfast.testkit.table.MachineTable;
import io.holdfast.testkit.table.MatrixCoverage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderMachineTest {

    private static final OrderSamples SAMPLES = new OrderSamples();
    private static final MatrixCoverage<Order, OrderCommand> CELLS = MatrixCoverage.of(SAMPLES);
    private static final OrderMachine MACHINE = new OrderMachine(POLICIES);
    private static final MachineTable<Order, OrderCommand, OrderEvent, OrderEffect> TABLE =
            MachineTable.of(MACHINE, ID).recordingIn(CELLS);

    private static final Create CREATE = new Create(REQUEST);
    private static final Expire EXPIRE = new Expire(REQUEST);
    private static final Cancel CANCEL_IT = new Cancel(CancelReason.BUYER);
    private static final ReviewOpened FROZEN =
            new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));
    private static final OrderAwaited AWAITED = new OrderAwaited(PAY_BY);
    private static final OrderNotFound NOT_FOUND = new OrderNotFound();
    private static final PaymentFoundSurplus LATE = surplus(SurplusReason.ORDER_CANCELLED);
    private static final PaymentGivenBack GIVEN_BACK = new PaymentGivenBack("payment-1", "back-1");
    private static final OrderEvent[] NOTHING = {};

    /** Every state, by name, with a past that leads there. */
    private static final Map<String, OrderEvent[]> PASTS = pasts();

    private static Map<String, OrderEvent[]> pasts() {
        Map<String, OrderEvent[]> all = new LinkedHashMap<>();
        all.put("None", NOTHING);
        all.put("Requested", ASKED);
        all.put("Created", MADE);
        all.put("Paying", PAYING);
        all.put("CancelPending", CANCELLING);
        all.put("Cancelled", CALLED_OFF);
        all.put("Rejected", TURNED);
        all.put("Paid", BOUGHT);
        all.put("Refunding", REFUNDING);
        all.put("Refunded", RETURNED);
        return all;
    }

    @AfterAll
    static void every_command_was_given_in_every_state() {
        CELLS.everyCellWasChecked();
    }

    private static PaymentFoundSurplus surplus(SurplusReason reason) {
        return new PaymentFoundSurplus("payment-1", reason);
    }

    private static PaymentAnswered settles() {
        return new PaymentAnswered("payment-1", new PaymentAnswer.Settles());
    }

    private static PaymentAnswered isSurplus(SurplusReason reason) {
        return new PaymentAnswered("payment-1", new PaymentAnswer.IsSurplus(reason));
    }

    private static CreateOrder createOrder() {
        return new CreateOrder(REQUEST, POLICIES.payWithin(), POLICIES.transaction());
    }

    private static RejectOverdue rejectOverdue() {
        return new RejectOverdue(REQUEST, POLICIES.transaction());
    }

    private static RecordPayment recording(Payment payment) {
        return new RecordPayment(ID, payment, POLICIES.transaction());
    }

    private static ReturnPayment returning(Payment payment) {
        return new ReturnPayment(ID, payment, Optional.empty(), POLICIES.provider());
    }

    private static RefundOrder refunding(OrderRefund refund) {
        return new RefundOrder(ID, refund, PAYMENT, Optional.empty(), POLICIES.provider());
    }

    private static ReviewOpened otherContent(String reason, String id) {
        return new ReviewOpened(new Review(Review.Trigger.OTHER_CONTENT, reason, Map.of("id", id)));
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Asked_for {

        @Test
        void the_first_request_is_recorded_before_the_database_is_asked() {
            TABLE.given().when(CREATE, NOW).then(REQUESTED).owes(createOrder()).verdict(pending());
        }

        @Test
        void a_request_that_comes_after_the_deadline_is_asked_for_all_the_same_while_nothing_is_decided() {
            TABLE.given().when(CREATE, PAY_BY).then(REQUESTED).owes(createOrder());
        }

        @Test
        void a_request_of_another_order_is_refused() {
            assertThat(MACHINE.decide(MACHINE.initial("another"), CREATE, NOW))
                    .isEqualTo(Decision.refuse(OrderRefusal.OTHER_CONTENT));
            assertThat(MACHINE.decide(MACHINE.initial("another"), EXPIRE, PAY_BY))
                    .isEqualTo(Decision.refuse(OrderRefusal.OTHER_CONTENT));
        }

        @Test
        void the_same_request_again_changes_nothing_and_is_told_what_became_of_it() {
            Map<String, Verdict> told = Map.of(
                    "Requested", pending(),
                    "Created", done(),
                    "Paying", done(),
                    "CancelPending", done(),
                    "Cancelled", done(),
                    "Rejected", refused(OrderRefusal.OUT_OF_FINAL_STOCK),
                    "Paid", done(),
                    "Refunding", done(),
                    "Refunded", done());
            told.forEach((state, verdict) ->
                    TABLE.given(PASTS.get(state)).when(CREATE, NOW).thenRepeat().verdict(verdict));
        }

        @Test
        void a_request_of_other_content_sets_the_mark_and_moves_nothing() {
            String why = "the order was asked for with other content";
            for (String state : List.of("Requested", "Created", "Paying", "CancelPending", "Paid", "Refunding")) {
                TABLE.given(PASTS.get(state))
                        .when(new Create(OTHER_REQUEST), NOW)
                        .then(otherContent(why, REQUEST.messageId()))
                        .owesNothing()
                        .verdict(refused(OrderRefusal.OTHER_CONTENT));
            }
            for (String state : List.of("Cancelled", "Rejected", "Refunded")) {
                TABLE.given(PASTS.get(state))
                        .when(new Create(OTHER_REQUEST), NOW)
                        .then(new ContradictionNoticed(REQUEST.messageId()))
                        .owesNothing();
            }
        }

        @Test
        void a_creation_that_waits_takes_a_cancellation_and_payments_along() {
            TABLE.given(ASKED)
                    .when(CANCEL_IT, NOW)
                    .then(new CancelNoted(CancelReason.BUYER))
                    .owes(createOrder())
                    .verdict(pending());
            TABLE.given(then(ASKED, new CancelNoted(CancelReason.BUYER)))
                    .when(CANCEL_IT, NOW)
                    .thenRepeat();
            TABLE.given(ASKED)
                    .when(paid(PAYMENT), NOW)
                    .then(RECEIVED)
                    .owes(createOrder())
                    .verdict(done());
            TABLE.given(then(ASKED, new CancelNoted(CancelReason.BUYER)))
                    .when(new CreationAnswered(new CreationAnswer.Made(NOW, PAY_BY)), NOW)
                    .then(CREATED, CANCEL)
                    .owes(new MarkCancelPending(ID, POLICIES.transaction()));
            TABLE.given(then(ASKED, RECEIVED, new CancelNoted(CancelReason.BUYER)))
                    .when(new CreationAnswered(new CreationAnswer.Made(NOW, PAY_BY)), NOW)
                    .then(CREATED)
                    .owes(recording(PAYMENT));
            TABLE.given(then(ASKED, new CancelNoted(CancelReason.BUYER)))
                    .when(new CreationAnswered(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER)), NOW)
                    .then(new OrderRejected(RejectReason.DUPLICATE_BUYER))
                    .owesNothing();
            TABLE.given(then(ASKED, RECEIVED))
                    .when(new CreationAnswered(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER)), NOW)
                    .then(new OrderRejected(RejectReason.DUPLICATE_BUYER))
                    .owes(recording(PAYMENT));
        }

        @Test
        void what_the_database_decides_is_recorded() {
            TABLE.given(ASKED)
                    .when(new CreationAnswered(new CreationAnswer.Made(NOW, PAY_BY)), NOW)
                    .then(CREATED)
                    .thenState(new Order.Created(
                            new Order.Placed(REQUEST, NOW, PAY_BY), Optional.empty(), PaymentBook.empty()))
                    .owes()
                    .wakesAt(PAY_BY);
            TABLE.given(ASKED)
                    .when(new CreationAnswered(new CreationAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK)), NOW)
                    .then(REJECTED)
                    .thenState(new Order.Rejected(REQUEST, RejectReason.OUT_OF_FINAL_STOCK, PaymentBook.empty()))
                    .owesNothing();
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Deadline {

        @Test
        void before_it_nothing_expires() {
            TABLE.given().when(EXPIRE, DEADLINE.minusMillis(1)).thenRefused(OrderRefusal.DEADLINE_NOT_REACHED);
            TABLE.given(ASKED).when(EXPIRE, DEADLINE.minusMillis(1)).thenRefused(OrderRefusal.DEADLINE_NOT_REACHED);
        }

        @Test
        void an_order_that_was_never_asked_for_is_decided_against_by_the_database() {
            TABLE.given()
                    .when(EXPIRE, DEADLINE)
                    .then(OVERDUE)
                    .owes(rejectOverdue())
                    .verdict(pending());
        }

        @Test
        void an_order_that_is_not_decided_is_decided_against_unless_the_database_knows_better() {
            TABLE.given(ASKED)
                    .when(EXPIRE, DEADLINE)
                    .then(new DeadlineReached())
                    .owes(rejectOverdue());
            TABLE.given(then(ASKED, new DeadlineReached()))
                    .when(EXPIRE, DEADLINE)
                    .thenRepeat()
                    .verdict(pending());
            TABLE.given(then(ASKED, new DeadlineReached()))
                    .when(new CreationAnswered(new CreationAnswer.Made(NOW, PAY_BY)), DEADLINE)
                    .then(CREATED);
            TABLE.given(OVERDUE)
                    .when(
                            new CreationAnswered(new CreationAnswer.Turned(RejectReason.BUSINESS_DEADLINE_EXCEEDED)),
                            DEADLINE)
                    .then(new OrderRejected(RejectReason.BUSINESS_DEADLINE_EXCEEDED))
                    .owesNothing();
        }

        @Test
        void a_late_request_is_told_that_it_is_late_and_changes_nothing() {
            OrderEvent[] overdue = {OVERDUE, new OrderRejected(RejectReason.BUSINESS_DEADLINE_EXCEEDED)};
            TABLE.given(OVERDUE).when(CREATE, PAY_BY).thenRepeat().verdict(pending());
            TABLE.given(overdue).when(CREATE, PAY_BY).thenRepeat().verdict(refused(OrderRefusal.LATE_REJECTED));
            TABLE.given(overdue).when(EXPIRE, PAY_BY).thenRepeat().verdict(done());
        }

        @Test
        void an_order_that_exists_does_not_expire() {
            for (String state :
                    List.of("Created", "Paying", "CancelPending", "Cancelled", "Paid", "Refunding", "Refunded")) {
                TABLE.given(PASTS.get(state))
                        .when(EXPIRE, PAY_BY)
                        .thenRefused(OrderRefusal.ALREADY_CREATED)
                        .verdict(refused(OrderRefusal.ALREADY_CREATED));
            }
            TABLE.given(TURNED).when(EXPIRE, PAY_BY).thenRepeat().verdict(done());
        }

        @Test
        void other_content_expires_nothing() {
            TABLE.given(ASKED)
                    .when(new Expire(OTHER_REQUEST), DEADLINE)
                    .thenRefused(OrderRefusal.OTHER_CONTENT)
                    .verdict(refused(OrderRefusal.OTHER_CONTENT));
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Payments {

        @Test
        void a_payment_for_an_order_nobody_knows_waits_for_it() {
            TABLE.given()
                    .when(paid(PAYMENT), NOW)
                    .then(RECEIVED, AWAITED)
                    .owes()
                    .wakesAt(PAY_BY)
                    .verdict(done());
            TABLE.given(RECEIVED, AWAITED).when(new WakeUp(), NOW).thenRepeat();
            TABLE.given(RECEIVED, AWAITED).when(CREATE, NOW).then(REQUESTED).owes(createOrder());
        }

        @Test
        void one_that_waited_in_vain_is_put_on_record_and_goes_back() {
            TABLE.given(RECEIVED, AWAITED)
                    .when(new WakeUp(), PAY_BY)
                    .then(NOT_FOUND)
                    .owes(recording(PAYMENT));
            TABLE.given(RECEIVED, AWAITED, NOT_FOUND).when(new WakeUp(), PAY_BY).thenRepeat();
            TABLE.given(RECEIVED, AWAITED, NOT_FOUND)
                    .when(isSurplus(SurplusReason.NO_ORDER), PAY_BY)
                    .then(surplus(SurplusReason.NO_ORDER))
                    .owes(returning(PAYMENT));
            TABLE.given(RECEIVED, AWAITED, NOT_FOUND, surplus(SurplusReason.NO_ORDER))
                    .when(new PaymentReturned("payment-1", "back-1"), PAY_BY)
                    .then(GIVEN_BACK)
                    .owesNothing();
        }

        @Test
        void a_second_one_starts_the_wait_anew() {
            TABLE.given(RECEIVED, AWAITED, NOT_FOUND)
                    .when(paid(SECOND), NOW)
                    .then(new PaymentReceived(SECOND), AWAITED)
                    .owes()
                    .wakesAt(PAY_BY);
        }

        @Test
        void the_request_that_comes_after_all_decides_first_and_what_went_back_stays_so() {
            OrderEvent[] homeless = {RECEIVED, AWAITED, NOT_FOUND, surplus(SurplusReason.NO_ORDER)};
            TABLE.given(homeless).when(CREATE, PAY_BY).then(REQUESTED).owes(createOrder(), returning(PAYMENT));
            TABLE.given(then(homeless, REQUESTED)).when(settles(), PAY_BY).thenRepeat();
        }

        @Test
        void one_that_comes_before_the_order_is_decided_waits_for_that() {
            TABLE.given(then(ASKED, RECEIVED)).when(settles(), NOW).thenRepeat();
            TABLE.given(then(ASKED, RECEIVED))
                    .when(new CreationAnswered(new CreationAnswer.Made(NOW, PAY_BY)), NOW)
                    .then(CREATED)
                    .owes(recording(PAYMENT));
        }

        @Test
        void one_for_an_open_order_is_kept_and_then_decided_by_the_database() {
            for (OrderEvent[] open : List.of(MADE, PAYING, CANCELLING)) {
                TABLE.given(open)
                        .when(paid(PAYMENT), NOW)
                        .then(RECEIVED)
                        .owes(recording(PAYMENT))
                        .verdict(done());
                TABLE.given(then(open, RECEIVED))
                        .when(settles(), NOW)
                        .then(PAID)
                        .owesNothing();
                TABLE.given(then(open, RECEIVED)).when(paid(PAYMENT), NOW).thenRepeat();
            }
            TABLE.given(then(MADE, RECEIVED))
                    .when(settles(), NOW)
                    .then(PAID)
                    .thenState(new Order.Paid(
                            new Order.Placed(REQUEST, NOW, PAY_BY),
                            new Order.Purchase("payment-1", List.of()),
                            new PaymentBook(
                                    List.of(new PaymentBook.Entry(PAYMENT, new PaymentBook.Standing.Settled())))));
        }

        @Test
        void a_late_or_second_one_goes_back_once() {
            Map<String, SurplusReason> late = Map.of(
                    "Cancelled", SurplusReason.ORDER_CANCELLED,
                    "Rejected", SurplusReason.ORDER_REJECTED);
            late.forEach((state, reason) -> {
                OrderEvent[] past = PASTS.get(state);
                TABLE.given(past).when(paid(PAYMENT), PAY_BY).then(RECEIVED).owes(recording(PAYMENT));
                TABLE.given(then(past, RECEIVED))
                        .when(isSurplus(reason), PAY_BY)
                        .then(surplus(reason))
                        .owes(returning(PAYMENT));
                TABLE.given(then(past, RECEIVED, surplus(reason)))
                        .when(new PaymentReturned("payment-1", "back-1"), PAY_BY)
                        .then(GIVEN_BACK)
                        .owesNothing();
                TABLE.given(then(past, RECEIVED, surplus(reason), GIVEN_BACK))
                        .when(new PaymentReturned("payment-1", "back-1"), PAY_BY)
                        .thenRepeat();
                TABLE.given(then(past, RECEIVED, surplus(reason), GIVEN_BACK))
                        .when(paid(PAYMENT), PAY_BY)
                        .thenRepeat()
                        .verdict(done());
            });
            PaymentReceived second = new PaymentReceived(SECOND);
            PaymentFoundSurplus spare = new PaymentFoundSurplus("payment-2", SurplusReason.PAID_BEFORE);
            for (OrderEvent[] bought : List.of(BOUGHT, RETURNED)) {
                TABLE.given(bought).when(paid(SECOND), NOW).then(second).owes(recording(SECOND));
                TABLE.given(then(bought, second))
                        .when(
                                new PaymentAnswered(
                                        "payment-2", new PaymentAnswer.IsSurplus(SurplusReason.PAID_BEFORE)),
                                NOW)
                        .then(spare)
                        .owes(returning(SECOND));
                TABLE.given(then(bought, second, spare))
                        .when(new PaymentReturned("payment-2", "back-2"), NOW)
                        .then(new PaymentGivenBack("payment-2", "back-2"))
                        .owesNothing();
            }
            TABLE.given(REFUNDING).when(paid(SECOND), NOW).then(second).owes(refunding(ONE), recording(SECOND));
        }

        @Test
        void other_content_under_a_known_id_or_transaction_sets_the_mark() {
            String why = "a payment came under a known id or transaction with other content";
            Payment sameId = A.payment("payment-1", "transaction-9");
            Payment sameTransaction = A.payment("payment-9", "transaction-1");
            for (Payment other : List.of(sameId, sameTransaction)) {
                TABLE.given(BOUGHT)
                        .when(paid(other), NOW)
                        .then(otherContent(why, other.paymentId()))
                        .owesNothing()
                        .verdict(refused(OrderRefusal.OTHER_CONTENT));
                TABLE.given(then(CALLED_OFF, RECEIVED, LATE, GIVEN_BACK))
                        .when(paid(other), NOW)
                        .then(new ContradictionNoticed(other.paymentId()));
            }
        }

        @Test
        void an_answer_that_can_not_be_is_shown_to_a_person() {
            ReviewOpened impossible = new ReviewOpened(new Review(
                    Review.Trigger.CONTRADICTION,
                    "a payment settled an order that it can't settle",
                    Map.of("payment_id", "payment-1")));
            for (OrderEvent[] past : List.of(
                    then(CALLED_OFF, RECEIVED), then(TURNED, RECEIVED), new OrderEvent[] {RECEIVED, AWAITED, NOT_FOUND
                    })) {
                TABLE.given(past).when(settles(), NOW).then(impossible).owesNothing();
            }
        }

        @Test
        void an_order_takes_only_so_many() {
            List<OrderEvent> past = new ArrayList<>(List.of(MADE));
            for (int i = 0; i < PaymentBook.MOST; i++) {
                past.add(new PaymentReceived(A.payment("p-" + i, "t-" + i)));
            }
            TABLE.given(past).when(paid(PAYMENT), NOW).thenRefused(OrderRefusal.TOO_MANY_PAYMENTS);
            List<OrderEvent> begun = new ArrayList<>(List.of(MADE));
            for (int i = 0; i < OrderMachine.MOST; i++) {
                begun.add(new PaymentBegun("p-" + i));
            }
            TABLE.given(begun).when(new BeginPayment("payment-1"), NOW).thenRefused(OrderRefusal.TOO_MANY_PAYMENTS);
        }

        @Test
        void beginning_to_pay_shows_and_changes_nothing_else() {
            BeginPayment begin = new BeginPayment("payment-1");
            TABLE.given(MADE)
                    .when(begin, NOW)
                    .then(BEGUN)
                    .owes()
                    .wakesAt(PAY_BY)
                    .verdict(done());
            TABLE.given(PAYING).when(begin, NOW).thenRepeat().verdict(done());
            TABLE.given(PAYING)
                    .when(new BeginPayment("payment-2"), NOW)
                    .then(new PaymentBegun("payment-2"))
                    .wakesAt(PAY_BY);
            Map<String, OrderRefusal> no = Map.of(
                    "None", OrderRefusal.UNKNOWN_ORDER,
                    "Requested", OrderRefusal.NOT_CREATED_YET,
                    "CancelPending", OrderRefusal.CANCEL_IN_PROGRESS,
                    "Cancelled", OrderRefusal.WAS_CANCELLED,
                    "Rejected", OrderRefusal.WAS_REJECTED,
                    "Paid", OrderRefusal.ALREADY_PAID,
                    "Refunding", OrderRefusal.ALREADY_PAID,
                    "Refunded", OrderRefusal.ALREADY_PAID);
            no.forEach((state, reason) -> TABLE.given(PASTS.get(state))
                    .when(begin, NOW)
                    .thenRefused(reason)
                    .verdict(refused(reason)));
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Cancelling {

        @Test
        void an_open_order_is_marked_then_closed_at_the_provider_then_cancelled() {
            for (OrderEvent[] open : List.of(MADE, PAYING)) {
                TABLE.given(open)
                        .when(CANCEL_IT, NOW)
                        .then(CANCEL)
                        .owes(new MarkCancelPending(ID, POLICIES.transaction()))
                        .verdict(pending());
            }
            TABLE.given(CANCELLING)
                    .when(new MarkAnswered(Optional.empty()), NOW)
                    .then(MARKED)
                    .owes(new ClosePayment(ID, POLICIES.provider()));
            TABLE.given(then(CANCELLING, MARKED))
                    .when(new CloseAnswered(Optional.empty()), NOW)
                    .then(CLOSED)
                    .owes(new CancelOrder(ID, POLICIES.transaction()));
            TABLE.given(then(CANCELLING, MARKED, CLOSED))
                    .when(new CancelAnswered(new CancelAnswer.Done(PAY_BY)), NOW)
                    .then(CANCELLED)
                    .owesNothing();
            TABLE.given(CANCELLING).when(CANCEL_IT, NOW).thenRepeat().verdict(pending());
            TABLE.given(CALLED_OFF).when(CANCEL_IT, NOW).thenRepeat().verdict(done());
        }

        @Test
        void the_pay_time_begins_it_and_never_beats_a_payment() {
            TABLE.given(MADE).when(new WakeUp(), PAY_BY.minusMillis(1)).thenRepeat();
            for (OrderEvent[] open : List.of(MADE, PAYING)) {
                TABLE.given(open).when(new WakeUp(), PAY_BY).then(new CancelStarted(CancelReason.PAY_TIMEOUT));
                TABLE.given(then(open, RECEIVED)).when(new WakeUp(), PAY_BY).thenRepeat();
            }
        }

        @Test
        void one_that_meets_a_payment_waits_for_what_becomes_of_it() {
            CancelNoted noted = new CancelNoted(CancelReason.BUYER);
            for (OrderEvent[] open : List.of(MADE, PAYING)) {
                OrderEvent[] past = then(open, RECEIVED);
                TABLE.given(past)
                        .when(CANCEL_IT, NOW)
                        .then(noted)
                        .owes(recording(PAYMENT))
                        .verdict(pending());
                TABLE.given(then(past, noted)).when(CANCEL_IT, NOW).thenRepeat();
                TABLE.given(then(past, noted)).when(settles(), NOW).then(PAID).owesNothing();
                TABLE.given(then(past, noted))
                        .when(isSurplus(SurplusReason.NO_ORDER), NOW)
                        .then(surplus(SurplusReason.NO_ORDER), CANCEL)
                        .owes(new MarkCancelPending(ID, POLICIES.transaction()), returning(PAYMENT));
                TABLE.given(then(past, noted)).when(paid(SECOND), NOW).then(new PaymentReceived(SECOND));
                TABLE.given(then(past, noted, new PaymentReceived(SECOND)))
                        .when(isSurplus(SurplusReason.NO_ORDER), NOW)
                        .then(surplus(SurplusReason.NO_ORDER))
                        .owes(returning(PAYMENT), recording(SECOND));
            }
        }

        @Test
        void a_payment_that_comes_in_between_holds_it_up_at_every_step_and_wins_if_it_counts() {
            for (OrderEvent[] step : List.of(CANCELLING, then(CANCELLING, MARKED), then(CANCELLING, MARKED, CLOSED))) {
                TABLE.given(step).when(paid(PAYMENT), NOW).then(RECEIVED).owes(recording(PAYMENT));
                TABLE.given(then(step, RECEIVED))
                        .when(settles(), NOW)
                        .then(PAID)
                        .owesNothing();
            }
            OrderEvent[] last = then(CANCELLING, MARKED, CLOSED, RECEIVED);
            TABLE.given(last)
                    .when(isSurplus(SurplusReason.ORDER_CANCELLED), NOW)
                    .then(LATE)
                    .owes(new CancelOrder(ID, POLICIES.transaction()), returning(PAYMENT));
            TABLE.given(last)
                    .when(new CancelAnswered(new CancelAnswer.Done(PAY_BY)), NOW)
                    .then(CANCELLED)
                    .owes(recording(PAYMENT));
        }

        @Test
        void the_database_may_know_of_the_payment_first() {
            TABLE.given(then(CANCELLING, RECEIVED))
                    .when(new MarkAnswered(Optional.of("payment-1")), NOW)
                    .then(PAID);
            TABLE.given(then(CANCELLING, MARKED, CLOSED, RECEIVED))
                    .when(new CancelAnswered(new CancelAnswer.FoundPaid("payment-1")), NOW)
                    .then(PAID);
            ReviewOpened unknown = new ReviewOpened(new Review(
                    Review.Trigger.CONTRADICTION,
                    "the order is paid by a payment it does not know",
                    Map.of("payment_id", "payment-9")));
            TABLE.given(CANCELLING)
                    .when(new MarkAnswered(Optional.of("payment-9")), NOW)
                    .then(unknown);
            TABLE.given(then(CANCELLING, MARKED, CLOSED))
                    .when(new CancelAnswered(new CancelAnswer.FoundPaid("payment-9")), NOW)
                    .then(unknown)
                    .owesNothing();
        }

        @Test
        void the_provider_may_know_of_a_payment() {
            OrderEvent[] asked = then(CANCELLING, MARKED);
            CloseAnswered has = new CloseAnswered(Optional.of(PAYMENT));
            TABLE.given(asked).when(has, NOW).then(RECEIVED).owes(recording(PAYMENT));
            TABLE.given(then(asked, RECEIVED)).when(has, NOW).thenRepeat();
            TABLE.given(then(asked, RECEIVED, surplus(SurplusReason.NO_ORDER)))
                    .when(has, NOW)
                    .then(CLOSED)
                    .owes(new CancelOrder(ID, POLICIES.transaction()), returning(PAYMENT));
            TABLE.given(then(asked, RECEIVED, surplus(SurplusReason.NO_ORDER)))
                    .when(new CloseAnswered(Optional.of(A.payment("payment-1", "other"))), NOW)
                    .then(otherContent(
                            "a payment came under a known id or transaction with other content", "payment-1"));
        }

        @Test
        void what_is_not_open_is_not_cancelled() {
            Map<String, OrderRefusal> no = Map.of(
                    "None", OrderRefusal.UNKNOWN_ORDER,
                    "Rejected", OrderRefusal.WAS_REJECTED,
                    "Paid", OrderRefusal.ALREADY_PAID,
                    "Refunding", OrderRefusal.ALREADY_PAID,
                    "Refunded", OrderRefusal.ALREADY_PAID);
            no.forEach((state, reason) -> TABLE.given(PASTS.get(state))
                    .when(CANCEL_IT, NOW)
                    .thenRefused(reason)
                    .verdict(refused(reason)));
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Refunds {

        private final OrderRefunded oneDone = new OrderRefunded(ONE, "back-1");

        @Test
        void a_part_goes_back_and_the_rest_stays_paid() {
            TABLE.given(BOUGHT)
                    .when(new RequestRefund(ONE), NOW)
                    .then(REFUND)
                    .owes(refunding(ONE))
                    .verdict(pending());
            TABLE.given(REFUNDING)
                    .when(new RefundAnswered("refund-1", "back-1"), NOW)
                    .then(oneDone)
                    .thenState(new Order.Paid(
                            new Order.Placed(REQUEST, NOW, PAY_BY),
                            new Order.Purchase("payment-1", List.of(ONE)),
                            new PaymentBook(
                                    List.of(new PaymentBook.Entry(PAYMENT, new PaymentBook.Standing.Settled())))))
                    .owesNothing();
            TABLE.given(then(REFUNDING, oneDone))
                    .when(new RequestRefund(ONE), NOW)
                    .thenRepeat()
                    .verdict(done());
            TABLE.given(then(REFUNDING, oneDone))
                    .when(new RequestRefund(ANOTHER), NOW)
                    .then(new RefundStarted(ANOTHER))
                    .owes(refunding(ANOTHER));
        }

        @Test
        void all_of_it_ends_the_order() {
            TABLE.given(BOUGHT).when(new RequestRefund(ALL), NOW).then(new RefundStarted(ALL));
            TABLE.given(then(BOUGHT, new RefundStarted(ALL)))
                    .when(new RefundAnswered("refund-3", "back-3"), NOW)
                    .then(new OrderRefunded(ALL, "back-3"))
                    .owesNothing();
            TABLE.given(RETURNED).when(new RequestRefund(ALL), NOW).thenRepeat().verdict(done());
            TABLE.given(RETURNED)
                    .when(new RequestRefund(ONE), NOW)
                    .thenRefused(OrderRefusal.REFUND_EXCEEDS)
                    .verdict(refused(OrderRefusal.REFUND_EXCEEDS));
        }

        @Test
        void one_that_comes_during_another_waits_for_it_and_counts_at_once() {
            OrderRefund third = refund("refund-4", 1, 500);
            TABLE.given(REFUNDING)
                    .when(new RequestRefund(ANOTHER), NOW)
                    .then(new RefundNoted(ANOTHER))
                    .owes(refunding(ONE))
                    .verdict(pending());
            OrderEvent[] waiting = then(REFUNDING, new RefundNoted(ANOTHER), new RefundNoted(third));
            TABLE.given(waiting)
                    .when(new RequestRefund(ANOTHER), NOW)
                    .thenRepeat()
                    .verdict(pending());
            TABLE.given(waiting)
                    .when(new RequestRefund(refund("refund-5", 1, 1)), NOW)
                    .thenRefused(OrderRefusal.REFUND_EXCEEDS);
            TABLE.given(waiting)
                    .when(new RefundAnswered("refund-1", "back-1"), NOW)
                    .then(oneDone, new RefundStarted(ANOTHER), new RefundNoted(third))
                    .owes(refunding(ANOTHER));
        }

        @Test
        void one_that_does_not_fit_is_refused() {
            TABLE.given(BOUGHT)
                    .when(new RequestRefund(refund("r", 4, 1000)), NOW)
                    .thenRefused(OrderRefusal.REFUND_EXCEEDS);
            TABLE.given(BOUGHT)
                    .when(new RequestRefund(refund("r", 1, 3001)), NOW)
                    .thenRefused(OrderRefusal.REFUND_EXCEEDS);
            TABLE.given(then(REFUNDING, oneDone))
                    .when(new RequestRefund(refund("r", 1, 2001)), NOW)
                    .thenRefused(OrderRefusal.REFUND_EXCEEDS);
            TABLE.given(BOUGHT)
                    .when(new RequestRefund(new OrderRefund("r", 1, new Money(10, "USD"), true)), NOW)
                    .thenRefused(OrderRefusal.REFUND_CURRENCY);
            TABLE.given(REFUNDING)
                    .when(new RequestRefund(refund("refund-1", 2, 1000)), NOW)
                    .thenRefused(OrderRefusal.REFUND_ID_REUSED)
                    .verdict(refused(OrderRefusal.REFUND_ID_REUSED));
            Map<String, OrderRefusal> no = Map.of(
                    "None", OrderRefusal.UNKNOWN_ORDER,
                    "Requested", OrderRefusal.NOT_PAID,
                    "Created", OrderRefusal.NOT_PAID,
                    "Paying", OrderRefusal.NOT_PAID,
                    "CancelPending", OrderRefusal.NOT_PAID,
                    "Cancelled", OrderRefusal.WAS_CANCELLED,
                    "Rejected", OrderRefusal.WAS_REJECTED);
            no.forEach((state, reason) -> TABLE.given(PASTS.get(state))
                    .when(new RequestRefund(ONE), NOW)
                    .thenRefused(reason)
                    .verdict(refused(reason)));
        }

        @Test
        void an_order_takes_only_so_many() {
            Order state = MACHINE.initial(ID);
            for (OrderEvent event :
                    List.of(new OrderEvent.OrderRequested(A.request(500), Intent.CREATE), CREATED, RECEIVED, PAID)) {
                state = MACHINE.evolve(state, event);
            }
            for (int i = 0; i < OrderMachine.MOST; i++) {
                OrderRefund small = refund("r-" + i, 1, 1);
                state = MACHINE.evolve(state, new RefundStarted(small));
                state = MACHINE.evolve(state, new OrderRefunded(small, "back"));
            }
            assertThat(MACHINE.decide(state, new RequestRefund(ONE), NOW))
                    .isEqualTo(Decision.refuse(OrderRefusal.TOO_MANY_REFUNDS));
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Under_review {

        @Test
        void what_is_not_over_can_be_frozen_and_then_owes_nothing() {
            for (String state : List.of("Requested", "Created", "Paying", "CancelPending", "Paid", "Refunding")) {
                TABLE.given(PASTS.get(state))
                        .when(new Freeze("disputed"), NOW)
                        .then(FROZEN)
                        .owesNothing()
                        .verdict(done());
            }
            TABLE.given(then(CALLED_OFF, RECEIVED))
                    .when(new Freeze("disputed"), NOW)
                    .then(FROZEN)
                    .owesNothing();
            TABLE.given(RECEIVED, AWAITED).when(new Freeze("disputed"), NOW).then(FROZEN);
            TABLE.given().when(new Freeze("disputed"), NOW).thenRefused(OrderRefusal.UNKNOWN_ORDER);
            for (String state : List.of("Cancelled", "Rejected", "Refunded")) {
                TABLE.given(PASTS.get(state)).when(new Freeze("disputed"), NOW).thenRefused(OrderRefusal.ALREADY_ENDED);
            }
            TABLE.given(then(MADE, FROZEN)).when(new Freeze("again"), NOW).thenRepeat();
        }

        @Test
        void an_event_that_comes_twice_with_other_content_sets_it() {
            String why = "an event came under a known id with other content";
            PASTS.forEach((state, past) -> {
                boolean over = List.of("Cancelled", "Rejected", "Refunded").contains(state);
                TABLE.given(past)
                        .when(new Contradicted("m-1"), NOW)
                        .then(over ? new ContradictionNoticed("m-1") : otherContent(why, "m-1"))
                        .owesNothing();
            });
            OrderEvent[] marked = then(MADE, otherContent(why, "m-1"));
            TABLE.given(marked).when(new Contradicted("m-1"), NOW).thenRepeat();
            TABLE.given(marked).when(new Contradicted("m-2"), NOW).then(new ContradictionNoticed("m-2"));
        }

        @Test
        void what_the_stores_contradict_sets_it_while_it_is_owed() {
            ContradictionFound found = new ContradictionFound("CREATE:" + ID, "OTHER_PAYLOAD", Map.of("known", "00"));
            TABLE.given(ASKED)
                    .when(found, NOW)
                    .then(new ReviewOpened(new Review(
                            Review.Trigger.CONTRADICTION,
                            "CREATE:" + ID + " was answered OTHER_PAYLOAD",
                            Map.of("known", "00"))))
                    .owesNothing();
            PASTS.forEach((state, past) -> {
                if (!state.equals("Requested")) {
                    TABLE.given(past).when(found, NOW).thenRepeat();
                }
            });
            TABLE.given(then(ASKED, FROZEN)).when(found, NOW).thenRepeat();
        }

        @Test
        void payments_are_kept_beside_it_and_the_rest_waits() {
            OrderEvent[] marked = then(MADE, FROZEN);
            TABLE.given(marked)
                    .when(paid(PAYMENT), NOW)
                    .then(RECEIVED)
                    .owesNothing()
                    .verdict(done());
            TABLE.given(then(marked, RECEIVED)).when(paid(PAYMENT), NOW).thenRepeat();
            TABLE.given(then(marked, RECEIVED))
                    .when(paid(A.payment("payment-1", "other")), NOW)
                    .then(new ContradictionNoticed("payment-1"));
            TABLE.given(marked)
                    .when(CANCEL_IT, NOW)
                    .then(new FactNoted(CANCEL_IT))
                    .owesNothing()
                    .verdict(pending());
            TABLE.given(then(marked, new FactNoted(CANCEL_IT)))
                    .when(CANCEL_IT, NOW)
                    .thenRepeat();
            TABLE.given(then(BOUGHT, FROZEN))
                    .when(new RequestRefund(ONE), NOW)
                    .then(new FactNoted(new RequestRefund(ONE)))
                    .verdict(pending());
            TABLE.given(then(BOUGHT, FROZEN)).when(CANCEL_IT, NOW).thenRefused(OrderRefusal.ALREADY_PAID);
            TABLE.given(marked).when(new BeginPayment("payment-1"), NOW).thenRefused(OrderRefusal.UNDER_REVIEW);
            TABLE.given(then(PAYING, FROZEN))
                    .when(new BeginPayment("payment-1"), NOW)
                    .thenRepeat();
            TABLE.given(marked).when(CREATE, NOW).thenRepeat().verdict(done());
            TABLE.given(marked)
                    .when(new Create(OTHER_REQUEST), NOW)
                    .then(new ContradictionNoticed(REQUEST.messageId()));
            TABLE.given(marked).when(EXPIRE, PAY_BY).thenRefused(OrderRefusal.ALREADY_CREATED);
            TABLE.given(RECEIVED, AWAITED, FROZEN)
                    .when(CREATE, NOW)
                    .then(new FactNoted(CREATE))
                    .owesNothing()
                    .verdict(pending());
        }

        @Test
        void lifting_it_goes_on_with_what_is_owed_and_what_waited() {
            Lift goOn = new Lift(new Resolution.Continue(), "clear");
            ReviewLifted lifted = new ReviewLifted(new Resolution.Continue(), "clear");
            TABLE.given(then(ASKED, FROZEN)).when(goOn, NOW).then(lifted).owes(createOrder());
            TABLE.given(then(MADE, FROZEN, new FactNoted(CANCEL_IT)))
                    .when(goOn, NOW)
                    .then(lifted, CANCEL)
                    .owes(new MarkCancelPending(ID, POLICIES.transaction()));
            TABLE.given(then(MADE, FROZEN, new FactNoted(CANCEL_IT), RECEIVED))
                    .when(goOn, NOW)
                    .then(lifted, new CancelNoted(CancelReason.BUYER))
                    .owes(recording(PAYMENT));
            TABLE.given(RECEIVED, AWAITED, FROZEN, new FactNoted(CREATE))
                    .when(goOn, NOW)
                    .then(lifted, REQUESTED)
                    .owes(createOrder());
            PASTS.forEach(
                    (state, past) -> TABLE.given(past).when(goOn, NOW).thenRefused(OrderRefusal.NOT_UNDER_REVIEW));
        }

        @Test
        void facts_that_contradict_each_other_set_the_mark_again_and_the_others_wait_on() {
            Create other = new Create(OTHER_REQUEST);
            TABLE.given(RECEIVED, AWAITED, FROZEN, new FactNoted(CREATE), new FactNoted(other), new FactNoted(EXPIRE))
                    .when(new Lift(new Resolution.Continue(), "clear"), DEADLINE)
                    .then(
                            new ReviewLifted(new Resolution.Continue(), "clear"),
                            REQUESTED,
                            otherContent("the order was asked for with other content", REQUEST.messageId()),
                            new FactNoted(EXPIRE))
                    .owesNothing();
        }

        @Test
        void only_so_much_waits() {
            List<OrderEvent> past = new ArrayList<>(List.of(BOUGHT));
            past.add(FROZEN);
            for (int i = 0; i < OrderMachine.MOST; i++) {
                past.add(new FactNoted(new RequestRefund(refund("r-" + i, 1, 1))));
            }
            TABLE.given(past).when(new RequestRefund(ONE), NOW).thenRefused(OrderRefusal.UNDER_REVIEW);
        }

        @Test
        void money_that_went_back_by_other_means_is_not_asked_of_the_provider_again() {
            Resolution outside = new Resolution.SettledOutside("REFUND:" + ID + ":refund-1", "bank transfer 7");
            TABLE.given(then(REFUNDING, FROZEN))
                    .when(new Lift(outside, "by hand"), NOW)
                    .then(new ReviewLifted(outside, "by hand"))
                    .owes(new RefundOrder(ID, ONE, PAYMENT, Optional.of("bank transfer 7"), POLICIES.provider()));
            Resolution back = new Resolution.SettledOutside("RETURN:payment-1", "bank transfer 8");
            TABLE.given(then(CALLED_OFF, RECEIVED, LATE, FROZEN))
                    .when(new Lift(back, "by hand"), NOW)
                    .then(new ReviewLifted(back, "by hand"))
                    .owes(new ReturnPayment(ID, PAYMENT, Optional.of("bank transfer 8"), POLICIES.provider()));
            for (String operation : List.of("RETURN:payment-1", "CREATE:" + ID, "nothing")) {
                TABLE.given(then(ASKED, FROZEN))
                        .when(new Lift(new Resolution.SettledOutside(operation, "x"), "by hand"), NOW)
                        .thenRefused(OrderRefusal.RESOLUTION_NOT_ALLOWED);
            }
            OrderEvent[] settled = then(CALLED_OFF, RECEIVED, LATE, FROZEN, new ReviewLifted(back, "by hand"), FROZEN);
            TABLE.given(settled).when(new Lift(back, "again"), NOW).thenRefused(OrderRefusal.RESOLUTION_NOT_ALLOWED);
        }
    }

    @Nested
    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    class Comes_back_for_a_late_payment {

        private static final MachineTable<Order, OrderCommand, OrderEvent, OrderEffect> BACK =
                MachineTable.of(new OrderMachine(POLICIES.with(OrderPolicies.LatePayment.REACQUIRE)), ID);
        private static final OrderEvent STARTED = new ReacquireStarted("payment-1");
        private static final OrderEvent HELD = new HoldTakenAgain("payment-1", "again-1");
        private static final OrderEvent TAKEN = new OrderReacquired("payment-1", "again-1");
        private static final HoldAgain HOLD = new HoldAgain(REQUEST, "payment-1", POLICIES.transaction());
        private static final ReacquireOrder TAKE = new ReacquireOrder(ID, PAYMENT, "again-1", POLICIES.transaction());

        private static HoldAnswered held(HoldAnswer answer) {
            return new HoldAnswered("payment-1", answer);
        }

        private static ReacquireAnswered taken(ReacquireAnswer answer) {
            return new ReacquireAnswered("payment-1", answer);
        }

        @Test
        void units_are_held_first_then_the_database_decides_and_it_is_paid() {
            BACK.given(then(CALLED_OFF, RECEIVED))
                    .when(isSurplus(SurplusReason.ORDER_CANCELLED), PAY_BY)
                    .then(STARTED)
                    .owes(HOLD)
                    .verdict(done());
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED))
                    .when(held(new HoldAnswer.Held("again-1")), PAY_BY)
                    .then(HELD)
                    .owes(TAKE);
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD))
                    .when(taken(new ReacquireAnswer.Taken()), PAY_BY)
                    .then(TAKEN)
                    .thenState(new Order.Paid(
                            new Order.Placed(REQUEST, NOW, PAY_BY),
                            new Order.Purchase("payment-1", List.of(), Optional.of("again-1")),
                            new PaymentBook(
                                    List.of(new PaymentBook.Entry(PAYMENT, new PaymentBook.Standing.Settled())))))
                    .owesNothing();
            assertThat(HOLD.operationId()).isEqualTo("HOLD:payment-1");
            assertThat(TAKE.operationId()).isEqualTo("REACQUIRE:payment-1");
        }

        @Test
        void without_units_the_payment_goes_back() {
            OrderEvent short1 = new ReacquireFailed("payment-1", Optional.empty(), "SOLD_OUT");
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED))
                    .when(held(new HoldAnswer.NotHeld("SOLD_OUT")), PAY_BY)
                    .then(short1)
                    .owes(returning(PAYMENT));
            OrderEvent short2 = new ReacquireFailed("payment-1", Optional.of("again-1"), "OUT_OF_FINAL_STOCK");
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD))
                    .when(taken(new ReacquireAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK)), PAY_BY)
                    .then(short2)
                    .owes(returning(PAYMENT));
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD, short2))
                    .when(new PaymentReturned("payment-1", "back-1"), PAY_BY)
                    .then(GIVEN_BACK)
                    .owesNothing();
        }

        @Test
        void answers_that_come_twice_or_late_change_nothing() {
            OrderEvent[] failed = then(
                    CALLED_OFF,
                    RECEIVED,
                    STARTED,
                    HELD,
                    new ReacquireFailed("payment-1", Optional.of("again-1"), "DUPLICATE_BUYER"));
            for (OrderCommand again : List.of(
                    held(new HoldAnswer.Held("again-1")),
                    held(new HoldAnswer.NotHeld("SOLD_OUT")),
                    isSurplus(SurplusReason.ORDER_CANCELLED),
                    paid(PAYMENT))) {
                BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD))
                        .when(again, PAY_BY)
                        .thenRepeat();
                BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD, TAKEN))
                        .when(again, PAY_BY)
                        .thenRepeat();
                BACK.given(failed).when(again, PAY_BY).thenRepeat();
            }
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED))
                    .when(taken(new ReacquireAnswer.Taken()), PAY_BY)
                    .thenRepeat();
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD, TAKEN))
                    .when(taken(new ReacquireAnswer.Taken()), PAY_BY)
                    .thenRepeat();
        }

        @Test
        void of_several_late_payments_one_may_have_it_and_the_others_go_back() {
            PaymentReceived second = new PaymentReceived(SECOND);
            PaymentFoundSurplus spare = new PaymentFoundSurplus("payment-2", SurplusReason.ORDER_CANCELLED);
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, second))
                    .when(
                            new PaymentAnswered(
                                    "payment-2", new PaymentAnswer.IsSurplus(SurplusReason.ORDER_CANCELLED)),
                            PAY_BY)
                    .then(spare)
                    .owes(HOLD, returning(SECOND));
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD, second, TAKEN))
                    .when(
                            new PaymentAnswered("payment-2", new PaymentAnswer.IsSurplus(SurplusReason.PAID_BEFORE)),
                            PAY_BY)
                    .then(new PaymentFoundSurplus("payment-2", SurplusReason.PAID_BEFORE))
                    .owes(returning(SECOND));
        }

        @Test
        void an_order_that_was_rejected_or_is_paid_never_comes_back() {
            BACK.given(then(TURNED, RECEIVED))
                    .when(isSurplus(SurplusReason.ORDER_REJECTED), PAY_BY)
                    .then(surplus(SurplusReason.ORDER_REJECTED))
                    .owes(returning(PAYMENT));
            TABLE.given(then(CALLED_OFF, RECEIVED, STARTED))
                    .when(held(new HoldAnswer.Held("again-1")), PAY_BY)
                    .then(HELD)
                    .owes(TAKE);
        }

        @Test
        void frozen_it_waits_and_back_it_is_refunded_like_any_other() {
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED))
                    .when(new Freeze("disputed"), PAY_BY)
                    .then(FROZEN)
                    .owesNothing();
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, FROZEN))
                    .when(held(new HoldAnswer.Held("again-1")), PAY_BY)
                    .thenRepeat();
            BACK.given(then(CALLED_OFF, RECEIVED, STARTED, HELD, TAKEN))
                    .when(new RequestRefund(ONE), PAY_BY)
                    .then(new RefundStarted(ONE))
                    .owes(refunding(ONE));
        }
    }

    /** An outcome that is not, or no longer, owed is old news, in every state. */
    @Test
    void an_outcome_nobody_waits_for_changes_nothing() {
        Map<OrderCommand, String> outcomes = new LinkedHashMap<>();
        outcomes.put(new CreationAnswered(new CreationAnswer.Made(NOW, PAY_BY)), "Requested");
        outcomes.put(new CreationAnswered(new CreationAnswer.Turned(RejectReason.DUPLICATE_BUYER)), "Requested");
        outcomes.put(settles(), "");
        outcomes.put(isSurplus(SurplusReason.NO_ORDER), "");
        outcomes.put(new HoldAnswered("payment-1", new HoldAnswer.Held("again-1")), "");
        outcomes.put(new ReacquireAnswered("payment-1", new ReacquireAnswer.Taken()), "");
        outcomes.put(new PaymentReturned("payment-1", "back-1"), "");
        outcomes.put(new MarkAnswered(Optional.empty()), "CancelPending");
        outcomes.put(new CloseAnswered(Optional.empty()), "");
        outcomes.put(new CancelAnswered(new CancelAnswer.Done(NOW)), "");
        outcomes.put(new RefundAnswered("refund-1", "back-1"), "Refunding");
        outcomes.put(new RefundAnswered("refund-9", "back-1"), "");
        PASTS.forEach((state, past) -> outcomes.forEach((outcome, awaiting) -> {
            if (!awaiting.equals(state)) {
                TABLE.given(past).when(outcome, NOW).thenRepeat().verdict(done());
            }
            if (!List.of("None", "Cancelled", "Rejected", "Refunded").contains(state)) {
                TABLE.given(then(past, FROZEN)).when(outcome, NOW).thenRepeat();
            }
        }));
    }

    @Test
    void an_early_wake_up_changes_nothing() {
        PASTS.forEach((state, past) -> {
            boolean waits = state.equals("Created") || state.equals("Paying");
            TABLE.given(past).when(new WakeUp(), waits ? NOW : PAY_BY).thenRepeat();
            if (!List.of("None", "Cancelled", "Rejected", "Refunded").contains(state)) {
                TABLE.given(then(past, FROZEN)).when(new WakeUp(), PAY_BY).thenRepeat();
            }
        });
    }

    @Test
    void a_journal_this_code_did_not_write_stops_the_entity() {
        List<OrderEvent> everything = List.of(
                new DeadlineReached(),
                new CancelNoted(CancelReason.BUYER),
                CREATED,
                REJECTED,
                BEGUN,
                NOT_FOUND,
                PAID,
                CANCEL,
                MARKED,
                CLOSED,
                CANCELLED,
                new RefundNoted(ONE),
                REFUND,
                new OrderRefunded(ONE, "back-1"),
                new FactNoted(CREATE),
                new ReviewLifted(new Resolution.Continue(), "clear"));
        for (OrderEvent event : everything) {
            Order ended = new Order.Rejected(REQUEST, RejectReason.DUPLICATE_BUYER, PaymentBook.empty());
            assertThatIllegalStateException()
                    .isThrownBy(() -> MACHINE.evolve(ended, event))
                    .withMessageContaining("REJECTED")
                    .withMessageContaining(event.getClass().getSimpleName());
        }
        Order marked = new Order.UnderReview(
                new None(ID, PaymentBook.empty(), Optional.empty(), false), FROZEN.review(), List.of());
        assertThatIllegalStateException().isThrownBy(() -> MACHINE.evolve(marked, CREATED));
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        MACHINE.evolve(marked, new ReviewLifted(new Resolution.SettledOutside("RETURN:x", "y"), "z")));
        Order paid = new Order.Paid(
                new Order.Placed(REQUEST, NOW, PAY_BY), new Order.Purchase("x", List.of()), PaymentBook.empty());
        assertThatIllegalStateException().isThrownBy(() -> MACHINE.decide(paid, new RequestRefund(ONE), NOW));
        assertThatIllegalStateException().isThrownBy(() -> MACHINE.evolve(paid, GIVEN_BACK));
    }

    @Test
    void values_keep_their_rules() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Money(0, "EUR"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Money(1, "eur"));
        assertThatIllegalArgumentException().isThrownBy(() -> A.payment("pay:ment", "t"));
        assertThatIllegalArgumentException().isThrownBy(() -> A.refund("refund-1", 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new BeginPayment(""));
        for (OrderRefusal refusal : OrderRefusal.values()) {
            assertThat(refusal.code()).isEqualTo(refusal.name());
            assertThat(refusal.explanation()).endsWith(".");
        }
    }
}
