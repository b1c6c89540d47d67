package io.holdfast.reservation.day;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.day.BaselineChange.OtherVersion;
import io.holdfast.reservation.day.BaselineChange.OtherZone;
import io.holdfast.reservation.day.BaselineChange.Stands;
import io.holdfast.reservation.domain.BusinessCalendar;
import io.holdfast.reservation.domain.DishBaseline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StoredBaselinesTest {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00.123456Z");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
    private static final Duration NEVER = Duration.ofHours(1);

    private static DayDatabase database;

    private final BaselineTable table = new BaselineTable(database.pool);
    private final MerchantCalendars calendars =
            new MerchantCalendars(Map.of("settled", TOKYO), ZoneId.of("UTC"), table, NEVER);
    private final StoredBaselines baselines = new StoredBaselines(table, calendars, InstantSource.fixed(NOW));

    @BeforeAll
    static void open() {
        database = new DayDatabase();
    }

    @AfterAll
    static void shut() {
        database.close();
    }

    @BeforeEach
    void begin() throws SQLException {
        calendars.start();
    }

    @AfterEach
    void clean() throws SQLException {
        calendars.close();
        database.execute("truncate dish_baseline_total, dish_baseline, merchant_zone");
    }

    private static DishBaseline every(String merchant, String dish, long total) {
        return new DishBaseline(merchant, dish, OptionalLong.of(total), Map.of(), Map.of());
    }

    private BaselineChange set(DishBaseline wanted) throws SQLException {
        return baselines.set(wanted, Optional.empty(), OptionalLong.empty(), "chef");
    }

    private BaselineChange set(DishBaseline wanted, long expected) throws SQLException {
        return baselines.set(wanted, Optional.empty(), OptionalLong.of(expected), "chef");
    }

    private BaselineChange set(DishBaseline wanted, ZoneId zone) throws SQLException {
        return baselines.set(wanted, Optional.of(zone), OptionalLong.empty(), "chef");
    }

    @Test
    void what_is_set_is_found_whole_with_who_and_when() throws SQLException {
        var wanted = new DishBaseline(
                "m-1",
                "soup",
                OptionalLong.of(100),
                Map.of(DayOfWeek.SATURDAY, 150L, DayOfWeek.SUNDAY, 0L),
                Map.of(LocalDate.of(2026, 12, 24), 20L, LocalDate.of(2026, 12, 25), 9_007_199_254_740_991L));
        var kept = new KeptBaseline(wanted, 1, NOW, "chef");
        assertThat(set(wanted)).isEqualTo(new Stands(kept, true));
        assertThat(baselines.find("m-1", "soup")).contains(kept);
        assertThat(baselines.find("m-1", "stew")).isEmpty();
        assertThat(baselines.find("M-1", "soup")).as("ids are compared exactly").isEmpty();
    }

    @Test
    void a_change_replaces_all_of_it_and_counts() throws SQLException {
        set(new DishBaseline("m-1", "soup", OptionalLong.empty(), Map.of(DayOfWeek.MONDAY, 5L), Map.of()));
        set(every("m-1", "soup", 7));
        assertThat(baselines.find("m-1", "soup")).contains(new KeptBaseline(every("m-1", "soup", 7), 2, NOW, "chef"));
    }

    @Test
    void asked_for_what_stands_nothing_changes_whatever_version_is_expected() throws SQLException {
        set(every("m-1", "soup", 7));
        set(every("m-1", "soup", 8), 1);
        for (long expected : new long[] {0, 1, 2, 9}) {
            assertThat(set(every("m-1", "soup", 8), expected))
                    .isEqualTo(new Stands(new KeptBaseline(every("m-1", "soup", 8), 2, NOW, "chef"), false));
        }
    }

    @Test
    void a_change_of_another_version_than_expected_is_refused_with_what_stands() throws SQLException {
        assertThat(set(every("m-1", "soup", 7), 1)).isEqualTo(new OtherVersion(Optional.empty()));
        set(every("m-1", "soup", 7), 0);
        assertThat(set(every("m-1", "soup", 8), 0)).isEqualTo(new OtherVersion(baselines.find("m-1", "soup")));
        assertThat(set(every("m-1", "soup", 8), 1)).isInstanceOf(Stands.class);
    }

    @Test
    void what_was_withdrawn_is_gone_and_its_versions_never_come_again() throws SQLException {
        set(every("m-1", "soup", 7));
        assertThat(withdraw("m-1", "soup")).isEqualTo(new BaselineWithdrawal.Done());
        assertThat(withdraw("m-1", "soup")).isEqualTo(new BaselineWithdrawal.NoneThere());
        assertThat(baselines.find("m-1", "soup")).isEmpty();
        assertThat(set(every("m-1", "soup", 8), 1)).isEqualTo(new OtherVersion(Optional.empty()));
        assertThat(set(every("m-1", "soup", 8), 0))
                .isEqualTo(new Stands(new KeptBaseline(every("m-1", "soup", 8), 3, NOW, "chef"), true));
    }

    @Test
    void it_is_withdrawn_as_it_was_seen_or_not_at_all() throws SQLException {
        set(every("m-1", "soup", 7));
        set(every("m-1", "soup", 8));
        for (long other : new long[] {0, 1, 3}) {
            assertThat(baselines.withdraw("m-1", "soup", OptionalLong.of(other), "chef"))
                    .isEqualTo(new BaselineWithdrawal.OtherVersion(
                            baselines.find("m-1", "soup").orElseThrow()));
        }
        assertThat(baselines.withdraw("m-1", "soup", OptionalLong.of(2), "chef"))
                .isEqualTo(new BaselineWithdrawal.Done());
        assertThat(baselines.withdraw("m-1", "soup", OptionalLong.of(3), "chef"))
                .isEqualTo(new BaselineWithdrawal.NoneThere());
    }

    private BaselineWithdrawal withdraw(String merchant, String dish) throws SQLException {
        return baselines.withdraw(merchant, dish, OptionalLong.empty(), "chef");
    }

    @Test
    void of_many_who_change_the_version_they_saw_at_once_one_does() throws Exception {
        set(every("m-1", "soup", 1));
        List<Callable<BaselineChange>> racers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            long total = 100 + i;
            racers.add(() -> set(every("m-1", "soup", total), 1));
        }
        try (var threads = Executors.newFixedThreadPool(8)) {
            List<BaselineChange> results = new ArrayList<>();
            for (Future<BaselineChange> each : threads.invokeAll(racers)) {
                results.add(each.get());
            }
            assertThat(results).filteredOn(Stands.class::isInstance).hasSize(1);
            assertThat(results).filteredOn(OtherVersion.class::isInstance).hasSize(7);
        }
    }

    @Test
    void a_merchant_has_one_zone_from_its_first_baseline_on() throws SQLException {
        set(every("m-1", "soup", 7), BERLIN);
        assertThat(baselines.calendar("m-1")).isEqualTo(new BusinessCalendar(BERLIN));
        assertThat(set(every("m-1", "stew", 7))).isInstanceOf(Stands.class);
        assertThat(set(every("m-1", "roast", 7), TOKYO)).isEqualTo(new OtherZone(BERLIN));
        assertThat(set(every("m-1", "soup", 7), TOKYO)).isEqualTo(new OtherZone(BERLIN));
        assertThat(baselines.find("m-1", "roast")).isEmpty();
        assertThat(baselines.calendar("m-2")).isEqualTo(new BusinessCalendar(ZoneId.of("UTC")));
    }

    @Test
    void the_zone_can_change_while_the_merchant_sets_out_nothing_else() throws SQLException {
        set(every("m-1", "soup", 7), BERLIN);
        set(every("m-1", "stew", 7));
        withdraw("m-1", "stew");
        assertThat(set(every("m-1", "soup", 7), TOKYO)).isInstanceOf(Stands.class);
        assertThat(baselines.calendar("m-1")).isEqualTo(new BusinessCalendar(TOKYO));
    }

    @Test
    void another_zone_is_another_version_even_of_the_same_totals() throws SQLException {
        set(every("m-1", "soup", 7), BERLIN);
        assertThat(set(every("m-1", "soup", 7), BERLIN))
                .isEqualTo(new Stands(new KeptBaseline(every("m-1", "soup", 7), 1, NOW, "chef"), false));
        var moved = new KeptBaseline(every("m-1", "soup", 7), 2, NOW, "chef");
        assertThat(set(every("m-1", "soup", 7), TOKYO)).isEqualTo(new Stands(moved, false));
        assertThat(baselines.find("m-1", "soup")).contains(moved);
        assertThat(set(every("m-1", "soup", 7), TOKYO)).as("asked again").isEqualTo(new Stands(moved, false));
        assertThat(set(every("m-1", "soup", 8), 1))
                .as("by who read the days of Berlin")
                .isEqualTo(new OtherVersion(Optional.of(moved)));
    }

    @Test
    void what_is_refused_leaves_the_zone_as_it_was() throws SQLException {
        assertThat(baselines.set(every("m-1", "soup", 7), Optional.of(TOKYO), OptionalLong.of(4), "chef"))
                .isInstanceOf(OtherVersion.class);
        set(every("m-1", "soup", 7));
        assertThat(baselines.calendar("m-1")).isEqualTo(new BusinessCalendar(ZoneId.of("UTC")));
        assertThat(baselines.set(every("m-1", "soup", 8), Optional.of(TOKYO), OptionalLong.of(4), "chef"))
                .isInstanceOf(OtherVersion.class);
        assertThat(baselines.calendar("m-1")).isEqualTo(new BusinessCalendar(ZoneId.of("UTC")));
        assertThat(set(every("m-1", "soup", 7)))
                .isEqualTo(new Stands(new KeptBaseline(every("m-1", "soup", 7), 1, NOW, "chef"), false));
    }

    @Test
    void a_zone_that_the_settings_name_stands_above_all() throws SQLException {
        assertThat(set(every("settled", "soup", 7), BERLIN)).isEqualTo(new OtherZone(TOKYO));
        assertThat(set(every("settled", "soup", 7), TOKYO)).isInstanceOf(Stands.class);
        database.execute("update merchant_zone set zone = 'Europe/Berlin', changed = pg_current_xact_id()");
        calendars.refresh();
        assertThat(baselines.calendar("settled")).isEqualTo(new BusinessCalendar(TOKYO));
        assertThat(set(every("settled", "stew", 7))).isInstanceOf(Stands.class);
    }

    @Test
    void other_nodes_learn_of_a_zone_when_they_ask_also_of_one_whose_transaction_was_open_meanwhile()
            throws SQLException {
        try (var elsewhere = new MerchantCalendars(Map.of(), ZoneId.of("UTC"), table, NEVER)) {
            elsewhere.start();
            try (Connection slow = database.pool.getConnection()) {
                slow.setAutoCommit(false);
                slow.createStatement()
                        .execute("insert into merchant_zone (merchant, zone) values ('slow', 'Asia/Tokyo')");
                set(every("m-1", "soup", 7), BERLIN);
                elsewhere.refresh();
                assertThat(elsewhere.of("m-1").zone()).isEqualTo(BERLIN);
                assertThat(elsewhere.of("slow").zone()).isEqualTo(ZoneId.of("UTC"));
                slow.commit();
                slow.setAutoCommit(true);
            }
            elsewhere.refresh();
            assertThat(elsewhere.of("slow").zone()).isEqualTo(TOKYO);
            set(every("m-1", "soup", 8), TOKYO);
            elsewhere.refresh();
            assertThat(elsewhere.of("m-1").zone()).isEqualTo(TOKYO);
        }
    }

    @Test
    void all_baselines_are_read_page_by_page_without_those_withdrawn() throws SQLException {
        for (String dish : List.of("a", "b", "c", "d")) {
            set(new DishBaseline("m-2", dish, OptionalLong.of(1), Map.of(DayOfWeek.MONDAY, 2L), Map.of()));
        }
        set(every("m-1", "z", 1));
        withdraw("m-2", "c");
        List<String> seen = new ArrayList<>();
        try (Connection connection = database.pool.getConnection()) {
            DishBaseline after = null;
            List<KeptBaseline> page;
            do {
                page = table.page(connection, after, 2);
                page.forEach(kept -> seen.add(
                        kept.baseline().merchant() + " " + kept.baseline().dish()));
                after = page.isEmpty() ? after : page.getLast().baseline();
            } while (page.size() == 2);
        }
        assertThat(seen).containsExactly("m-1 z", "m-2 a", "m-2 b", "m-2 d");
    }
}
