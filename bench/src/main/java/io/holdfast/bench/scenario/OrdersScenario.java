package io.holdfast.bench.scenario;

import io.holdfast.bench.Options;
import io.holdfast.bench.OurTrial;
import io.holdfast.bench.SaleSet;
import io.holdfast.bench.Subject;
import io.holdfast.bench.check.JournalSums;
import io.holdfast.bench.check.RedisBooks;
import io.holdfast.bench.check.Sums;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.gauge.Profile;
import io.holdfast.bench.load.ClosedLoop;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.load.Operation;
import io.holdfast.bench.raw.RawOrders;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** From the gate to the order: crowds let in for one item, faster than their orders are made; beside the transaction of an order alone. */
final class OrdersScenario implements Scenario {

    private static final double AT_LEAST = 0.7;
    private static final double MEGABYTES_MORE = 30;
    /** Each crowd takes so many parts of all users. */
    private static final int SHARE = 8;

    private static final int MOST_WARM_UPS = 4;
    private static final double STABLE = 1.1;

    private static final int TURNS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOKS_EVERY_MILLIS = 50;
    private static final Duration RAW_LONGEST = Duration.ofSeconds(4);

    /** Entities stay in memory for as long after their last command (entities.linger), and a moment. */
    private static final Duration LINGERING = Duration.ofSeconds(12);

    @Override
    public String name() {
        return "orders";
    }

    @Override
    public String about() {
        return "crowds of an eighth of --many let in for one item until the last has its order; beside the transaction"
                + " of an order alone";
    }

    @Override
    public Result run(Options options, PrintStream out) throws Exception {
        try (Ground ground = Ground.open(this, options, out, stores -> making(stores.kafka()))) {
            var crowds = new Crowds(ground.subject(), options);
            var alone = new RawOrders(ground.stores().database("orders_alone"));
            Meters meters = ground.stores().meters();
            warmUp(crowds, out);
            int connections = alone.best(ground.share(RAW_LONGEST));
            long before = heap();
            Meters.Reading used = meters.read().since(meters.read());
            Turn all = Turn.NONE;
            RawRate raw = raw(ground, alone, connections);
            for (int turn = 1; turn <= TURNS; turn++) {
                Meters.Reading began = meters.read();
                all = all.and(crowds.turn(out, turn == 1 ? options.profile() : Optional.empty()));
                used = sum(used, meters.read().since(began));
                if (turn < TURNS) {
                    raw = raw.and(raw(ground, alone, connections));
                }
            }
            // Before the first look the raw limit was measured, for longer than this.
            TimeUnit.MILLISECONDS.sleep(LINGERING.toMillis());
            double more = (heap() - before) / 1e6;
            Report report = ground.report();
            report.main(all.perSecond(), all.orders(), used);
            report.raw(raw, all.perSecond());
            report.figure(Figure.atLeast(
                    "orders from the gate on to the transaction of an order alone",
                    AT_LEAST,
                    AT_LEAST,
                    all.perSecond() / raw.perSecond()));
            report.figure(Figure.atMost(
                    "MB of heap in use beyond what was before %,d orders".formatted(all.orders()),
                    MEGABYTES_MORE,
                    MEGABYTES_MORE,
                    more));
            report.off(alone.check());
            crowds.check(ground);
            return report.end();
        }
    }

    /** Until a crowd is hardly faster than the one before. */
    private static void warmUp(Crowds crowds, PrintStream out) throws Exception {
        double before = 0;
        for (int crowd = 1; crowd <= MOST_WARM_UPS; crowd++) {
            double now = crowds.turn(out, Optional.empty()).perSecond();
            if (now < before * STABLE) {
                return;
            }
            before = now;
        }
    }

    private static RawRate raw(Ground ground, RawOrders alone, int connections) throws Exception {
        Duration turn = ground.share(RAW_LONGEST);
        return alone.run(connections, turn.dividedBy(4), turn);
    }

    private static Map<String, String> making(String broker) {
        Map<String, String> changes = new HashMap<>(SaleSettings.admitting(broker));
        changes.put("HOLDFAST_ORDERS_SERVICE_KIND", "built-in");
        changes.put("HOLDFAST_ORDERS_SERVICE_PAYMENTS_PROVIDER", "sandbox");
        return changes;
    }

    private static Meters.Reading sum(Meters.Reading one, Meters.Reading other) {
        return new Meters.Reading(
                one.jvm() + other.jvm(),
                one.postgres() + other.postgres(),
                one.redis() + other.redis(),
                other.kafka().isPresent()
                        ? OptionalLong.of(one.kafka().orElse(0) + other.kafka().getAsLong())
                        : other.kafka(),
                one.allocated() + other.allocated());
    }

    /** Bytes that are reachable. */
    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** What turns made of how long they took. */
    private record Turn(long orders, double seconds) {
        static final Turn NONE = new Turn(0, 0);

        Turn and(Turn other) {
            return new Turn(orders + other.orders, seconds + other.seconds);
        }

