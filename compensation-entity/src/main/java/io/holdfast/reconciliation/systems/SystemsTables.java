package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reservation.ledger.Anomaly;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What several systems have of the same thing, one page at a time, and what was found. Blocking, on the connection of who carries a run out. */
final class SystemsTables {

    /** Who finds such anomalies. */
    static final String SOURCE = "systems";

    private static final int PAGE = 500;

    /** A page, and after which key the next one begins; empty after the last one. */
    record Page<T>(List<T> found, Optional<String> next) {}

    private SystemsTables() {}

    /** The latest run of all pools, which is also one across systems. */
    record AllRun(long number, boolean repairs) {}

    static Optional<AllRun> latestOfAll(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                        "select number, mode = 'REPAIR' from reconciliation_run where scope = 'ALL' order by number"
                                + " desc limit 1");
                ResultSet r = s.executeQuery()) {
            return r.next() ? Optional.of(new AllRun(r.getLong(1), r.getBoolean(2))) : Optional.empty();
        }
    }

    /** The database's time. */
    static Instant now(Connection connection) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("select clock_timestamp()");
                ResultSet r = s.executeQuery()) {
            r.next();
            return r.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    /** Orders whose reservation is not where it belongs, or may not be, and that have rested on both sides since {@code settled}. */
    static Page<OrderAndHold> orders(Connection connection, String after, Instant settled) throws SQLException {
        return pairs(
                connection,
                after,
                settled,
                """
                select o.order_id, o.hold, o.status, o.refunded, o.version, v.status, v.pool, v.refunded, v.sequence_number,
                       array(select f.refund_id || ' ' || f.quantity || ' ' || f.restock from order_refund f
                             where f.order_id = o.order_id order by f.recorded_at, f.refund_id)
                from (select order_id, order_id as hold, version, updated_at,
                             case when reacquired_as is null then status else 'CANCELLED' end as status,
                             case when reacquired_as is null then refunded_quantity else 0 end as refunded
                      from orders
                      union all
                      select order_id, reacquired_as, version, updated_at, status, refunded_quantity
                      from orders where reacquired_as is not null) o
                left join reservation_view v on v.reservation_id = o.hold
                where o.hold > ? and o.updated_at < ? and coalesce(v.updated_at < ?, true)
                  and not coalesce(
                      o.status in ('CREATED', 'CANCEL_PENDING', 'PAID') and v.status = 'CONFIRMED' and v.refunded = o.refunded
                      or o.status in ('CANCELLED', 'REFUNDED') and v.status in ('CANCELED', 'REFUNDED', 'REJECTED'), false)
                order by o.hold limit ?
                """,
                r -> new OrderAndHold.OrderSide.Order(r.getString(3), r.getLong(4), r.getLong(5), refunds(r)));
    }

    private static List<SystemRepair.RefundTold> refunds(ResultSet r) throws SQLException {
        List<SystemRepair.RefundTold> refunds = new ArrayList<>();
        for (String told : (String[]) r.getArray(10).getArray()) {
            String[] parts = told.split(" ", -1);
            refunds.add(
                    new SystemRepair.RefundTold(parts[0], Long.parseLong(parts[1]), Boolean.parseBoolean(parts[2])));
        }
        return refunds;
    }

    /** Reservations that still have units of requests that were decided against. */
    static Page<OrderAndHold> rejected(Connection connection, String after, Instant settled) throws SQLException {
        return pairs(connection, after, settled, """
            select i.reservation_id, i.reservation_id, i.result, 0, 0, v.status, v.pool, v.refunded, v.sequence_number
            from consumer_inbox i join reservation_view v on v.reservation_id = i.reservation_id
            where i.reservation_id > ? and i.processed_at < ? and v.updated_at < ?
              and i.result <> 'CREATED' and v.status not in ('CANCELED', 'REFUNDED', 'REJECTED')
              and not exists (select from orders o where o.order_id = i.reservation_id)
            order by i.reservation_id limit ?
            """, r -> new OrderAndHold.OrderSide.Rejected(r.getString(3)));
    }

    @FunctionalInterface
    private interface Side {
        OrderAndHold.OrderSide read(ResultSet r) throws SQLException;
    }

    private static Page<OrderAndHold> pairs(Connection connection, String after, Instant settled, String sql, Side side)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            s.setString(1, after);
            s.setObject(2, time(settled));
            s.setObject(3, time(settled));
            s.setInt(4, PAGE);
            List<OrderAndHold> found = new ArrayList<>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    String status = r.getString(6);
                    Optional<OrderAndHold.HoldSide> hold = status == null
                            ? Optional.empty()
                            : Optional.of(new OrderAndHold.HoldSide(
                                    status, Optional.ofNullable(r.getString(7)), r.getLong(8), r.getLong(9)));
                    found.add(new OrderAndHold(r.getString(1), r.getString(2), side.read(r), hold));
                }
            }
            return new Page<>(
                    found,
                    found.size() < PAGE
                            ? Optional.empty()
                            : Optional.of(found.getLast().reservationId()));
        }
    }

    /** Payments against orders: what contradicts itself, and what is still to go back. One statement, so that no transaction is seen by half. */
    static List<SystemFinding> payments(Connection connection, Instant settled) throws SQLException {
        List<SystemFinding> found = new ArrayList<>();
        try (PreparedStatement s = connection.prepareStatement("""
            select p.payment_id, p.order_id, p.status, p.surplus_reason, o.status, o.payment_id,
                   extract(epoch from now() - p.recorded_at)::float8
            from payment_record p left join orders o on o.order_id = p.order_id
            where p.recorded_at < ?
              and (p.status = 'SURPLUS'
                   or p.status = 'SETTLED'
                      and (o.order_id is null or o.status not in ('PAID', 'REFUNDED') or o.payment_id <> p.payment_id))
            order by p.payment_id limit ?
            """)) {
            s.setObject(1, time(settled));
            s.setInt(2, PAGE);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    String payment = r.getString(1);
                    String order = r.getString(2);
                    if (r.getString(3).equals("SURPLUS")) {
                        found.add(SystemRules.surplus(
                                payment, order, r.getString(4), Duration.ofSeconds((long) r.getDouble(7))));
                    } else {
                        found.add(SystemRules.payment(
                                SystemFindingType.PAYMENT_OF_UNPAID_ORDER,
                                payment,
                                order,
                                Map.of(
                                        "payment_status", r.getString(3),
                                        "order_status",
                                                Optional.ofNullable(r.getString(5))
                                                        .orElse("none"),
                                        "paid_by",
                                                Optional.ofNullable(r.getString(6))
                                                        .orElse("none"))));
                    }
                }
            }
        }
        try (PreparedStatement s = connection.prepareStatement("""
            select o.order_id, o.status, o.payment_id from orders o
            where o.payment_id is not null and o.updated_at < ?
              and not exists (select from payment_record p
                              where p.payment_id = o.payment_id and p.order_id = o.order_id and p.status = 'SETTLED')
            order by o.order_id limit ?
            """)) {
            s.setObject(1, time(settled));
            s.setInt(2, PAGE);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(SystemRules.payment(
                            SystemFindingType.PAID_WITHOUT_PAYMENT,
                            r.getString(1),
                            r.getString(1),
                            Map.of("order_status", r.getString(2), "payment", r.getString(3))));
                }
            }
        }
        return found;
    }

    /** Final stock against its orders. One statement: stock and orders change in the same transactions. */
    static List<SystemFinding> stock(Connection connection) throws SQLException {
        List<SystemFinding> found = new ArrayList<>();
        try (PreparedStatement s = connection.prepareStatement("""
            select i.activity, i.sku, i.occupied_stock, i.sold_stock, coalesce(o.occupied, 0), coalesce(o.sold, 0) - coalesce(b.back, 0)
            from sku_inventory i
            left join (select activity, sku,
                              sum(quantity) filter (where status in ('CREATED', 'CANCEL_PENDING')) as occupied,
                              sum(quantity) filter (where status in ('PAID', 'REFUNDED')) as sold
                       from orders group by activity, sku) o using (activity, sku)
            left join (select o.activity, o.sku, sum(f.quantity) as back
                       from order_refund f join orders o on o.order_id = f.order_id
                       where f.restock group by o.activity, o.sku) b using (activity, sku)
            where i.occupied_stock <> coalesce(o.occupied, 0)
               or i.sold_stock <> coalesce(o.sold, 0) - coalesce(b.back, 0)
            order by i.activity, i.sku limit ?
            """)) {
            s.setInt(1, PAGE);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    found.add(SystemRules.stock(
                            r.getString(1),
                            r.getString(2),
                            Map.of(
                                    "occupied", r.getString(3),
                                    "sold", r.getString(4),
                                    "occupied_by_orders", r.getString(5),
                                    "sold_by_orders", r.getString(6))));
                }
            }
        }
        return found;
    }

    /** The anomaly's id: the same difference about the same object is the same row. */
    static String id(SystemFinding finding) {
        return Anomaly.id(finding.type().name(), finding.object());
    }

    /** Keeps what was found, and that it was seen now. */
    static void keep(Connection connection, List<SystemFinding> findings, Instant seen) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into anomaly as a (id, source, type, pool, reservation_id, summary, evidence, at, class, seen_at)
            values (?, ?, ?, ?, ?, ?, jsonb_object(?::text[]), ?, ?, ?)
            on conflict (id) do update set evidence = excluded.evidence, class = excluded.class, seen_at = excluded.seen_at,
                pool = excluded.pool, gone_at = null, found = a.found + case when a.gone_at is null then 0 else 1 end
            """)) {
            for (SystemFinding finding : findings) {
                s.setString(1, id(finding));
                s.setString(2, SOURCE);
                s.setString(3, finding.type().name());
                s.setString(4, finding.pool().orElse(null));
                s.setString(5, finding.reservationId().orElse(null));
                s.setString(6, finding.type().explanation());
                s.setArray(7, connection.createArrayOf("text", evidence(finding)));
                s.setObject(8, time(seen));
                s.setString(9, finding.kind().name());
                s.setObject(10, time(seen));
                s.addBatch();
            }
            s.executeBatch();
        }
    }

    private static String[] evidence(SystemFinding finding) {
        List<String> all = new ArrayList<>(List.of("object", finding.object()));
        finding.evidence().forEach((name, value) -> all.addAll(List.of(name, value)));
        finding.repair()
                .ifPresent(repair -> all.addAll(List.of(
                        "repair_id", repair.id(), "repair", repair.news().name())));
        return all.toArray(String[]::new);
    }

    /** What was not seen again in a pass that looked at everything is gone. */
    static int gone(Connection connection, Instant begun) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update anomaly set gone_at = now() where source = ? and gone_at is null and seen_at < ?")) {
            s.setString(1, SOURCE);
            s.setObject(2, time(begun));
            return s.executeUpdate();
        }
    }

    /** Whether this repair is still to be carried out: it is kept before its command is given. */
    static boolean begin(Connection connection, SystemRepair repair, String anomaly, String by) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            insert into repair as r
                (repair_id, rule, object_type, object_id, expected_version, target, anomaly_id, command, outcome, asked_by)
            values (?, ?, 'RESERVATION', ?, ?, ?, ?, ?, 'UNKNOWN', ?)
            on conflict (repair_id) do update set attempts = r.attempts + 1 where r.settled_at is null
            """)) {
            s.setString(1, repair.id());
            s.setString(2, repair.rule().name());
            s.setString(3, repair.reservationId());
            s.setString(4, repair.expectedVersion());
            s.setString(5, repair.news().name());
            s.setString(6, anomaly);
            s.setString(7, repair.news().name());
            s.setString(8, by);
            return s.executeUpdate() > 0;
        }
    }

    /** Whether whoever was told said no, for good. */
    static boolean refused(Connection connection, SystemRepair repair) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "select from repair where repair_id = ? and settled_at is not null and outcome like 'REFUSED%'")) {
            s.setString(1, repair.id());
            try (ResultSet r = s.executeQuery()) {
                return r.next();
            }
        }
    }

    /** What became of it. */
    static void settle(Connection connection, SystemRepair repair, String outcome) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "update repair set outcome = ?, settled_at = now() where repair_id = ? and settled_at is null")) {
            s.setString(1, outcome);
            s.setString(2, repair.id());
            s.executeUpdate();
        }
    }

    /** How many are open, of each class. */
    static Map<FindingClass, Long> open(Connection connection) throws SQLException {
        Map<FindingClass, Long> counts = new LinkedHashMap<>();
        for (FindingClass kind : FindingClass.values()) {
            counts.put(kind, 0L);
        }
        try (PreparedStatement s = connection.prepareStatement(
                "select class, count(*) from anomaly where source = ? and gone_at is null and class is not null group"
                        + " by class")) {
            s.setString(1, SOURCE);
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    counts.put(FindingClass.valueOf(r.getString(1)), r.getLong(2));
                }
            }
        }
        return counts;
    }

    private static OffsetDateTime time(Instant at) {
        return OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
    }
}
