package io.holdfast.order.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.order.domain.Order.Status;
import io.holdfast.order.domain.OrderCommand.Contradicted;
import io.holdfast.order.domain.OrderCommand.Freeze;
import io.holdfast.order.domain.OrderCommand.Lift;
import io.holdfast.order.domain.OrderFact.BeginPayment;
import io.holdfast.order.domain.OrderFact.Cancel;
import io.holdfast.order.domain.OrderFact.Create;
import io.holdfast.order.domain.OrderFact.Expire;
import io.holdfast.order.domain.OrderFact.PaymentSucceeded;
import io.holdfast.order.domain.OrderFact.RequestRefund;
import io.holdfast.order.domain.OrderPolicies.LatePayment;
import io.holdfast.order.domain.PaymentBook.Standing;
import io.holdfast.order.port.FinalStock.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lives of one order over books that decide: in every order of the facts, and by chance. A failure names its seed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderPropertyTest {

    private static final int LIVES = 20_000;
    private static final int COMMANDS = 14;

    @Test
    void every_random_life_keeps_the_rules() {
        for (long seed = 0; seed < LIVES; seed++) {
            try {
                live(new Random(seed), seed % 3 == 0);
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
    }

    private static void live(Random random, boolean reviewed) {
        boolean comesBack = random.nextBoolean();
        ScriptedOrder life = new ScriptedOrder(
                random.nextInt(4) == 0 ? 2 : 10,
                comesBack ? LatePayment.REACQUIRE : LatePayment.REFUND,
                random.nextInt(4) != 0);
        List<Payment> made = new ArrayList<>();
        for (int i = 0; i < COMMANDS; i++) {
            Order before = life.state();
            Decision<OrderEvent> decision = life.give(command(random, life, made, reviewed));
            check(life, before, decision);
            disturb(random, life);
        }
        for (int i = 0; i < COMMANDS && life.state() instanceof Order.UnderReview; i++) {
            life.give(new Lift(new Resolution.Continue(), "clear"));
        }
        // Every payment the provider took is told of in the end.
        made.forEach(payment -> life.give(new PaymentSucceeded(payment)));
        life.settle();
        life.passTo(life.now().plus(Duration.ofHours(1)));
        life.settle();
        theEnd(life, made);
    }

    private static OrderCommand command(Random random, ScriptedOrder life, List<Payment> made, boolean reviewed) {
        return switch (random.nextInt(reviewed ? 17 : 12)) {
            case 0, 1, 2 -> new Create(A.REQUEST);
            case 3 -> new Expire(A.REQUEST);
            case 4, 5, 6 -> {
                int number = random.nextInt(3);
                Payment payment = A.payment("payment-" + number, "transaction-" + number);
                if (life.payAtProvider(payment)) {
                    made.add(payment);
                }
                yield made.contains(payment) && random.nextBoolean()
                        ? new PaymentSucceeded(payment)
                        : new BeginPayment(payment.paymentId());
            }
            case 7 -> new BeginPayment("payment-" + random.nextInt(3));
            case 8, 9 -> new Cancel(random.nextBoolean() ? CancelReason.BUYER : CancelReason.OPERATOR);
            case 10, 11 ->
                new RequestRefund(
                        A.refund("refund-" + random.nextInt(3), 1 + random.nextInt(3), 1 + 1000L * random.nextInt(3)));
            case 12 -> new Create(A.OTHER_REQUEST);
            case 13 -> new Expire(A.OTHER_REQUEST);
            case 14 -> new Freeze("why");
            case 15 -> new Contradicted("m-" + random.nextInt(3));
            default -> new Lift(new Resolution.Continue(), "clear");
        };
    }

    private static void disturb(Random random, ScriptedOrder life) {
        switch (random.nextInt(6)) {
            case 0 -> life.settle();
            case 1, 2 -> life.step(random.nextInt(4));
            case 3 -> life.loseAnswer(random.nextInt(4));
            case 4 -> life.restart();
            default -> life.passTo(life.now().plus(Duration.ofMinutes(random.nextInt(10))));
        }
    }

    private static void check(ScriptedOrder life, Order before, Decision<OrderEvent> decision) {
        Order after = life.state();
        if (before instanceof Order.Cancelled || before instanceof Order.Rejected || before instanceof Order.Refunded) {
            boolean cameBack = before instanceof Order.Cancelled
                    && decision.events().stream().anyMatch(OrderEvent.OrderReacquired.class::isInstance);
            assertThat(after.unmarked().status())
                    .as("an end stays an end")
                    .isEqualTo(cameBack ? Status.PAID : before.status());
        }
        if (decision instanceof Decision.Repeat<?>) {
            assertThat(after).isEqualTo(before);
        }
        if (after instanceof Order.UnderReview) {
            assertThat(life.machine().owe(after).isNothing())
                    .as("what is marked owes nothing")
                    .isTrue();
        }
        Order replayed = life.machine().initial(A.ID);
        for (OrderEvent event : life.events()) {
            replayed = life.machine().evolve(replayed, event);
        }
        assertThat(replayed).as("the journal adds up to the state").isEqualTo(after);
        conserved(life);
    }

    private static void theEnd(ScriptedOrder life, List<Payment> made) {
        Order state = life.state();
        assertThat(life.machine().owe(state).isNothing())
                .as("nothing is owed in the end: %s", state)
                .isTrue();
        assertThat(state.status()).isIn(Status.NONE, Status.CANCELLED, Status.REJECTED, Status.PAID, Status.REFUNDED);
        for (PaymentBook.Entry entry : state.payments().entries()) {
            String id = entry.payment().paymentId();
            switch (entry.standing()) {
                case Standing.Settled() -> {
                    assertThat(life.books().payment(id)).isEqualTo("SETTLED");
                    assertThat(life.givenBack()).doesNotContainKey("RETURN:" + id);
                }
                case Standing.GivenBack(var _, String reference) -> {
                    assertThat(life.books().payment(id)).isEqualTo("RETURNED");
                    assertThat(life.givenBack()).containsEntry("RETURN:" + id, reference);
                }
                case Standing.Received _, Standing.Reacquiring _, Standing.Surplus _ ->
                    throw new AssertionError("neither settled nor given back: " + entry);
            }
        }
        for (OrderEvent event : life.events()) {
            if (event instanceof OrderEvent.HoldTakenAgain(String payment, String hold)) {
                boolean used = state.holdId().equals(hold);
                assertThat(life.events().stream()
                                .filter(other -> other.equals(new OrderEvent.OrderReacquired(payment, hold))
                                        || other instanceof OrderEvent.ReacquireFailed failed
                                                && failed.reservationId().equals(Optional.of(hold))))
                        .as("what was held anew is used or not needed, once")
                        .singleElement()
                        .satisfies(other -> assertThat(other instanceof OrderEvent.OrderReacquired)
                                .isEqualTo(used));
            }
        }
        assertThat(state.payments().entries()).hasSameSizeAs(made);
        assertThat(state.payments().entries().stream()
                        .filter(entry -> entry.standing() instanceof Standing.Settled)
                        .count())
                .as("paid exactly when one payment settled it")
                .isEqualTo(state instanceof Order.Bought ? 1 : 0);
        String row = life.books().status(A.ID);
        switch (state.unmarked()) {
            case Order.Cancelled _ -> assertThat(row).isEqualTo("CANCELLED");
            case Order.Paid _ -> assertThat(row).isEqualTo("PAID");
            case Order.Refunded _ -> assertThat(row).isEqualTo("REFUNDED");
            case Order.None _, Order.Rejected _ -> assertThat(row).isEqualTo("NONE");
            case Order.Requested _, Order.Created _, Order.Paying _, Order.CancelPending _, Order.Refunding _ ->
                throw new AssertionError("no end: " + state);
        }
        Numbers stock = conserved(life);
        long refunded = state instanceof Order.Bought bought
                ? bought.purchase().refunds().stream()
                        .mapToLong(OrderRefund::units)
                        .sum()
                : 0;
        assertThat(stock.occupied()).as("nothing is left half done").isZero();
        assertThat(stock.sold())
                .isEqualTo(
                        state instanceof Order.Bought bought ? bought.request().quantity() - refunded : 0);
    }

    private static Numbers conserved(ScriptedOrder life) {
        Numbers stock = ((Outcome.Known<Optional<Numbers>>) life.books()
                        .find(ScriptedOrder.ACTIVITY, ScriptedOrder.SKU)
                        .toCompletableFuture()
                        .join())
                .value()
                .orElseThrow();
        assertThat(stock.available() + stock.occupied() + stock.sold()).isEqualTo(stock.initial());
        assertThat(stock.available()).isNotNegative();
        assertThat(stock.occupied()).isNotNegative();
        assertThat(stock.sold()).isNotNegative();
        return stock;
    }

    static Stream<List<OrderFact>> payment_and_cancellation() {
        return permutations(
                List.of(new Create(A.REQUEST), A.paid(A.PAYMENT), A.paid(A.SECOND), new Cancel(CancelReason.BUYER)));
    }

    static Stream<List<OrderFact>> permutations(List<OrderFact> facts) {
        if (facts.isEmpty()) {
            return Stream.of(List.of());
        }
        return facts.stream().flatMap(first -> {
            List<OrderFact> rest = new ArrayList<>(facts);
            rest.remove(first);
            return permutations(rest).map(tail -> {
                List<OrderFact> all = new ArrayList<>(List.of(first));
                all.addAll(tail);
                return all;
            });
        });
    }

    @ParameterizedTest
    @MethodSource("payment_and_cancellation")
    void whatever_comes_first_one_payment_counts_or_the_order_is_cancelled_and_the_rest_goes_back(
            List<OrderFact> facts) {
        for (boolean atOnce : new boolean[] {true, false}) {
            ScriptedOrder life = new ScriptedOrder(10);
            life.payAtProvider(A.PAYMENT);
            life.payAtProvider(A.SECOND);
            for (OrderFact fact : facts) {
                life.give(fact);
                if (atOnce) {
                    life.settle();
                }
            }
            life.settle();
            // The provider had the money in every order of the news, so the cancellation never wins.
            assertThat(life.state()).isInstanceOf(Order.Paid.class);
            assertThat(life.givenBack()).hasSize(1);
            theEnd(life, List.of(A.PAYMENT, A.SECOND));
        }
    }

    static Stream<List<OrderFact>> request_and_deadline() {
        return permutations(List.of(new Create(A.REQUEST), new Expire(A.REQUEST), A.paid(A.PAYMENT)));
    }

    @ParameterizedTest
    @MethodSource("request_and_deadline")
    void of_request_and_deadline_the_first_decision_stands(List<OrderFact> facts) {
        ScriptedOrder life = new ScriptedOrder(10);
        life.passTo(A.DEADLINE);
        for (OrderFact fact : facts) {
            life.give(fact);
            life.settle();
        }
        boolean requestFirst = facts.indexOf(new Create(A.REQUEST)) < facts.indexOf(new Expire(A.REQUEST));
        assertThat(life.state().status()).isEqualTo(requestFirst ? Status.PAID : Status.REJECTED);
        assertThat(life.verdict(new Create(A.REQUEST)))
                .isEqualTo(requestFirst ? Verdict.done() : Verdict.refused(OrderRefusal.LATE_REJECTED));
        theEnd(life, List.of(A.PAYMENT));
    }
}
