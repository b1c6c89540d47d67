package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.order.domain.CancelReason;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderCommand.HoldAnswer;
import io.holdfast.order.domain.OrderEffect;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.order.domain.OrderPolicies.LatePayment;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.PaymentBook;
import io.holdfast.order.entity.OrderEntities;
import io.holdfast.order.model.ModelBooks;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.order.port.Holds;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.order.port.RequestBacklog;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.simulation.store.Till;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.Seeds;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.AnswersStay;
import io.holdfast.testkit.simulation.invariant.EveryoneIsAnswered;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation.Movement;
import io.holdfast.testkit.simulation.invariant.NothingPendingForever;
import io.holdfast.testkit.simulation.invariant.TerminalStays;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Payments that come after their orders were cancelled, and bring them back: with nodes that die, instances that double, calls that are lost, late and twice. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class LatePaymentsTest {

    private static final Duration STORM = Duration.ofMinutes(3);
    private static final Duration REST = Duration.ofMinutes(10);
    private static final Duration WAITS = Duration.ofMinutes(1);
    private static final long TOTAL = 15;
    private static final int BUYERS = 12;
    private static final String SALE = "summer";
    private static final String SKU = "phone";

    @Test
    void orders_that_come_back_for_late_payments_come_back_once_under_every_fault() {
        Seeds.each(20, LatePaymentsTest::sale);
    }

    private static Seeds.Prepared sale(long seed) {
        Simulation simulation = Simulation.of(seed, Storm.all());
        World world = simulation.world();
        ModelBooks books = new ModelBooks(() -> world.timeline().now());
        books.setTotal(SALE, SKU, "set-1", TOTAL);
        Till till = new Till();
        Faults faults = Faults.all(world, 0.06);
        OrderPolicies policies = OrderPolicies.standard();
        Shelf shelf = new Shelf(4);
        SimulatedEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders = simulation
                .fleet()
                .host(OrderEntities.definition(
                        new OrderPolicies(
                                policies.transaction(), policies.provider(), WAITS, WAITS, LatePayment.REACQUIRE),
                        faults.around(OrderBooks.class, books),
                        faults.around(PaymentProvider.class, till),
                        RequestBacklog.none(),
                        faults.around(Holds.class, shelf)));
        Client<Order, OrderCommand> client = new Client<>(world, orders);
        Crowd crowd = new Crowd(world, client, till, new AtomicInteger());
        simulation.nowAndThen(Duration.ofSeconds(3), "a hold was admitted", crowd::admitted);
        simulation.nowAndThen(
                Duration.ofSeconds(40), "crash", () -> simulation.fleet().crashANode());
        simulation.nowAndThen(
                Duration.ofSeconds(30), "clock", () -> simulation.fleet().jumpAClock(Duration.ofMinutes(5)));
        simulation.always(
                () -> conserved(books),
                new MovedOncePerOperation(() -> moved(books)),
                new MovedOncePerOperation(till::movements),
                new TerminalStays<>(
                        orders, state -> state instanceof Order.Rejected || state instanceof Order.Refunded));
        simulation.eventually(
                new NothingPendingForever<>(orders, _ -> false), new EveryoneIsAnswered(client), crowd::hasGone);
        simulation.atRest(
                // Whoever was told that it is cancelled, or refused for that, hears otherwise once it came back.
                new AnswersStay<>(
                        orders, client, (_, _, order) -> !order.holdId().equals(order.id())),
                () -> paymentsAreWhereTheyBelong(books, till),
                () -> journalsAgreeWithTheBooks(orders, books),
                () -> holdsAreUsedOnce(orders, shelf));
        return new Seeds.Prepared(simulation, () -> simulation.run(STORM, REST));
    }

    /** What buyers do, and what the world tells of it. */
    private record Crowd(World world, Client<Order, OrderCommand> client, Till till, AtomicInteger planned) {

        private static final Duration SOON = Duration.ofSeconds(1);
        private static final Duration LATE = Duration.ofMinutes(3);

        void admitted() {
            String id = world.chance().id("r");
            Instant now = world.timeline().now();
            OrderCreateRequested request = new OrderCreateRequested(
                    "m-" + id,
                    id,
                    "q-" + id,
                    SALE,
                    SKU,
                    "u-" + world.chance().between(1, BUYERS),
                    world.chance().between(1, 2),
                    now,
                    now.plus(world.chance().between(SOON, LATE)));
            if (world.chance().strikes(0.3)) {
                later(
                        "the deadline of " + id,
                        request.businessDeadline(),
                        () -> ask(id, "expire-" + id, Cause.Kind.REQUEST, new OrderFact.Expire(request)));
            }
            if (world.chance().strikes(0.1)) {
                pays(id, 1);
            }
            if (world.chance().strikes(0.9)) {
                int times = world.chance().strikes(0.2) ? 2 : 1;
                for (int i = 0; i < times; i++) {
                    after("request " + id, SOON, () -> created(request));
                }
            }
        }

        private void created(OrderCreateRequested request) {
            String id = request.reservationId();
            client.ask(id, cause("m-" + id, Cause.Kind.EVENT), new OrderFact.Create(request), reply -> {
                if (!(reply.verdict() instanceof Verdict.Done)) {
                    return;
                }
                if (world.chance().strikes(0.7)) {
                    after("payment of " + id, LATE, () -> pays(id, request.quantity()));
                }
                if (world.chance().strikes(0.15)) {
                    after("second payment of " + id, LATE, () -> pays(id, request.quantity()));
                }
                if (world.chance().strikes(0.3)) {
                    after(
                            "cancel " + id,
                            LATE,
                            () -> ask(
                                    id,
                                    world.chance().id("cancel"),
                                    Cause.Kind.REQUEST,
                                    new OrderFact.Cancel(CancelReason.BUYER)));
                }
                if (world.chance().strikes(0.3)) {
                    String refund = world.chance().id("f");
                    long units = world.chance().between(1, (int) request.quantity());
                    after(
                            "refund " + id,
                            LATE,
                            () -> ask(
                                    id,
                                    refund,
                                    Cause.Kind.REQUEST,
                                    new OrderFact.RequestRefund(new OrderRefund(
                                            refund,
                                            units,
                                            new Money(units * 100, "EUR"),
                                            world.chance().strikes(0.8)))));
                }
            });
        }

        /** The provider takes the money, and tells of it until it is heard; the news may be late, and come twice. */
        private void pays(String id, long quantity) {
            String number = world.chance().id("p");
            Payment payment = new Payment(
                    number,
                    "sandbox",
                    "t-" + number,
                    new Money(quantity * 100, "EUR"),
                    world.timeline().now());
            boolean slowly = world.chance().strikes(0.15);
            if (slowly ? till.payLate(id, payment) : till.pay(id, payment)) {
                int times = world.chance().strikes(0.3) ? 2 : 1;
                for (int i = 0; i < times; i++) {
                    after(
                            "news of " + number,
                            LATE,
                            () -> ask(id, "hook-" + number, Cause.Kind.EVENT, new OrderFact.PaymentSucceeded(payment)));
                }
            }
        }

        private void after(String what, Duration atMost, Runnable run) {
            plan(world.chance().between(Duration.ZERO, atMost), what, run);
        }

        private void later(String what, Instant at, Runnable run) {
            plan(Duration.between(world.timeline().now(), at), what, run);
        }

        private void plan(Duration in, String what, Runnable run) {
            planned.incrementAndGet();
            world.timeline().after(in, what, () -> {
                planned.decrementAndGet();
                run.run();
            });
        }

        /** Everything that was to be done was done, also what is told late. */
        void hasGone() {
            assertThat(planned.get()).as("things to be done").isZero();
        }

        private void ask(String id, String cause, Cause.Kind kind, OrderFact fact) {
            client.ask(id, cause(cause, kind), fact);
        }

        private static Cause cause(String id, Cause.Kind kind) {
            return new Cause(id, "hash-of-" + id, kind, "client", Optional.empty());
        }
    }

    private static Numbers stock(ModelBooks books) {
        if (books.find(SALE, SKU).toCompletableFuture().join()
                instanceof Outcome.Known<Optional<Numbers>>(Optional<Numbers> numbers)) {
            return numbers.orElseThrow();
        }
        throw new AssertionError("the model always knows");
    }

    private static void conserved(ModelBooks books) {
        Numbers stock = stock(books);
        if (stock.available() < 0
                || stock.occupied() < 0
                || stock.sold() < 0
                || stock.available() + stock.occupied() + stock.sold() != TOTAL) {
            throw new AssertionError("NeverOversold: " + stock);
        }
    }

    private static void paymentsAreWhereTheyBelong(ModelBooks books, Till till) {
        for (Payment payment : till.payments()) {
            String id = payment.paymentId();
            assertThat(books.payment(id)).as("payment %s", id).isIn("SETTLED", "RETURNED");
            assertThat(till.gaveBack("RETURN:" + id))
                    .as("payment %s went back", id)
                    .isEqualTo(books.payment(id).equals("RETURNED"));
        }
    }

    private static void holdsAreUsedOnce(
            SimulatedEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders, Shelf shelf) {
        List<String> used = orders.entityIds().stream()
                .map(id -> orders.journaled(id).state())
                .filter(order -> !order.holdId().equals(order.id()))
                .map(Order::holdId)
                .toList();
        assertThat(used).as("holds that orders came back with").doesNotHaveDuplicates();
        assertThat(shelf.held()).containsAll(used);
    }

    private static void journalsAgreeWithTheBooks(
            SimulatedEntities<Order, OrderCommand, OrderEvent, OrderEffect> orders, ModelBooks books) {
        long sold = 0;
        for (String id : orders.entityIds()) {
            Order order = orders.journaled(id).state();
            String row = books.status(id);
            assertThat(row)
                    .as("the row of %s", order)
                    .isEqualTo(
                            switch (order.unmarked()) {
                                case Order.None _, Order.Rejected _ -> "NONE";
                                case Order.Cancelled _ -> "CANCELLED";
                                case Order.Paid _ -> "PAID";
                                case Order.Refunded _ -> "REFUNDED";
                                case Order.Requested _,
                                        Order.Created _,
                                        Order.Paying _,
                                        Order.CancelPending _,
                                        Order.Refunding _ -> "at rest";
                            });
            assertThat(order).as("nobody contradicts it").isNotInstanceOf(Order.UnderReview.class);
            for (PaymentBook.Entry entry : order.payments().entries()) {
                assertThat(books.payment(entry.payment().paymentId()))
                        .isEqualTo(entry.standing() instanceof PaymentBook.Standing.Settled ? "SETTLED" : "RETURNED");
            }
            if (order instanceof Order.Bought bought) {
                sold += bought.request().quantity()
                        - bought.purchase().refunds().stream()
                                .filter(OrderRefund::restock)
                                .mapToLong(OrderRefund::units)
                                .sum();
            }
        }
        Numbers stock = stock(books);
        assertThat(stock.sold()).isEqualTo(sold);
        assertThat(stock.occupied()).isZero();
    }

    private static List<Movement> moved(ModelBooks books) {
        return books.movements().stream()
                .map(moved -> new Movement(moved.operationId(), moved.what()))
                .toList();
    }

    /** Holds units anew for so many payments, and answers each as it did the first time. */
    private static final class Shelf implements Holds {

        private final Map<String, HoldAnswer> answers = new HashMap<>();
        private final Set<String> held = new LinkedHashSet<>();
        private final int most;

        private Shelf(int most) {
            this.most = most;
        }

        @Override
        public CompletionStage<Outcome<HoldAnswer>> hold(OrderCreateRequested request, String paymentId) {
            HoldAnswer answer = answers.computeIfAbsent(paymentId, id -> {
                if (held.size() >= most) {
                    return new HoldAnswer.NotHeld("SOLD_OUT");
                }
                held.add("again-" + id);
                return new HoldAnswer.Held("again-" + id);
            });
            return CompletableFuture.completedFuture(Outcome.known(answer));
        }

        /** Every reservation that was ever made. */
        Set<String> held() {
            return held;
        }
    }
}
