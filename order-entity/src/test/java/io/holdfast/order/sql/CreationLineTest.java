package io.holdfast.order.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.SharedStack;
import io.holdfast.order.domain.OrderCommand.CreationAnswer;
import io.holdfast.order.domain.RejectReason;
import io.holdfast.order.port.BookAnswer;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Requests that wait for one item are decided together, each as it would be alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(ReplaceUnderscores.class)
class CreationLineTest {

    private static final Duration PAY_WITHIN = Duration.ofMinutes(15);
    private static final Instant RESERVED_AT = Instant.parse("2026-06-25T09:00:00.123Z");
    private static final String SKU = "phone";

    private HikariDataSource database;
    private ExecutorService threads;
    private OrderTables tables;
    private int sales;

    @BeforeAll
    void open() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(SharedStack.freshDatabase("creations"));
        config.setUsername(SharedStack.postgres().user());
        config.setPassword(SharedStack.postgres().password());
        config.setMaximumPoolSize(8);
        database = new HikariDataSource(config);
        new Migrations(database).migrate();
        threads = Executors.newFixedThreadPool(8);
        tables = new OrderTables(database);
    }

    @AfterAll
    void close() {
        threads.close();
        database.close();
    }

    private String sale(long total) {
        String sale = "sale-" + ++sales;
        assertThat(new SqlFinalStock(database, threads)
                        .setTotal(sale, SKU, "set-1", total)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Outcome.Known.class);
        return sale;
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

    private SqlOrderBooks books(Doors doors) {
        return new SqlOrderBooks(database, doors, "order-service");
    }

    private static Outcome<BookAnswer<CreationAnswer>> told(
            CompletableFuture<Outcome<BookAnswer<CreationAnswer>>> asked) {
        return asked.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Lets them all wait before the first is decided. */
    private List<Outcome<BookAnswer<CreationAnswer>>> together(List<OrderCreateRequested> requests) {
        Doors doors = new Doors(threads);
        SqlOrderBooks books = books(doors);
        doors.close();
        List<CompletableFuture<Outcome<BookAnswer<CreationAnswer>>>> asked = requests.stream()
                .map(request -> books.create(request, PAY_WITHIN).toCompletableFuture())
                .toList();
        doors.open();
        return asked.stream().map(CreationLineTest::told).toList();
    }

    private Outcome<BookAnswer<CreationAnswer>> alone(OrderCreateRequested request) {
        return told(books(new Doors(threads)).create(request, PAY_WITHIN).toCompletableFuture());
    }

    private static Outcome<BookAnswer<CreationAnswer>> turned(RejectReason reason) {
        return Outcome.known(BookAnswer.decided(new CreationAnswer.Turned(reason)));
    }

    private String stock(String sale) {
        return tables.text(
                "select available_stock || '/' || occupied_stock || '/' || sold_stock from sku_inventory where"
                        + " activity = ?",
                sale);
    }

    /** The changes are numbered without a gap, each leads to the numbers of the next, and the last to those of the item. */
    private void addsUp(String sale) {
        List<Numbers> changes = tables.changes(sale, SKU);
        assertThat(changes)
                .extracting(Numbers::version)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, changes.size())
                        .mapToObj(i -> (long) i)
                        .toList());
        assertThat(tables.text("""
            select count(*)::text from (
                select available_stock, occupied_stock, sold_stock,
                    sum(available_delta) over w as available, sum(occupied_delta) over w as occupied,
                    sum(sold_delta) over w as sold
                from order_ledger where activity = ? window w as (order by version)) each
            where (available_stock, occupied_stock, sold_stock) <> (available, occupied, sold)
            """, sale)).isEqualTo("0");
        assertThat(tables.text("""
            select count(*)::text from sku_inventory s join order_ledger l using (activity, sku, version)
            where s.activity = ? and (s.available_stock, s.occupied_stock, s.sold_stock)
                = (l.available_stock, l.occupied_stock, l.sold_stock)
            """, sale)).isEqualTo("1");
        assertThat(tables.text("""
            select count(*)::text from consumer_inbox i full join orders o on o.order_id = i.reservation_id
            where coalesce(o.activity, ?) = ? and (i.result = 'CREATED') <> (o.order_id is not null)
                and i.reservation_id like '%-' || ?
            """, sale, sale, sale)).isEqualTo("0");
    }

    @Test
    void a_decision_that_breaks_is_told_to_those_it_is_about_and_the_line_goes_on() {
        String sale = sale(10);
        Doors doors = new Doors(threads);
        SqlOrderBooks books = books(doors);
        Duration longerThanNumbersGo = Duration.ofDays(200_000);
        doors.close();
        List<CompletableFuture<Outcome<BookAnswer<CreationAnswer>>>> broken = Stream.of("r1", "r2")
                .map(name -> books.create(request(sale, name, "u-" + name, 1), longerThanNumbersGo)
                        .toCompletableFuture())
                .toList();
        doors.open();

        assertThat(broken)
                .allSatisfy(
                        each -> assertThatThrownBy(() -> told(each)).hasRootCauseInstanceOf(ArithmeticException.class));
        assertThat(told(books.create(request(sale, "r3", "u-r3", 1), PAY_WITHIN).toCompletableFuture()))
                .isInstanceOf(Outcome.Known.class);
        assertThat(stock(sale)).isEqualTo("9/1/0");
    }

    @Test
    void those_that_nothing_speaks_against_are_made_in_one_transaction() {
        String sale = sale(1_000);
        List<OrderCreateRequested> requests = IntStream.range(0, 40)
                .mapToObj(i -> request(sale, "r-" + i, "u-" + (99 - i), 1 + i % 3))
                .toList();
        List<Outcome<BookAnswer<CreationAnswer>>> told = together(requests);

        assertThat(told)
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Known.class,
                                known -> assertThat(known.value())
                                        .isInstanceOfSatisfying(
                                                BookAnswer.Decided.class,
                                                decided -> assertThat(decided.value())
                                                        .isInstanceOf(CreationAnswer.Made.class))));
        assertThat(requests).extracting(this::alone).isEqualTo(told);
        assertThat(tables.text("select count(distinct xmin::text)::text from orders where activity = ?", sale))
                .isEqualTo("1");
        long units = requests.stream().mapToLong(OrderCreateRequested::quantity).sum();
        assertThat(stock(sale)).isEqualTo((1_000 - units) + "/" + units + "/0");
        addsUp(sale);
    }

    @Test
    void what_speaks_against_one_of_them_is_told_to_that_one() {
        String sale = sale(100);
        OrderCreateRequested before = request(sale, "before", "u-before", 1);
        Outcome<BookAnswer<CreationAnswer>> first = alone(before);
        OrderCreateRequested once = request(sale, "once", "u-1", 1);
        OrderCreateRequested other = new OrderCreateRequested(
                once.messageId(),
                once.reservationId(),
                "q-1",
                sale,
                SKU,
                "u-1",
                2,
                RESERVED_AT,
                once.businessDeadline());
        List<Outcome<BookAnswer<CreationAnswer>>> told = together(List.of(
                request(sale, "z", "u-9", 1),
                before,
                once,
                once,
                other,
                request(sale, "again", "u-before", 1),
                request(sale, "second", "u-9", 1)));

        assertThat(told.get(1)).isEqualTo(first);
        assertThat(told.get(2)).isEqualTo(told.get(3));
        assertThat(told.get(4))
                .isInstanceOfSatisfying(
                        Outcome.Known.class,
                        known -> assertThat(known.value())
                                .isInstanceOfSatisfying(
                                        BookAnswer.Contradicted.class,
                                        no -> assertThat(no.code()).isEqualTo(OrderCreation.OTHER_PAYLOAD)));
        assertThat(told.get(5)).isEqualTo(turned(RejectReason.DUPLICATE_BUYER));
        assertThat(List.of(told.get(0), told.get(6))).containsOnlyOnce(turned(RejectReason.DUPLICATE_BUYER));
        assertThat(stock(sale)).isEqualTo("97/3/0");
        addsUp(sale);
    }

    @Test
    void when_the_stock_does_not_suffice_for_all_it_is_given_to_some() {
        String sale = sale(5);
        List<Outcome<BookAnswer<CreationAnswer>>> told = together(IntStream.range(0, 9)
                .mapToObj(i -> request(sale, "r-" + i, "u-" + i, 1))
                .toList());
        assertThat(told)
                .filteredOn(turned(RejectReason.OUT_OF_FINAL_STOCK)::equals)
                .hasSize(4);
        assertThat(stock(sale)).isEqualTo("0/5/0");
        addsUp(sale);
    }

    @Test
    void without_a_final_stock_nothing_is_decided() {
        List<Outcome<BookAnswer<CreationAnswer>>> told =
                together(List.of(request("sale-none", "r-1", "u-1", 1), request("sale-none", "r-2", "u-2", 1)));
        assertThat(told).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
        assertThat(tables.text("select count(*)::text from consumer_inbox where reservation_id like '%-sale-none'"))
                .isEqualTo("0");
    }

    @Test
    void where_no_thread_takes_them_they_are_told_so_and_the_next_is_taken() {
        String sale = sale(10);
        List<Runnable> refused = new ArrayList<>();
        SqlOrderBooks books = new SqlOrderBooks(
                database,
                task -> {
                    if (refused.isEmpty()) {
                        refused.add(task);
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                },
                "order-service");
        OrderCreateRequested request = request(sale, "r-1", "u-1", 1);
        assertThat(told(books.create(request, PAY_WITHIN).toCompletableFuture()))
                .isInstanceOf(Outcome.Unavailable.class);
        assertThat(told(books.create(request, PAY_WITHIN).toCompletableFuture()))
                .isEqualTo(alone(request));
    }

    @Test
    void crowds_on_several_nodes_are_told_what_each_would_be_told_alone() {
        String sale = sale(60);
        String other = sale(60);
        Random random = new Random(7);
        List<SqlOrderBooks> nodes = List.of(books(new Doors(threads)), books(new Doors(threads)));
        Map<OrderCreateRequested, List<CompletableFuture<Outcome<BookAnswer<CreationAnswer>>>>> asked = new HashMap<>();
        for (int i = 0; i < 600; i++) {
            int number = random.nextInt(150);
            OrderCreateRequested request =
                    request(number % 3 == 0 ? other : sale, "r-" + number, "u-" + number % 100, 1);
            asked.computeIfAbsent(request, _ -> new ArrayList<>())
                    .add(nodes.get(i % 2).create(request, PAY_WITHIN).toCompletableFuture());
        }
        asked.forEach((request, answers) -> {
            Outcome<BookAnswer<CreationAnswer>> decided = alone(request);
            assertThat(decided).isInstanceOf(Outcome.Known.class);
            assertThat(answers).extracting(CreationLineTest::told).containsOnly(decided);
        });
        addsUp(sale);
        addsUp(other);
    }
}