        double perSecond() {
            return orders / seconds;
        }
    }

    /** Users of one item. */
    private static final class Crowds {

        private final Subject node;
        private final int outstanding;
        private final long each;
        private final SaleSet item = new SaleSet("orders", 1);
        private final AtomicLong users = new AtomicLong();

        private Crowds(Subject node, Options options) {
            this.node = node;
            this.outstanding = options.outstanding();
            this.each = Math.max(1, options.many() / SHARE);
            node.createSales(item, OurTrial.PLENTY);
        }

        /** Lets a crowd in as fast as the gate does, and waits for the last order. */
        private Turn turn(PrintStream out, Optional<Path> profile) throws Exception {
            long before = orders();
            Load load = new ClosedLoop(this::ask, outstanding, users);
            Optional<Profile> recording = profile.map(_ -> Profile.start());
            long began = System.nanoTime();
            load.start();
            for (long in = 0; in < each; in += load.take().getTotalCount()) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
            load.stop(PATIENCE);
            double admitted = seconds(began);
            long letIn = users.get() - before;
            long waiting = users.get() - orders();
            awaitOrders(users.get());
            double made = seconds(began);
            if (recording.isPresent()) {
                try (Profile done = recording.get()) {
                    out.println("profile: " + profile.orElseThrow() + ", summed up in "
                            + done.write(profile.orElseThrow()));
                }
            }
            if (!load.failures().isEmpty()) {
                throw new IllegalStateException("users were not let in: " + load.failures());
            }
            double behind = node.awaitNoLag(SaleSettings.PATIENCE);
            out.printf(
                    Locale.ROOT,
                    "  %,d users let in within %.1f s, %,d of them without an order then; the last order %.1f s later,"
                            + " %,.0f orders a second in all; journals told and viewed another %.1f s later%n",
                    letIn,
                    admitted,
                    waiting,
                    made - admitted,
                    letIn / made,
                    behind);
            return new Turn(letIn, made);
        }

        private void ask(long number, Operation.Ended ended) {
            var _ = node.node().gate().admit(item.wish(number), PATIENCE).whenComplete((answer, failure) -> {
                if (answer instanceof Answer.Queued) {
                    ended.asWished();
                } else {
                    ended.otherwise(answer == null ? "failed: " + failure : answer.toString());
                }
            });
        }

        private void awaitOrders(long wanted) throws Exception {
            long began = System.nanoTime();
            try (Connection connection = connect()) {
                for (long made = orders(connection); made < wanted; made = orders(connection)) {
                    if (System.nanoTime() - began > SaleSettings.PATIENCE.toNanos()) {
                        throw new IllegalStateException(made + " of " + wanted + " orders are made, and no more");
                    }
                    TimeUnit.MILLISECONDS.sleep(LOOKS_EVERY_MILLIS);
                }
            }
        }

        /** That a session begins costs more than several orders: whoever looks often keeps one. */
        private Connection connect() throws SQLException {
            return DriverManager.getConnection(
                    node.database().jdbcUrl(),
                    node.database().user(),
                    node.database().password());
        }

        private long orders() throws SQLException {
            try (Connection connection = connect()) {
                return orders(connection);
            }
        }

        /** One row, however many there are. */
        private static long orders(Connection connection) throws SQLException {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("select coalesce(sum(occupied_stock), 0) from sku_inventory")) {
                row.next();
                return row.getLong(1);
            }
        }

        /** Every user has one order, and every hold is confirmed by it. */
        private void check(Ground ground) throws Exception {
            long all = users.get();
            try (Connection connection = connect();
                    var statement = connection.createStatement();
                    var row = statement.executeQuery("select (select count(*) from orders where status = 'CREATED'),"
                            + " (select count(*) from order_ledger where action = 'OCCUPY'),"
                            + " (select count(distinct user_id) from orders),"
                            + " (select count(*) from consumer_inbox where result = 'CREATED')")) {
                row.next();
                for (int column = 1; column <= 4; column++) {
                    if (row.getLong(column) != all) {
                        ground.report().off(all + " users, and " + row.getLong(column) + " in column " + column);
                    }
                }
            }
            List<String> pools = item.pools().stream().map(pool -> pool.value()).toList();
            long began = System.nanoTime();
            while (sold(pools) < all && System.nanoTime() - began < SaleSettings.PATIENCE.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(LOOKS_EVERY_MILLIS);
            }
            node.awaitNoLag(SaleSettings.PATIENCE);
            JournalSums journal = JournalSums.of(node.database());
            ground.report().off(journal.faults());
            ground.check(node, journal, Map.of(pools.getFirst(), new Sums.Told(0, all)));
        }

        private long sold(List<String> pools) {
            return RedisBooks.of(node.redisUri(), pools).values().stream()
                    .mapToLong(RedisBooks::sold)
                    .sum();
        }

        private static double seconds(long began) {
            return (System.nanoTime() - began) / 1e9;
        }
    }
}
