package io.holdfast.order.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.PaymentBook;
import io.holdfast.order.port.PaymentRecords.OnRecord;
import io.holdfast.order.port.PaymentStatements.Line;
import io.holdfast.order.statement.PaymentFinding.Type;
import io.holdfast.order.statement.StatementRun.State;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What becomes of a difference between the provider's statement and ours. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class StatementRunTest {

    private static final Instant AT = Instant.parse("2026-11-29T10:00:00Z");
    private static final Payment PAYMENT = new Payment("p-1", "provider", "tx-1", new Money(500, "EUR"), AT);
    private static final OrderCreateRequested REQUEST =
            new OrderCreateRequested("m-1", "o-1", "q-1", "sale", "phone", "ann", 2, AT, AT.plusSeconds(300));
    private static final Order.Placed PLACED = new Order.Placed(REQUEST, AT, AT.plusSeconds(900));
    private static final Order PAID =
            new Order.Paid(PLACED, new Order.Purchase("p-1", List.of()), new PaymentBook(List.of()));

    private final List<OrderCommand> told = new ArrayList<>();
    private Order order = PAID;

    private static Order refunding(String paymentId) {
        return new Order.Refunding(
                PLACED,
                new Order.Purchase(paymentId, List.of()),
                new OrderRefund("f-1", 1, new Money(250, "EUR"), true),
                Optional.empty(),
                List.of(),
                new PaymentBook(List.of()));
    }

    private final class OneOrder implements Entities<Order, OrderCommand> {
        @Override
        public CompletionStage<Outcome<Reply<Order>>> ask(
                String entityId, Cause cause, OrderCommand command, Duration patience) {
            told.add(command);
            return look(entityId);
        }

        @Override
        public CompletionStage<Outcome<Reply<Order>>> look(String entityId) {
            return CompletableFuture.completedFuture(
                    Outcome.known(new Reply<>(entityId, 7, Verdict.done(), false, order, List.of())));
        }
    }

    private StatementRun.Report run(List<Line> statement, List<OnRecord> records) {
        var run = new StatementRun(
                "provider",
                (_, _) -> CompletableFuture.completedFuture(Outcome.known(statement)),
                (_, _, _) -> CompletableFuture.completedFuture(Outcome.known(records)),
                new OneOrder());
        Outcome<StatementRun.Report> outcome = run.between(AT, AT.plusSeconds(60), true, "ann")
                .toCompletableFuture()
                .join();
        if (outcome instanceof Outcome.Known<StatementRun.Report>(StatementRun.Report report)) {
            return report;
        }
        throw new AssertionError(outcome);
    }

    private List<Type> types(List<Line> statement, List<OnRecord> records) {
        return run(statement, records).findings().stream()
                .map(settled -> settled.finding().type())
                .toList();
    }

    @Test
    void a_payment_that_nobody_told_of_is_told_to_its_order() {
        StatementRun.Report report = run(List.of(new Line("o-1", PAYMENT, 0)), List.of());
        assertThat(report.findings()).extracting(StatementRun.Settled::state).containsExactly(State.TOLD);
        assertThat(told).containsExactly(new OrderFact.PaymentSucceeded(PAYMENT));
    }

    @Test
    void money_of_a_refund_that_its_order_is_carrying_out_is_under_way_and_any_other_is_for_a_person() {
        List<Line> back = List.of(new Line("o-1", PAYMENT, 250));
        List<OnRecord> not = List.of(new OnRecord("o-1", PAYMENT, 0, false));
        order = refunding("p-1");
        assertThat(types(back, not)).containsExactly(Type.RETURN_UNDER_WAY);
        order = refunding("p-9");
        assertThat(types(back, not)).containsExactly(Type.OTHER_RETURN);
        order = PAID;
        assertThat(types(back, not)).containsExactly(Type.OTHER_RETURN);
        assertThat(told).isEmpty();
    }
}
