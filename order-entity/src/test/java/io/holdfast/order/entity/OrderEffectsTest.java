package io.holdfast.order.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.effect.RetryPolicy;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderCommand.CancelAnswer;
import io.holdfast.order.domain.OrderCommand.CancelAnswered;
import io.holdfast.order.domain.OrderCommand.CloseAnswered;
import io.holdfast.order.domain.OrderCommand.ContradictionFound;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderCommand.CreationAnswered;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderCommand.HoldAnswered;
import io.holdfast.order.domain.OrderCommand.MarkAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentAnswer;
import io.holdfast.order.domain.OrderCommand.PaymentAnswered;
import io.holdfast.order.domain.OrderCommand.PaymentReturned;
import io.holdfast.order.domain.OrderCommand.RefundAnswered;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEffect.CancelOrder;
import io.holdfast.order.domain.OrderEffect.ClosePayment;
import io.holdfast.order.domain.OrderEffect.CreateOrder;
import io.holdfast.order.domain.OrderEffect.MarkCancelPending;
import io.holdfast.order.domain.OrderEffect.RecordPayment;
import io.holdfast.order.domain.OrderEffect.RefundOrder;
import io.holdfast.order.domain.OrderEffect.RejectOverdue;
import io.holdfast.order.domain.OrderEffect.ReturnPayment;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.OrderSamples;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.domain.SurplusReason;
import io.holdfast.order.model.ModelBooks;
import io.holdfast.order.port.Holds;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.port.RequestBacklog;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What an order owes, performed through its ports. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderEffectsTest {

    private static final RetryPolicy RETRY = OrderPolicies.standard().transaction();
    private static final Instant NOW = Instant.parse("2026-06-25T09:00:00Z");
    private static final OrderCreateRequested REQUEST = request(2);
    private static final String ID = REQUEST.reservationId();
    private static final Payment PAYMENT = new Payment("payment-1", "sandbox", "t-1", new Money(2000, "EUR"), NOW);
    private static final OrderRefund REFUND = new OrderRefund("refund-1", 1, new Money(1000, "EUR"), true);

    private final ModelBooks books = new ModelBooks();
    private final Till till = new Till();
    private final OrderEffects effects = new OrderEffects(
            books,
            till,
            RequestBacklog.none(),
            (request, paymentId) -> CompletableFuture.completedFuture(
                    request.quantity() > 2
                            ? Outcome.unknown("slow")
                            : Outcome.known(new HoldAnswer.Held("again-" + paymentId))));

    private static OrderCreateRequested request(long quantity) {
        return new OrderCreateRequested(
                "m-1", "r-1", "q-1", "sale", "phone", "u-1", quantity, NOW, NOW.plus(Duration.ofMinutes(5)));
    }

    /** A provider that answers as it is told to. */
    private static final class Till implements PaymentProvider {
        private Outcome<CloseAnswer> closing = Outcome.known(new CloseAnswer.Closed());
        private Outcome<GiveBackAnswer> giving = Outcome.known(new GiveBackAnswer.GivenBack("back-1"));
        private final List<String> asked = new ArrayList<>();

        @Override
        public CompletionStage<Outcome<CloseAnswer>> close(String orderId) {
            return CompletableFuture.completedFuture(closing);
        }

        @Override
        public CompletionStage<Outcome<GiveBackAnswer>> giveBack(String operationId, Payment payment, Money amount) {
            asked.add(operationId + " " + amount.minor());
            return CompletableFuture.completedFuture(giving);
        }
    }

    @BeforeEach
    void a_sale() {
        books.setTotal("sale", "phone", "set-1", 10);
    }

    private Outcome<OrderCommand> performed(OrderEffect effect) {
        return effects.perform(ID, effect).toCompletableFuture().join();
    }

    private OrderCommand known(OrderEffect effect) {
        if (performed(effect) instanceof Outcome.Known<OrderCommand>(OrderCommand command)) {
            return command;
        }
        throw new AssertionError("not known: " + performed(effect));
    }

    private void create() {
        known(new CreateOrder(REQUEST, Duration.ofMinutes(15), RETRY));
    }

    @Test
    void what_the_books_decide_comes_back_as_a_command() {
        assertThat(known(new CreateOrder(REQUEST, Duration.ofMinutes(15), RETRY)))
                .isInstanceOf(CreationAnswered.class)
                .extracting(command -> ((CreationAnswered) command).answer())
                .isInstanceOf(CreationAnswer.Made.class);
        assertThat(known(new MarkCancelPending(ID, RETRY))).isEqualTo(new MarkAnswered(Optional.empty()));
        assertThat(known(new CancelOrder(ID, RETRY)))
                .isInstanceOf(CancelAnswered.class)
                .extracting(command -> ((CancelAnswered) command).answer())
                .isInstanceOf(CancelAnswer.Done.class);
        assertThat(known(new RecordPayment(ID, PAYMENT, RETRY)))
                .isEqualTo(
                        new PaymentAnswered("payment-1", new PaymentAnswer.IsSurplus(SurplusReason.ORDER_CANCELLED)));
        assertThat(known(new RejectOverdue(REQUEST, RETRY))).isInstanceOf(CreationAnswered.class);
    }

    @Test
    void a_deadline_that_comes_first_rejects() {
        assertThat(known(new RejectOverdue(REQUEST, RETRY)))
                .isEqualTo(new CreationAnswered(new CreationAnswer.Turned(RejectReason.BUSINESS_DEADLINE_EXCEEDED)));
    }

    @Test
    void what_the_books_contradict_is_found() {
        create();
        OrderEffect other = new CreateOrder(request(1), Duration.ofMinutes(15), RETRY);
        assertThat(known(other)).isEqualTo(new ContradictionFound("CREATE:r-1", "OTHER_PAYLOAD", Map.of()));
    }

    @Test
    void the_provider_says_whether_an_order_was_paid() {
        assertThat(known(new ClosePayment(ID, RETRY))).isEqualTo(new CloseAnswered(Optional.empty()));
        till.closing = Outcome.known(new PaymentProvider.CloseAnswer.IsPaid(PAYMENT));
        assertThat(known(new ClosePayment(ID, RETRY))).isEqualTo(new CloseAnswered(Optional.of(PAYMENT)));
        till.closing = Outcome.unknown("no answer");
        assertThat(performed(new ClosePayment(ID, RETRY))).isEqualTo(Outcome.unknown("no answer"));
    }

    @Test
    void money_goes_back_at_the_provider_first_and_then_on_record() {
        create();
        known(new RecordPayment(ID, PAYMENT, RETRY));
        RefundOrder refund = new RefundOrder(ID, REFUND, PAYMENT, Optional.empty(), RETRY);
        till.giving = Outcome.unknown("no answer");
        assertThat(performed(refund)).isEqualTo(Outcome.unknown("no answer"));
        till.giving = Outcome.unavailable("closed");
        assertThat(performed(refund)).isEqualTo(Outcome.unavailable("closed"));
        till.giving = Outcome.known(new PaymentProvider.GiveBackAnswer.Declined("EXPIRED", Map.of("after", "180 d")));
        assertThat(known(refund))
                .isEqualTo(new ContradictionFound(refund.operationId(), "EXPIRED", Map.of("after", "180 d")));
        assertThat(books.changes("sale", "phone")).hasSize(3);
        till.giving = Outcome.known(new PaymentProvider.GiveBackAnswer.GivenBack("back-7"));
        assertThat(known(refund)).isEqualTo(new RefundAnswered("refund-1", "back-7"));
        assertThat(till.asked).containsOnly("REFUND:r-1:refund-1 1000");
        assertThat(books.changes("sale", "phone")).hasSize(4);
    }

    @Test
    void a_surplus_goes_back_whole() {
        Payment surplus = PAYMENT;
        known(new RecordPayment(ID, surplus, RETRY));
        ReturnPayment back = new ReturnPayment(ID, surplus, Optional.empty(), RETRY);
        assertThat(known(back)).isEqualTo(new PaymentReturned("payment-1", "back-1"));
        assertThat(till.asked).containsExactly("RETURN:payment-1 2000");
        assertThat(books.payment("payment-1")).isEqualTo("RETURNED");
    }

    @Test
    void money_that_went_back_by_other_means_is_put_on_record_alone() {
        create();
        known(new RecordPayment(ID, PAYMENT, RETRY));
        assertThat(known(new RefundOrder(ID, REFUND, PAYMENT, Optional.of("transfer 7"), RETRY)))
                .isEqualTo(new RefundAnswered("refund-1", "transfer 7"));
        assertThat(till.asked).isEmpty();
    }

    @Test
    void units_are_held_anew_under_the_payments_name_and_then_the_books_decide() {
        assertThat(known(new OrderEffect.HoldAgain(request(2), "payment-1", RETRY)))
                .isEqualTo(new HoldAnswered("payment-1", new HoldAnswer.Held("again-payment-1")));
        assertThat(performed(new OrderEffect.HoldAgain(request(3), "payment-1", RETRY)))
                .isInstanceOf(Outcome.Unknown.class);
        assertThat(known(new OrderEffect.ReacquireOrder("r-9", PAYMENT, "again-payment-1", RETRY)))
                .isEqualTo(new ContradictionFound("REACQUIRE:payment-1", "ORDER_MISSING", Map.of()));
    }

    /** What goes between nodes and into journals is read as it was written. */
    @Test
    void the_definition_writes_and_reads_everything_the_machine_knows() {
        MachineDefinition<Order, OrderCommand, OrderEvent, OrderEffect> definition =
                OrderEntities.definition(OrderPolicies.standard(), books, till, RequestBacklog.none(), Holds.NONE);
        OrderSamples samples = new OrderSamples();
        samples.states()
                .forEach(state -> assertThat(
                                definition.states().decode(definition.states().encode(state.value())))
                        .isEqualTo(state.value()));
        samples.commands()
                .forEach(command -> assertThat(definition
                                .commands()
                                .decode(definition.commands().encode(command.value())))
                        .isEqualTo(command.value()));
        assertThat(definition.refusals()).containsKey("LATE_REJECTED");
        assertThat(definition.machine().name()).isEqualTo("order");
        OrderFact cancel = new OrderFact.Cancel(CancelReason.OPERATOR);
        assertThat(definition.commands().decode(definition.commands().encode(cancel)))
                .isEqualTo(cancel);
    }
}
