package io.holdfast.reservation.day;

import io.holdfast.reservation.domain.DishBaseline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Baselines and zones in the database. Blocking. */
public final class BaselineTable {

    private static final String EVERY_DAY = "EVERY_DAY";

    private final DataSource database;

    /** @param database connections of a role that may write the tables */
    public BaselineTable(DataSource database) {
        this.database = database;
    }

    /**
     * Which zone a request wants the merchant to have.
     *
     * @param zone the zone
     * @param insists whether the caller named it; else a zone the merchant has already is kept
     * @param settled whether the nodes' settings name it: then it is the merchant's whatever is stored
     */
    public record WantedZone(ZoneId zone, boolean insists, boolean settled) {}

    /** The baseline of a dish, unless it has none. */
    public Optional<KeptBaseline> find(String merchant, String dish) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return find(connection, merchant, dish).filter(BaselineTable::isSold);
        }
    }

    /**
     * Baselines by merchant and dish, after this one, withdrawn ones left out.
     *
     * @param after the last one seen; null to begin
     */
    List<KeptBaseline> page(Connection connection, @Nullable DishBaseline after, int limit) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            select b.merchant, b.dish, b.version, b.updated_at, b.updated_by, t.applies, t.total
            from (select * from dish_baseline d where (merchant, dish) > (?, ?)
                  and exists (select from dish_baseline_total t where t.merchant = d.merchant and t.dish = d.dish)
                  order by merchant, dish limit ?) b
            join dish_baseline_total t on t.merchant = b.merchant and t.dish = b.dish
            order by b.merchant, b.dish
            """)) {
            s.setString(1, after == null ? "" : after.merchant());
            s.setString(2, after == null ? "" : after.dish());
            s.setInt(3, limit);
            return read(s);
        }
    }

    /**
     * Sets the baseline of a dish. Asked for what stands already, nothing is changed and all is well, whatever version is expected. Another
     * zone is a change of the baseline too: its days are others then. What is refused leaves the zone as it was.
     *
     * @param zone the merchant's calendar
     * @param expectedVersion the version it is based on, 0 for none; empty where the caller does not care
     * @param who is named in the table
     */
    public BaselineChange set(
            DishBaseline wanted, WantedZone zone, OptionalLong expectedVersion, String who, Instant now)
            throws SQLException {
        return inTransaction(
                connection -> {
                    Zoning zoning = takeZone(connection, wanted, zone);
                    if (zoning.other().isPresent()) {
                        return new BaselineChange.OtherZone(zoning.other().get());
                    }
                    Optional<KeptBaseline> row = find(connection, wanted.merchant(), wanted.dish());
                    Optional<KeptBaseline> before = row.filter(BaselineTable::isSold);
                    if (!zoning.moved()
                            && before.filter(kept -> kept.baseline().equals(wanted))
                                    .isPresent()) {
                        return new BaselineChange.Stands(before.get(), false);
                    }
                    long seen = before.map(KeptBaseline::version).orElse(0L);
                    if (expectedVersion.isPresent() && expectedVersion.getAsLong() != seen) {
                        return new BaselineChange.OtherVersion(before);
                    }
                    var kept = new KeptBaseline(
                            wanted, row.map(KeptBaseline::version).orElse(0L) + 1, now, who);
                    write(connection, kept);
                    return new BaselineChange.Stands(kept, before.isEmpty());
                },
                BaselineChange.Stands.class::isInstance);
    }

    /**
     * Withdraws the baseline of a dish. Pools that exist stay as they are.
     *
     * @param expectedVersion the version it is based on; empty where the caller does not care
     * @param who is named in the table
     */
    public BaselineWithdrawal withdraw(
            String merchant, String dish, OptionalLong expectedVersion, String who, Instant now) throws SQLException {
        return inTransaction(
                connection -> {
                    lockZone(connection, merchant);
                    Optional<KeptBaseline> before =
                            find(connection, merchant, dish).filter(BaselineTable::isSold);
                    if (before.isEmpty()) {
                        return new BaselineWithdrawal.NoneThere();
                    }
                    if (expectedVersion.isPresent()
                            && expectedVersion.getAsLong() != before.get().version()) {
                        return new BaselineWithdrawal.OtherVersion(before.get());
                    }
                    var nothing = new DishBaseline(merchant, dish, OptionalLong.empty(), Map.of(), Map.of());
                    write(connection, new KeptBaseline(nothing, before.get().version() + 1, now, who));
                    return new BaselineWithdrawal.Done();
                },
                BaselineWithdrawal.Done.class::isInstance);
    }

    // ---- zones

    /** Zones that may have changed since, and from where to ask the next time. */
    record Zones(Map<String, ZoneId> changed, String since) {}

    /** @param since {@link Zones#since} of the last answer; "0" for all */
    Zones zonesSince(String since) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement s = connection.prepareStatement("""
                    select h.horizon, z.merchant, z.zone
                    from (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon) h
                    left join merchant_zone z on z.changed >= ?::xid8
                    """)) {
            s.setString(1, since);
            Map<String, ZoneId> changed = new HashMap<>();
            String next = since;
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    next = r.getString(1);
                    String merchant = r.getString(2);
                    if (merchant != null) {
                        changed.put(merchant, ZoneId.of(r.getString(3)));
                    }
                }
            }
            return new Zones(changed, next);
        }
    }

    /**
     * What came of the zone that was asked for.
     *
     * @param other the one that stands in the way, if the merchant can't have the wanted one
     * @param moved whether the merchant's days are told by another one from now on. It sets out no other dish then, so the versions of others
     *     need not tell of it; and what the settings name was in force before it was stored
     */
    private record Zoning(Optional<ZoneId> other, boolean moved) {}

    /** The merchant is locked afterwards. */
    private static Zoning takeZone(Connection connection, DishBaseline wanted, WantedZone zone) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "insert into merchant_zone (merchant, zone) values (?, ?) on conflict (merchant) do nothing")) {
            s.setString(1, wanted.merchant());
            s.setString(2, zone.zone().getId());
            s.executeUpdate();
        }
        ZoneId stored = lockZone(connection, wanted.merchant()).orElseThrow();
        if (stored.equals(zone.zone()) || !(zone.insists() || zone.settled())) {
            return new Zoning(Optional.empty(), false);
        }
        if (!zone.settled() && sellsOthers(connection, wanted)) {
            return new Zoning(Optional.of(stored), false);
        }
        try (PreparedStatement s = connection.prepareStatement(
                "update merchant_zone set zone = ?, changed = pg_current_xact_id() where merchant = ?")) {
            s.setString(1, zone.zone().getId());
            s.setString(2, wanted.merchant());
            s.executeUpdate();
        }
        return new Zoning(Optional.empty(), !zone.settled());
    }

    private static Optional<ZoneId> lockZone(Connection connection, String merchant) throws SQLException {
        try (PreparedStatement s =
                connection.prepareStatement("select zone from merchant_zone where merchant = ? for update")) {
            s.setString(1, merchant);
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Optional.of(ZoneId.of(r.getString(1))) : Optional.empty();
            }
        }
    }

    private static boolean sellsOthers(Connection connection, DishBaseline wanted) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(
                "select exists (select from dish_baseline_total where merchant = ? and dish <> ?)")) {
            s.setString(1, wanted.merchant());
            s.setString(2, wanted.dish());
            try (ResultSet r = s.executeQuery()) {
                r.next();
                return r.getBoolean(1);
            }
        }
    }

    // ---- rows

    private static boolean isSold(KeptBaseline kept) {
        DishBaseline baseline = kept.baseline();
        return baseline.everyDay().isPresent()
                || !baseline.weekdays().isEmpty()
                || !baseline.days().isEmpty();
    }

    private static Optional<KeptBaseline> find(Connection connection, String merchant, String dish)
            throws SQLException {
        try (PreparedStatement s = connection.prepareStatement("""
            select b.merchant, b.dish, b.version, b.updated_at, b.updated_by, t.applies, t.total
            from dish_baseline b left join dish_baseline_total t on t.merchant = b.merchant and t.dish = b.dish
            where b.merchant = ? and b.dish = ?
            """)) {
            s.setString(1, merchant);
            s.setString(2, dish);
            return read(s).stream().findFirst();
        }
    }

    private static void write(Connection connection, KeptBaseline kept) throws SQLException {
        DishBaseline baseline = kept.baseline();
        try (PreparedStatement s = connection.prepareStatement("""
            insert into dish_baseline (merchant, dish, version, updated_at, updated_by) values (?, ?, ?, ?, ?)
            on conflict (merchant, dish) do update
            set version = excluded.version, updated_at = excluded.updated_at, updated_by = excluded.updated_by
            """)) {
            s.setString(1, baseline.merchant());
            s.setString(2, baseline.dish());
            s.setLong(3, kept.version());
            s.setObject(4, OffsetDateTime.ofInstant(kept.updatedAt(), ZoneOffset.UTC));
            s.setString(5, kept.updatedBy());
            s.executeUpdate();
        }
        try (PreparedStatement s =
                connection.prepareStatement("delete from dish_baseline_total where merchant = ? and dish = ?")) {
            s.setString(1, baseline.merchant());
            s.setString(2, baseline.dish());
            s.executeUpdate();
        }
        try (PreparedStatement s = connection.prepareStatement(
                "insert into dish_baseline_total (merchant, dish, applies, total) values (?, ?, ?, ?)")) {
            for (var total : totals(baseline).entrySet()) {
                s.setString(1, baseline.merchant());
                s.setString(2, baseline.dish());
                s.setString(3, total.getKey());
                s.setLong(4, total.getValue());
                s.addBatch();
            }
            s.executeBatch();
        }
    }

    private static Map<String, Long> totals(DishBaseline baseline) {
        Map<String, Long> totals = new LinkedHashMap<>();
        baseline.everyDay().ifPresent(total -> totals.put(EVERY_DAY, total));
        baseline.weekdays().forEach((day, total) -> totals.put(day.name(), total));
        baseline.days().forEach((day, total) -> totals.put(day.toString(), total));
        return totals;
    }

    private static List<KeptBaseline> read(PreparedStatement s) throws SQLException {
        List<KeptBaseline> found = new ArrayList<>();
        try (ResultSet r = s.executeQuery()) {
            Rows rows = null;
            while (r.next()) {
                if (rows == null || !rows.isOf(r)) {
                    if (rows != null) {
                        found.add(rows.kept());
                    }
                    rows = new Rows(r);
                }
                rows.add(r);
            }
            if (rows != null) {
                found.add(rows.kept());
            }
        }
        return found;
    }

    /** The rows of one dish. */
    private static final class Rows {
        private final String merchant;
        private final String dish;
        private final long version;
        private final Instant updatedAt;
        private final String updatedBy;
        private OptionalLong everyDay = OptionalLong.empty();
        private final Map<DayOfWeek, Long> weekdays = new EnumMap<>(DayOfWeek.class);
        private final Map<LocalDate, Long> days = new TreeMap<>();

        Rows(ResultSet first) throws SQLException {
            merchant = first.getString(1);
            dish = first.getString(2);
            version = first.getLong(3);
            updatedAt = first.getObject(4, OffsetDateTime.class).toInstant();
            updatedBy = first.getString(5);
        }

        boolean isOf(ResultSet row) throws SQLException {
            return Objects.equals(row.getString(1), merchant) && Objects.equals(row.getString(2), dish);
        }

        void add(ResultSet row) throws SQLException {
            String applies = row.getString(6);
            if (applies == null) {
                return;
            }
            long total = row.getLong(7);
            if (applies.equals(EVERY_DAY)) {
                everyDay = OptionalLong.of(total);
            } else if (Character.isDigit(applies.charAt(0))) {
                days.put(LocalDate.parse(applies), total);
            } else {
                weekdays.put(DayOfWeek.valueOf(applies), total);
            }
        }

        KeptBaseline kept() {
            return new KeptBaseline(
                    new DishBaseline(merchant, dish, everyDay, weekdays, days), version, updatedAt, updatedBy);
        }
    }

    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    /** @param stands whether what was done is to stand; else nothing was */
    private <T> T inTransaction(Work<T> work, Predicate<T> stands) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.in(connection);
                if (stands.test(result)) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }
}
