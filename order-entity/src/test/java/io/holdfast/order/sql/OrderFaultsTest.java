package io.holdfast.order.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import io.holdfast.localstack.fault.Trap;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.OrderRefund;
import io.holdfast.order.domain.Payment;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.BooksListener;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The line to PostgreSQL breaks at every statement of every decision, and at its COMMIT; what was decided is decided once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PAY_WITHIN = Duration.ofMinutes(15);
    private static final Instant RESERVED_AT = Instant.parse("2026-06-25T09:00:00Z");
    private static final String SKU = "phone";
    private static final String COMMIT = "COMMIT";
    private static final String GROUP = "order-service";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private FaultProxy line;
    private DataSource direct;
    private DataSource broken;
    private DataSource impatient;
    private int sales;

    @BeforeAll
    void open() {
        PostgresServer server = SharedStack.postgres();
        String url = SharedStack.freshDatabase("order_faults");
        line = FaultProxy.to(server.host(), server.port());
        String through = url.replace(":" + server.port() + "/", ":" + line.port() + "/") + "?prepareThreshold=0";
        direct = database(server, url);
        broken = database(server, through);
        impatient = database(server, through + "&options=-c%20lock_timeout=300");
        new Migrations(direct).migrate();
    }

    @AfterEach
    void heal() {
        line.heal();
    }

    @AfterAll
    void close() {
        line.close();
        threads.close();
    }

    private static DataSource database(PostgresServer server, String url) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url);
        database.setUser(server.user());
        database.setPassword(server.password());
        return database;
    }

    /** A sale with one order, or none, before a decision. */
    private record Scene(String sale, OrderCreateRequested request, Payment payment) {
        String order() {
            return request.reservationId();
        }
    }

    private Scene scene() {
        String sale = "sale-" + ++sales;
        return new Scene(
                sale,
                request(sale, "r-1", "u-1", 3),
                new Payment("p-" + sale, "sandbox", "t-" + sale, new Money(3000, "EUR"), RESERVED_AT));
    }

    private static OrderCreateRequested request(String sale, String reservation, String user, long quantity) {
        return new OrderCreateRequested(
                "m-" + reservation + "-" + sale,
                reservation + "-" + sale,
                "q-1",
                sale,
                SKU,
                user,
                quantity,
                RESERVED_AT,
                RESERVED_AT.plus(Duration.ofMinutes(5)));
    }

    /**
     * The adapters over one way to the database.
     *
     * @param doors in front of the threads of {@code books}
     */
    private record Shop(SqlOrderBooks books, SqlFinalStock stock, Doors doors) {}

    private Shop over(DataSource database) {
        Doors doors = new Doors(threads);
        return new Shop(new SqlOrderBooks(database, doors, GROUP), new SqlFinalStock(database, threads), doors);
    }

    /** What these are told who wait together; of those that are not told, the first of their outcomes. */
    private static CompletionStage<Outcome<?>> together(Shop shop, List<OrderCreateRequested> requests) {
        shop.doors().close();
        List<CompletableFuture<Outcome<BookAnswer<CreationAnswer>>>> asked = requests.stream()
                .map(request -> shop.books().create(request, PAY_WITHIN).toCompletableFuture())
                .toList();
        shop.doors().open();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(_ -> asked.stream()
                        .map(CompletableFuture::join)
                        .filter(outcome -> !(outcome instanceof Outcome.Known<?>))
                        .<Outcome<?>>map(outcome -> outcome)
                        .findFirst()
                        .orElseGet(() -> Outcome.known(asked.stream()
                                .<Object>map(OrderFaultsTest::decided)
                                .toList())));
    }

    private static void setOut(Shop shop, Scene scene, long total) {
        assertThat(done(shop.stock().setTotal(scene.sale(), SKU, "set-1", total)))
                .isInstanceOf(Outcome.Known.class);
    }

    private static void make(Shop shop, Scene scene) {
        setOut(shop, scene, 10);
        decided(shop.books().create(scene.request(), PAY_WITHIN));
    }

    private static void mark(Shop shop, Scene scene) {
        make(shop, scene);
        decided(shop.books().markCancelPending(scene.order()));
    }

    private static void callOff(Shop shop, Scene scene) {
        mark(shop, scene);
        decided(shop.books().cancel(scene.order()));
    }

    private static void pay(Shop shop, Scene scene) {
        make(shop, scene);
        decided(shop.books().recordPayment(scene.order(), scene.payment()));
    }

    private static <T> T done(CompletionStage<T> asked) {
        return asked.toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private static Object decided(CompletionStage<? extends Outcome<?>> asked) {
        Outcome<?> outcome = done(asked);
        if (outcome instanceof Outcome.Known<?> known) {
            if (known.value() instanceof BookAnswer.Decided<?> answer) {
                return answer.value();
            }
            if (!(known.value() instanceof BookAnswer<?>)) {
                return known.value();
            }
        }
        throw new AssertionError("not decided: " + outcome);
    }

    /** Every decision there is: what comes before it, its statements in order, and how the stock stands after it. */
    enum Decision {
        CREATED(
                List.of("insert into consumer_inbox", "insert into orders", "update sku_inventory"),
                List.of(7L, 3L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                setOut(shop, scene, 10);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().create(scene.request(), PAY_WITHIN);
            }
        },
        CREATED_TOGETHER(
                List.of("insert into consumer_inbox", "insert into orders", "update sku_inventory"),
                List.of(4L, 6L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                setOut(shop, scene, 10);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return together(
                        shop,
                        List.of(
                                scene.request(),
                                request(scene.sale(), "r-2", "u-2", 1),
                                request(scene.sale(), "r-3", "u-3", 2)));
            }
        },
        CREATED_BESIDE_ONE_THAT_IS_NOT(
                List.of(
                        "insert into consumer_inbox",
                        "insert into orders",
                        "update sku_inventory",
                        "delete from consumer_inbox"),
                List.of(5L, 5L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                setOut(shop, scene, 10);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return together(
                        shop,
                        List.of(
                                scene.request(),
                                request(scene.sale(), "r-2", "u-1", 1),
                                request(scene.sale(), "r-3", "u-3", 2)));
            }
        },
        OUT_OF_STOCK(
                List.of(
                        "insert into consumer_inbox",
                        "insert into orders",
                        "select (select available_stock",
                        "update consumer_inbox"),
                List.of(2L, 0L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                setOut(shop, scene, 2);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().create(scene.request(), PAY_WITHIN);
            }
        },
        SECOND_OF_A_BUYER(
                List.of(
                        "insert into consumer_inbox",
                        "insert into orders",
                        "select (select available_stock",
                        "update consumer_inbox"),
                List.of(7L, 3L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                make(shop, scene);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().create(request(scene.sale(), "r-2", "u-1", 1), PAY_WITHIN);
            }
        },
        OVERDUE(List.of("insert into consumer_inbox"), List.of(10L, 0L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                setOut(shop, scene, 10);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().rejectOverdue(scene.request());
            }
        },
        PAID(
                List.of(
                        "select * from orders",
                        "insert into payment_record",
                        "update orders set status = 'PAID'",
                        "update sku_inventory"),
                List.of(7L, 0L, 3L)) {
            @Override
            void before(Shop shop, Scene scene) {
                make(shop, scene);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().recordPayment(scene.order(), scene.payment());
            }
        },
        PAID_LATE(List.of("select * from orders", "insert into payment_record"), List.of(10L, 0L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                callOff(shop, scene);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().recordPayment(scene.order(), scene.payment());
            }
        },
        CAME_BACK(
                List.of(
                        "select * from orders",
                        "insert into order_reacquisition",
                        "select from orders o join orders l",
                        "update payment_record",
                        "update orders set status = 'PAID'",
                        "update sku_inventory"),
                List.of(7L, 0L, 3L)) {
            @Override
            void before(Shop shop, Scene scene) {
                callOff(shop, scene);
                decided(shop.books().recordPayment(scene.order(), scene.payment()));
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().reacquire(scene.order(), scene.payment(), "again-" + scene.order());
            }
        },
        RETURNED(List.of("update payment_record"), List.of(10L, 0L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                callOff(shop, scene);
                decided(shop.books().recordPayment(scene.order(), scene.payment()));
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().recordReturn(scene.order(), scene.payment(), "back-1");
            }
        },
        MARKED(List.of("select * from orders", "update orders set status = 'CANCEL_PENDING'"), List.of(7L, 3L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                make(shop, scene);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().markCancelPending(scene.order());
            }
        },
        CANCELLED(
                List.of("select * from orders", "update orders set status = 'CANCELLED'", "update sku_inventory"),
                List.of(10L, 0L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                mark(shop, scene);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.books().cancel(scene.order());
            }
        },
        REFUNDED(
                List.of(
                        "select * from orders",
                        "select r.*, p.currency",
                        "update payment_record",
                        "insert into order_refund",
                        "update orders set refunded_quantity",
                        "update sku_inventory"),
                List.of(8L, 0L, 2L)) {
            @Override
            void before(Shop shop, Scene scene) {
                pay(shop, scene);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                OrderRefund one = new OrderRefund("f-1", 1, new Money(1000, "EUR"), true);
                return shop.books().recordRefund(scene.order(), one, scene.payment(), "back-1");
            }
        },
        TOTAL_SET(
                List.of(
                        "insert into sku_inventory",
                        "select * from sku_inventory",
                        "select * from order_ledger",
                        "update sku_inventory"),
                List.of(5L, 0L, 0L)) {
            @Override
            void before(Shop shop, Scene scene) {
                setOut(shop, scene, 10);
            }

            @Override
            CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene) {
                return shop.stock().setTotal(scene.sale(), SKU, "set-2", 5);
            }
        };

        private final List<String> statements;
        private final List<Long> stands;

        Decision(List<String> statements, List<Long> stands) {
            this.statements = statements;
            this.stands = stands;
        }

        abstract void before(Shop shop, Scene scene);

        abstract CompletionStage<? extends Outcome<?>> asked(Shop shop, Scene scene);
    }

    static Stream<Arguments> every_statement() {
        return Stream.of(Decision.values())
                .flatMap(decision -> decision.statements.stream().map(statement -> Arguments.of(decision, statement)));
    }

    private List<Long> stands(Scene scene) {
        Numbers now = done(over(direct).stock().find(scene.sale(), SKU))
                        instanceof Outcome.Known<Optional<Numbers>>(Optional<Numbers> found)
                ? found.orElseThrow()
                : new Numbers(-1, -1, -1, -1, -1);
        List<Numbers> changes = new OrderTables(direct).changes(scene.sale(), SKU);
        assertThat(changes).hasSize((int) now.version());
        assertThat(changes.stream().mapToLong(Numbers::available).sum()).isEqualTo(now.available());
        assertThat(changes.stream().mapToLong(Numbers::occupied).sum()).isEqualTo(now.occupied());
        assertThat(changes.stream().mapToLong(Numbers::sold).sum()).isEqualTo(now.sold());
        return List.of(now.available(), now.occupied(), now.sold());
    }

    /** Asked on a line that works, twice, it says what was decided, and it was decided once. */
    private Object decidedOnce(Decision decision, Scene scene) {
        Object first = decided(decision.asked(over(direct), scene));
        assertThat(decided(decision.asked(over(direct), scene))).isEqualTo(first);
        assertThat(stands(scene)).isEqualTo(decision.stands);
        return first;
    }

    @ParameterizedTest
    @MethodSource("every_statement")
    void a_line_that_breaks_at_a_statement_leaves_nothing_behind(Decision decision, String statement) {
        for (boolean arrived : new boolean[] {false, true}) {
            Scene scene = scene();
            decision.before(over(direct), scene);
            List<Long> before = stands(scene);
            Trap trap = arrived ? line.loseReplyTo(statement) : line.loseRequest(statement);
            Outcome<?> outcome = done(decision.asked(over(broken), scene));
            trap.await(PATIENCE);
            assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
            assertThat(stands(scene)).isEqualTo(before);
            decidedOnce(decision, scene);
        }
    }

    @ParameterizedTest
    @EnumSource(Decision.class)
    void a_commit_whose_answer_is_lost_is_found(Decision decision) {
        Scene scene = scene();
        decision.before(over(direct), scene);
        Trap trap = line.loseReplyTo(COMMIT);
        Object told = decided(decision.asked(over(broken), scene));
        trap.await(PATIENCE);
        assertThat(told).isEqualTo(decidedOnce(decision, scene));
    }

    @ParameterizedTest
    @EnumSource(Decision.class)
    void a_commit_that_never_arrived_is_made_again(Decision decision) {
        Scene scene = scene();
        decision.before(over(direct), scene);
        Trap trap = line.loseRequest(COMMIT);
        Object told = decided(decision.asked(over(broken), scene));
        trap.await(PATIENCE);
        assertThat(told).isEqualTo(decidedOnce(decision, scene));
    }

    /** The old session may still commit: that its rows are not there proves nothing, so nobody is told that they are not. */
    @ParameterizedTest
    @EnumSource(Decision.class)
    void a_commit_that_is_still_on_its_way_is_unknown_until_it_has_arrived(Decision decision) {
        Scene scene = scene();
        decision.before(over(direct), scene);
        List<Long> before = stands(scene);
        Trap trap = line.holdRequest(COMMIT);
        Outcome<?> outcome = done(decision.asked(over(impatient), scene));
        trap.await(PATIENCE);
        assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
        assertThat(stands(scene)).isEqualTo(before);
        trap.release();
        assertThat(stands(scene)).isEqualTo(decision.stands);
        decidedOnce(decision, scene);
    }

    @Test
    void who_asks_meanwhile_waits_for_a_commit_on_its_way_and_is_told_the_same() {
        Scene scene = scene();
        setOut(over(direct), scene, 10);
        Trap trap = line.holdRequest(COMMIT);
        assertThat(done(over(impatient).books().create(scene.request(), PAY_WITHIN)))
                .isInstanceOf(Outcome.Unknown.class);
        trap.await(PATIENCE);
        CompletableFuture<Object> deadline = CompletableFuture.supplyAsync(
                () -> decided(over(direct).books().rejectOverdue(scene.request())), threads);
        waitUntilSomebodyWaits();
        trap.release();
        assertThat(done(deadline)).isInstanceOf(CreationAnswer.Made.class);
        assertThat(stands(scene)).isEqualTo(List.of(7L, 3L, 0L));
    }

    @Test
    void a_database_that_is_not_there_decides_nothing() {
        Scene scene = scene();
        setOut(over(direct), scene, 10);
        line.refuse();
        for (Decision decision : Decision.values()) {
            assertThat(done(decision.asked(over(broken), scene))).isInstanceOf(Outcome.Unavailable.class);
        }
        line.heal();
        assertThat(stands(scene)).isEqualTo(List.of(10L, 0L, 0L));
    }

    @Test
    void units_that_others_take_while_an_order_waits_for_them_take_the_order_along() throws SQLException {
        Scene scene = scene();
        setOut(over(direct), scene, 3);
        OrderCreation creation = new OrderCreation(GROUP, BooksListener.NONE);
        CompletableFuture<Object> late;
        try (Connection first = direct.getConnection()) {
            first.setAutoCommit(false);
            assertThat(creation.create(first, request(scene.sale(), "r-0", "u-0", 2), PAY_WITHIN))
                    .isInstanceOf(BookAnswer.Decided.class);
            late = CompletableFuture.supplyAsync(
                    () -> decided(over(direct).books().create(scene.request(), PAY_WITHIN)), threads);
            waitUntilSomebodyWaits();
            first.commit();
        } catch (Transactions.NotYet e) {
            throw new AssertionError(e);
        }
        assertThat(done(late)).isEqualTo(new CreationAnswer.Turned(RejectReason.OUT_OF_FINAL_STOCK));
        assertThat(new OrderTables(direct).status(scene.order())).isEqualTo("NONE");
        assertThat(stands(scene)).isEqualTo(List.of(1L, 2L, 0L));
    }

    @Test
    void many_who_ask_over_a_line_that_keeps_breaking_are_told_one_thing() {
        for (int round = 0; round < 5; round++) {
            Scene scene = scene();
            setOut(over(direct), scene, 10);
            List<CompletableFuture<Object>> crowd = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                crowd.add(CompletableFuture.supplyAsync(() -> untilKnown(scene), threads));
            }
            for (int i = 0; i < 10; i++) {
                line.cut();
                waitABeat();
            }
            List<Object> told =
                    crowd.stream().map(OrderFaultsTest::done).distinct().toList();
            assertThat(told).hasSize(1);
            assertThat(told.getFirst()).isInstanceOf(CreationAnswer.Made.class);
            assertThat(stands(scene)).isEqualTo(List.of(7L, 3L, 0L));
        }
    }

    private Object untilKnown(Scene scene) {
        for (int i = 0; i < 1_000; i++) {
            Outcome<BookAnswer<CreationAnswer>> outcome =
                    done(over(broken).books().create(scene.request(), PAY_WITHIN));
            if (outcome instanceof Outcome.Known<BookAnswer<CreationAnswer>>) {
                return decided(CompletableFuture.completedFuture(outcome));
            }
        }
        throw new AssertionError("never told");
    }

    private void waitUntilSomebodyWaits() {
        String waits = """
            select count(*)::text from pg_stat_activity, pg_sleep(0.02)
            where datname = current_database() and wait_event_type = 'Lock'
            """;
        Instant end = Instant.now().plus(PATIENCE);
        while (new OrderTables(direct).text(waits).equals("0")) {
            assertThat(Instant.now()).as("nobody waits").isBefore(end);
        }
    }

    private void waitABeat() {
        assertThat(new OrderTables(direct).text("select 'beat' from pg_sleep(0.01)"))
                .isEqualTo("beat");
    }
}
