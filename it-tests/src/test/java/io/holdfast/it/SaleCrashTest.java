package io.holdfast.it;

import static io.holdfast.it.SaleHall.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.fault.FaultProxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node that sells is killed with SIGKILL at every failpoint between the gate and the end of an order, and started again. All are brought
 * to their points together, each with an item of its own, since a start takes seconds; then everything comes to its end, once, and nothing
 * appeared or was lost.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SaleCrashTest {

    private static SaleHall hall;

    @BeforeAll
    static void open() throws Exception {
        hall = SaleHall.open("salecrash", """
            gate.hand-over-after = 1s
            compensation.journal = always
            """);
    }

    @AfterAll
    static void close() {
        hall.close();
    }

    static IntStream rounds() {
        return Crash.rounds();
    }

    /** What became of the transaction. */
    private enum Fate {
        /** It had not committed. */
        ROLLED_BACK,
        /** It committed, and the node never heard so. */
        COMMITTED_UNHEARD,
        /** It committed, and the node had no time to journal or acknowledge it. */
        COMMITTED_UNJOURNALED
    }

    /** What is under way when the node dies. */
    private enum Step {
        CREATE("select count(*) from consumer_inbox where reservation_id = '%s'", "CREATED", "CONFIRMED"),
        REJECT("select count(*) from consumer_inbox where reservation_id = '%s'", "REJECTED", "CANCELED"),
        PAY("select count(*) from payment_record where order_id = '%s'", "PAID", "CONFIRMED"),
        MARK_CANCELLED(
                "select count(*) from orders where order_id = '%s' and status = 'CANCEL_PENDING'",
                "CANCELLED", "REFUNDED"),
        CANCEL("select count(*) from orders where order_id = '%s' and status = 'CANCELLED'", "CANCELLED", "REFUNDED");

        final String committed;
        final String order;
        final String reservation;

        Step(String committed, String order, String reservation) {
            this.committed = committed;
            this.order = order;
            this.reservation = reservation;
        }

        /** What is true before it begins. */
        void prepare(String sku) throws SQLException {
            hall.sell(sku, 3);
            switch (this) {
                case CREATE -> {}
                case REJECT ->
                    // What the gate has and the final stock has not.
                    execute("update sku_inventory set initial_stock = 0, available_stock = 0 where sku = '" + sku
                            + "'");
                case PAY, MARK_CANCELLED, CANCEL -> hall.admit(sku, "ann");
            }
        }

        /** Waits until what was prepared is there. */
        void ready(String order) {
            switch (this) {
                case CREATE, REJECT -> {}
                case PAY, MARK_CANCELLED, CANCEL -> {
                    hall.awaitOrder(order, "CREATED");
                    hall.awaitReservation(order, "CONFIRMED");
                }
            }
        }

        void begin(String sku, String order) {
            switch (this) {
                case CREATE, REJECT -> hall.admit(sku, "ann");
                case PAY -> hall.pay(order);
                case MARK_CANCELLED, CANCEL -> hall.cancel(order);
            }
        }
    }

    private static void execute(String sql) throws SQLException {
        try (var connection = hall.site.database();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private record Victim(Step step, Failpoint at, Fate fate, String sku, String order) {
        boolean committed() throws SQLException {
            return hall.count(step.committed.formatted(order)) == 1;
        }
    }

    private static Victim victim(int round, Step step, Failpoint at, Fate fate) {
        String sku = "w" + round + "-" + step.ordinal() + "-" + at.ordinal() + "-" + fate.ordinal();
        return new Victim(step, at, fate, sku, hall.id(sku, "ann"));
    }

    private static List<Victim> victims(int round) {
        List<Victim> all = new ArrayList<>();
        for (Failpoint inside :
                List.of(Failpoint.AFTER_INBOX_INSERT, Failpoint.AFTER_ORDER_INSERT, Failpoint.AFTER_STOCK_DECREMENT)) {
            all.add(victim(round, Step.CREATE, inside, Fate.ROLLED_BACK));
        }
        all.add(victim(round, Step.PAY, Failpoint.AFTER_PAYMENT_INSERT, Fate.ROLLED_BACK));
        all.add(victim(round, Step.MARK_CANCELLED, Failpoint.AFTER_CANCEL_PENDING, Fate.ROLLED_BACK));
        for (Fate fate : List.of(Fate.COMMITTED_UNHEARD, Fate.COMMITTED_UNJOURNALED)) {
            all.add(victim(round, Step.CREATE, Failpoint.IN_COMMIT_OF_CREATION, fate));
            all.add(victim(round, Step.REJECT, Failpoint.IN_COMMIT_OF_CREATION, fate));
            all.add(victim(round, Step.PAY, Failpoint.IN_COMMIT_OF_PAYMENT, fate));
            all.add(victim(round, Step.MARK_CANCELLED, Failpoint.IN_COMMIT_OF_CANCEL_PENDING, fate));
            all.add(victim(round, Step.CANCEL, Failpoint.IN_COMMIT_OF_CANCELLATION, fate));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void what_a_killed_node_had_under_way_between_the_gate_and_the_end_of_an_order_is_done_once(int round)
            throws Exception {
        List<Victim> victims = victims(round);
        String sent = "w" + round + "-sent";
        String let = "w" + round + "-let-in";
        for (Victim victim : victims) {
            victim.step().prepare(victim.sku());
        }
        for (Victim victim : victims) {
            victim.step().ready(victim.order());
        }
        hall.sell(sent, 3);
        hall.sell(let, 3);
        try (var points = new Failpoints(hall.site.database())) {
            for (Victim victim : victims) {
                points.shut(victim.at(), victim.order());
                points.shut(
                        victim.step() == Step.MARK_CANCELLED
                                ? Failpoint.BEFORE_CANCEL_PENDING_IS_JOURNALED
                                : Failpoint.BEFORE_DECIDED_IS_JOURNALED,
                        victim.order());
                victim.step().begin(victim.sku(), victim.order());
            }
            for (Victim victim : victims) {
                awaitThat(victim + " is reached", () -> points.isWaitedAt(victim.at(), victim.order()));
            }

            // The broker has the request, and nobody has said so: the journal waits from here on.
            points.shut(Failpoint.BEFORE_MARKED_AS_SENT, hall.id(sent, "ann"));
            hall.admit(sent, "ann");
            awaitThat("sent", () -> points.isWaitedAt(Failpoint.BEFORE_MARKED_AS_SENT, hall.id(sent, "ann")));
            assertThat(hall.told("requests").get(hall.id(sent, "ann"))).hasSize(1);
            // Redis has let it in, and nobody knows.
            points.shut(Failpoint.BEFORE_ADOPTED, hall.id(let, "ann"));
            hall.admit(let, "ann");
            assertThat(hall.listed(let)).isEqualTo(1);

            for (Victim victim : of(victims, Fate.COMMITTED_UNJOURNALED)) {
                points.open(victim.at(), victim.order());
                awaitThat(victim + " is committed", victim::committed);
            }
            hall.node.freeze();
            for (Victim victim : of(victims, Fate.COMMITTED_UNHEARD)) {
                points.open(victim.at(), victim.order());
                awaitThat(victim + " is committed", victim::committed);
            }
            hall.node.kill();
        }
        for (Victim victim : victims) {
            assertThat(victim.committed()).as("%s", victim).isEqualTo(victim.fate() != Fate.ROLLED_BACK);
        }
        assertThat(hall.journal("reservation", hall.id(let, "ann"))).isEmpty();
        assertThat(hall.journal("reservation", hall.id(sent, "ann"))).doesNotContain("OrderRequestSent");

        hall.node.restart();

        Map<String, Step> all = new LinkedHashMap<>();
        victims.forEach(victim -> all.put(victim.sku(), victim.step()));
        all.put(sent, Step.CREATE);
        all.put(let, Step.CREATE);
        end(all);
        assertThat(hall.told("requests").get(hall.id(sent, "ann")))
                .as("sent again, since nobody had said so")
                .hasSizeGreaterThan(1);
    }

    private static List<Victim> of(List<Victim> victims, Fate fate) {
        return victims.stream().filter(one -> one.fate() == fate).toList();
    }

    /** Each item to its end, and everything on the way once. */
    private static void end(Map<String, Step> items) throws SQLException {
        for (var item : items.entrySet()) {
            String order = hall.id(item.getKey(), "ann");
            Step step = item.getValue();
            hall.awaitOrder(order, step.order);
            hall.awaitReservation(order, step.reservation);
            assertThat(hall.count("select count(*) from consumer_inbox where reservation_id = '" + order + "'"))
                    .isEqualTo(1);
            assertThat(hall.count("select count(*) from orders where order_id = '" + order + "'"))
                    .isEqualTo(step == Step.REJECT ? 0 : 1);
            assertThat(hall.count("select count(*) from payment_record where order_id = '" + order + "'"))
                    .isEqualTo(step == Step.PAY ? 1 : 0);
            hall.conserved(item.getKey());
        }
        Map<String, List<String>> requests = hall.told("requests");
        Map<String, List<String>> outcomes = hall.told("orders");
        items.forEach((sku, step) -> {
            String order = hall.id(sku, "ann");
            assertThat(requests.get(order).stream().distinct())
                    .as("one request for %s, however often it was sent", sku)
                    .hasSize(1);
            assertThat(outcomes.get(order).stream().distinct())
                    .as("one outcome of %s, or two where it was cancelled", sku)
                    .hasSize(step.order.equals("CANCELLED") ? 2 : 1);
        });
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void what_redis_has_taken_back_and_the_dead_node_never_heard_of_goes_back_once(int round) throws Exception {
        String rejected = "c" + round + "-rejected";
        String cancelled = "c" + round + "-cancelled";
        Step.REJECT.prepare(rejected);
        Step.CANCEL.prepare(cancelled);
        Step.CANCEL.ready(hall.id(cancelled, "ann"));
        // The hold is in its journal, and its order about to be rejected, when nobody hears Redis any more.
        try (var points = new Failpoints(hall.site.database())) {
            points.shut(Failpoint.IN_COMMIT_OF_CREATION, hall.id(rejected, "ann"));
            points.shut(Failpoint.IN_COMMIT_OF_CANCELLATION, hall.id(cancelled, "ann"));
            hall.admit(rejected, "ann");
            hall.cancel(hall.id(cancelled, "ann"));
            awaitThat(
                    "both wait",
                    () -> points.isWaitedAt(Failpoint.IN_COMMIT_OF_CREATION, hall.id(rejected, "ann"))
                            && points.isWaitedAt(Failpoint.IN_COMMIT_OF_CANCELLATION, hall.id(cancelled, "ann")));
            hall.site.toRedis.muteAfter("EVALSHA");
            points.open(Failpoint.IN_COMMIT_OF_CREATION, hall.id(rejected, "ann"));
            points.open(Failpoint.IN_COMMIT_OF_CANCELLATION, hall.id(cancelled, "ann"));
            awaitThat(
                    "Redis has both back",
                    () -> hall.redis(rejected, "available") == 3 && hall.redis(cancelled, "available") == 3);
            hall.node.kill();
        }
        assertThat(hall.journal("compensation", "RELEASE:" + hall.id(rejected, "ann")))
                .isNotEmpty()
                .doesNotContain("CompensationApplied");
        FaultProxy line = hall.site.toRedis;
        line.cut();
        line.heal();

        hall.node.restart();

        end(Map.of(rejected, Step.REJECT, cancelled, Step.CANCEL));
        awaitThat(
                "both are verified",
                () -> hall.count("select count(*) from compensation_view where status = 'VERIFIED'"
                                + " and reservation_id in ('" + hall.id(rejected, "ann") + "', '"
                                + hall.id(cancelled, "ann") + "')")
                        == 2);
        assertThat(hall.redis(rejected, "available")).isEqualTo(3);
        assertThat(hall.redis(cancelled, "available")).isEqualTo(3);
    }
}
