package io.holdfast.reconciliation.systems;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.JournalSide;
import io.holdfast.reservation.conformance.MigratedDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Orders, payments and stock as the tables of PostgreSQL have them, compared with reservations. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SystemsReconcilerTest {

    private static HikariDataSource database;

    private final List<SystemRepair> told = new ArrayList<>();
    private final List<SystemFindingType> repaired = new ArrayList<>();
    private Map<FindingClass, Long> open = Map.of();
    private Outcome<String> answer = Outcome.known("DONE");

    @BeforeAll
    static void open() {
        database = MigratedDatabase.fresh("systems");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @AfterEach
    void clean() throws SQLException {
        sql("truncate orders, sku_inventory, consumer_inbox, payment_record, order_refund, reservation_view,"
                + " anomaly, repair, reconciliation_run cascade");
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(statement)) {
            s.execute();
        }
    }

    private static List<String> read(String query) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement(query);
                ResultSet r = s.executeQuery()) {
            List<String> rows = new ArrayList<>();
            while (r.next()) {
                rows.add(r.getString(1));
            }
            return rows;
        }
    }

    private static void sale(long occupied, long sold) throws SQLException {
        sql("insert into sku_inventory values ('sale', 'phone', 100, " + (100 - occupied - sold) + ", " + occupied
                + ", " + sold + ", 1)");
    }

    private static void order(String id, String status) throws SQLException {
        boolean paid = status.equals("PAID");
        sql("insert into orders (order_id, message_id, request_id, activity, sku, user_id, quantity, status,"
                + " payment_id, reserved_at, business_deadline, created_at, pay_by, paid_at, cancelled_at,"
                + " updated_at) values ('" + id
                + "', 'm-" + id
                + "', 'q', 'sale', 'phone', 'u-" + id + "', 2, '" + status + "', "
                + (paid ? "'p-" + id + "'" : "null")
                + ", now() - interval '1 h', now() + interval '1 h', now() - interval '1 h', now() + interval"
                + " '1 h', "
                + (paid ? "now()" : "null") + ", " + (status.equals("CANCELLED") ? "now()" : "null")
                + ", now() - interval '1 minute')");
    }

    private static void payment(String id, String order, String status) throws SQLException {
        sql("insert into payment_record (payment_id, provider, provider_transaction, order_id, amount, currency,"
                + " paid_at, status, surplus_reason, recorded_at)"
                + " values"
                + " ('" + id + "', 'sandbox', 't-" + id + "', '" + order
                + "', 100, 'EUR', now(), '" + status + "', "
                + (status.equals("SURPLUS") ? "'ORDER_CANCELLED'" : "null") + ", now() - interval '1 minute')");
    }

    private static void rejected(String id) throws SQLException {
        sql("insert into consumer_inbox values ('g', 'm-" + id + "', '" + id
                + "', 'REQUEST', sha256('x'), 'OUT_OF_FINAL_STOCK'," + " now() - interval '1 minute')");
    }

    private static void hold(String id, String status) throws SQLException {
        sql("insert into reservation_view (reservation_id, status, pool, merchant, dish, order_id, order_item_id,"
                + " order_type, quantity, attention_at, created_at, updated_at, sequence_number, state)"
                + " values ('" + id
                + "', '" + status
                + "', 'sale:phone', 'sale', 'phone', '" + id + "', '" + id
                + "', 'INSTANT', 2, now(), now(), now() - interval '1 minute', 4, '{}')");
    }

    private static void run(String mode) throws SQLException {
        sql("insert into reconciliation_run (id, scope, mode, full_pass, requested_by) values"
                + " (gen_random_uuid()::text, 'ALL', '"
                + mode + "', false, 'test')");
    }

    /** A node: its own memory of what it has handled. */
    private SystemsReconciler node() {
        JournalSide journals = (JournalSide) Proxy.newProxyInstance(
                JournalSide.class.getClassLoader(), new Class<?>[] {JournalSide.class}, (_, method, _) -> {
                    assertThat(method.getName()).isEqualTo("settledUntil");
                    return Instant.now();
                });
        return new SystemsReconciler(
                journals,
                repair -> {
                    told.add(repair);
                    return CompletableFuture.completedFuture(answer);
                },
                new SystemsListener() {
                    @Override
                    public void compared(Map<FindingClass, Long> found) {
                        open = found;
                    }

                    @Override
                    public void repaired(SystemFindingType type) {
                        repaired.add(type);
                    }
                },
                Duration.ofSeconds(5));
    }

    private static void pass(SystemsReconciler node) throws SQLException {
        try (Connection connection = database.getConnection()) {
            node.begin(connection);
            for (int i = 0; i < 10; i++) {
                node.round(connection);
            }
        }
    }

    private List<String> tellings() {
        return told.stream()
                .map(repair -> repair.reservationId() + " " + repair.news())
                .sorted()
                .toList();
    }

    @Test
    void each_difference_is_found_with_its_class_and_what_may_be_repaired_is_told_once() throws SQLException {
        sale(6, 6);
        order("agrees", "CREATED");
        hold("agrees", "CONFIRMED");
        order("unheard", "CREATED");
        hold("unheard", "RESERVED");
        order("under-way", "CREATED");
        hold("under-way", "CONFIRMING");
        order("called-off", "CANCELLED");
        hold("called-off", "CONFIRMED");
        order("given-back", "PAID");
        payment("p-given-back", "given-back", "SETTLED");
        hold("given-back", "CANCELED");
        order("no-hold", "PAID");
        payment("p-no-hold", "no-hold", "SETTLED");
        order("no-payment", "PAID");
        hold("no-payment", "CONFIRMED");
        rejected("turned-down");
        hold("turned-down", "RESERVED");
        payment("late", "called-off", "SURPLUS");
        run("REPAIR");

        pass(node());

        assertThat(read("select class || ' ' || type || ' ' || (evidence ->> 'object') from anomaly order by 1"))
                .containsExactly(
                        "MANUAL ORDER_WITHOUT_HOLD no-hold",
                        "MANUAL PAID_ORDER_GIVEN_BACK given-back",
                        "MANUAL PAID_WITHOUT_PAYMENT no-payment",
                        "REPAIR ENDED_ORDER_HELD called-off",
                        "REPAIR ORDER_UNKNOWN_TO_HOLD unheard",
                        "REPAIR REJECTED_ORDER_HELD turned-down",
                        "WAIT SURPLUS_NOT_RETURNED late",
                        "WAIT UNDER_WAY under-way");
        assertThat(open)
                .containsEntry(FindingClass.REPAIR, 3L)
                .containsEntry(FindingClass.WAIT, 2L)
                .containsEntry(FindingClass.MANUAL, 3L);
        List<String> once = List.of(
                "called-off ORDER_CANCELED",
                "given-back FREEZE",
                "turned-down ORDER_CREATED_FAILED",
                "unheard ORDER_CREATED");
        assertThat(tellings()).isEqualTo(once);
        assertThat(repaired).hasSize(3);

        run("REPAIR");
        pass(node());
        pass(node());
        assertThat(tellings()).as("on another node, and again").isEqualTo(once);
        assertThat(read("select outcome || ' ' || attempts from repair")).containsOnly("DONE 1");

        sql("update reservation_view set status = 'CONFIRMED' where reservation_id = 'unheard'");
        run("DRY_RUN");
        pass(node());
        assertThat(read("select evidence ->> 'object' from anomaly where gone_at is not null"))
                .containsExactly("unheard");
    }

    @Test
    void a_repair_whose_answer_is_lost_is_given_again_under_its_id() throws SQLException {
        sale(0, 0);
        rejected("turned-down");
        hold("turned-down", "RESERVED");
        run("REPAIR");
        answer = Outcome.unknown("lost");
        pass(node());
        assertThat(read("select outcome from repair")).containsExactly("UNKNOWN");
        answer = Outcome.known("DONE");
        run("REPAIR");
        pass(node());
        assertThat(told)
                .hasSize(2)
                .extracting(SystemRepair::id)
                .containsOnly(told.getFirst().id());
        assertThat(read("select outcome || ' ' || attempts from repair")).containsExactly("DONE 2");
    }

    @Test
    void a_run_that_only_looks_tells_nobody() throws SQLException {
        sale(0, 0);
        rejected("turned-down");
        hold("turned-down", "RESERVED");
        run("DRY_RUN");
        pass(node());
        assertThat(read("select type from anomaly")).containsExactly("REJECTED_ORDER_HELD");
        assertThat(told).isEmpty();
    }

    @Test
    void what_moved_just_now_is_left_for_later_and_final_stock_is_what_its_orders_come_to() throws SQLException {
        sale(4, 0);
        order("moving", "CANCELLED");
        hold("moving", "CONFIRMED");
        sql("update reservation_view set updated_at = now()");
        run("REPAIR");
        pass(node());
        assertThat(read("select type || ' ' || (evidence ->> 'occupied') || ' ' || (evidence ->>"
                        + " 'occupied_by_orders') from anomaly"))
                .containsExactly("FINAL_STOCK_DIFFERS 4 0");
        assertThat(told).isEmpty();
    }

    @Test
    void all_tables_say_what_they_have_of_one_object_in_the_order_of_authority() throws SQLException {
        sale(0, 2);
        order("given-back", "PAID");
        payment("p-given-back", "given-back", "SETTLED");
        hold("given-back", "CANCELED");
        run("REPAIR");
        pass(node());
        List<EvidenceSource> sources = new SystemsQueries(database).evidence("given-back");
        assertThat(sources).extracting(EvidenceSource::rank).isSorted();
        assertThat(sources)
                .extracting(EvidenceSource::name)
                .containsExactly(
                        "payments", "order", "final stock", "reservation", "inbox", "compensations", "repairs");
        assertThat(sources.get(0).json()).contains("p-given-back");
        assertThat(sources.get(1).json()).contains("\"status\": \"PAID\"", "\"refunds\": []");
        assertThat(sources.get(3).json()).contains("CANCELED");
        assertThat(new SystemsQueries(database).pool("given-back")).contains("sale:phone");
        assertThat(new SystemsQueries(database).repairs(Optional.empty(), 10))
                .extracting(SystemsQueries.Kept::target)
                .containsExactly("FREEZE");
    }

    @Test
    void an_order_that_came_back_is_compared_with_the_hold_it_came_back_with_and_its_first_one_must_have_ended()
            throws SQLException {
        sale(0, 4);
        for (String id : List.of("good", "bad")) {
            order(id, "PAID");
            payment("p-" + id, id, "SETTLED");
            sql("update orders set reacquired_as = 'again-" + id + "' where order_id = '" + id + "'");
        }
        hold("good", "REFUNDED");
        hold("again-good", "CONFIRMED");
        hold("bad", "CONFIRMED");
        hold("again-bad", "RESERVED");
        run("REPAIR");
        pass(node());
        assertThat(tellings()).containsExactly("again-bad ORDER_CREATED", "bad ORDER_CANCELED");
        assertThat(told).extracting(SystemRepair::orderId).containsOnly("bad");
        List<EvidenceSource> sources = new SystemsQueries(database).evidence("again-bad");
        assertThat(sources.get(0).json()).contains("p-bad");
        assertThat(sources.get(3).json()).contains("RESERVED");
    }

    @Test
    void refunds_that_the_hold_has_not_heard_of_are_told_and_what_it_refuses_is_left_to_a_person() throws SQLException {
        sale(0, 1);
        order("part", "PAID");
        payment("p-part", "part", "SETTLED");
        hold("part", "CONFIRMED");
        sql("update orders set refunded_quantity = 1, refunded_at = now()");
        sql("insert into order_refund values ('part', 'f-1', 'p-part', 1, 50, true, 'back-1')");
        run("REPAIR");
        answer = Outcome.known("REFUSED REFUND_EXCEEDS");
        pass(node());
        assertThat(tellings()).containsExactly("part REFUND_REQUESTED");
        assertThat(told.getFirst().refunds()).containsExactly(new SystemRepair.RefundTold("f-1", 1, true));
        assertThat(read("select class from anomaly")).containsExactly("REPAIR");
        run("REPAIR");
        pass(node());
        assertThat(told).hasSize(1);
        assertThat(read("select class || ' ' || type from anomaly")).containsExactly("MANUAL REFUNDS_DIFFER");
    }
}
