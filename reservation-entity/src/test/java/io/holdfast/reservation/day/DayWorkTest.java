package io.holdfast.reservation.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.day.DayListener.Step;
import io.holdfast.reservation.domain.DishBaseline;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Passes over a real database, by a clock that the test sets; the pools answer what the test says. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DayWorkTest {

    private static final Duration NEVER = Duration.ofHours(1);

    private static DayDatabase database;

    private final BaselineTable table = new BaselineTable(database.pool);
    private final MerchantCalendars calendars = new MerchantCalendars(Map.of(), ZoneId.of("UTC"), table, NEVER);
    private Instant now = Instant.parse("2026-07-25T12:00:00Z");
    private final Pools pools = new Pools();
    private final List<String> done = new ArrayList<>();
    private final List<String> notDone = new ArrayList<>();
    private final AtomicInteger passes = new AtomicInteger();
    private final AtomicInteger ids = new AtomicInteger();

    /** Pools that do what they are asked, unless the test says otherwise. */
    private static final class Pools implements Entities<StockPool, StockPoolCommand> {
        private final List<String> asked = new ArrayList<>();
        private final Map<String, Outcome<Verdict>> answers = new HashMap<>();

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            PoolOperation operation = (PoolOperation) command;
            asked.add(operation.getClass().getSimpleName() + " " + entityId + " " + operation.operationId()
                    + (operation instanceof PoolOperation.Init init ? " " + init.total() : ""));
            StockPool state = new StockPoolMachine(EffectPolicies.standard()).initial(entityId);
            return CompletableFuture.completedFuture(answers.getOrDefault(entityId, Outcome.known(Verdict.done()))
                    .map(verdict -> new Reply<>(entityId, 1, verdict, false, state, List.of())));
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            throw new AssertionError("nobody looks");
        }
    }

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
        database.execute("truncate dish_baseline_total, dish_baseline, merchant_zone, pool_view, reservation_view");
    }

    private static DaySettings settings(int batch) {
        return new DaySettings(
                Duration.ofHours(2),
                Duration.ofMinutes(5),
                Duration.ofDays(3),
                NEVER,
                Duration.ofNanos(1),
                Duration.ofMillis(100),
                batch);
    }

    private DayWork work(int batch) {
        return new DayWork(
                table,
                calendars,
                new BaselinePools(table, calendars, pools, () -> now, () -> 0, Runnable::run, Duration.ofMillis(100)),
                pools,
                settings(batch),
                () -> now,
                () -> "id-" + ids.incrementAndGet(),
                new DayListener() {
                    @Override
                    public void done(Step step, PoolId pool) {
                        done.add(step + " " + pool);
                    }

                    @Override
                    public void notDone(Step step, PoolId pool, String why) {
                        notDone.add(step + " " + pool + " " + why);
                    }

                    @Override
                    public void passed() {
                        passes.incrementAndGet();
                    }
                });
    }

    private void pass(DayWork work) throws SQLException {
        int before = passes.get();
        try (Connection connection = database.pool.getConnection()) {
            while (passes.get() == before) {
                work.round(connection);
            }
        }
    }

    private void pass() throws SQLException {
        pass(work(100));
    }

    private void setOut(String merchant, String dish, String zone, long total) throws SQLException {
        setOut(new DishBaseline(merchant, dish, OptionalLong.of(total), Map.of(), Map.of()), zone);
    }

    private void setOut(DishBaseline baseline, String zone) throws SQLException {
        table.set(
                baseline,
                new BaselineTable.WantedZone(ZoneId.of(zone), true, false),
                OptionalLong.empty(),
                "chef",
                now);
    }

    private void shown(String pool, String status) throws SQLException {
        String[] parts = pool.split(":");
        database.execute("insert into pool_view values ('" + pool + "', '" + parts[0] + "', '" + parts[1] + "', "
                + (parts.length == 3 ? "'" + parts[2] + "'" : "null") + ", '" + status
                + "', false, 5, 0, 1, now(), now(), 1)");
    }

    private void reservation(String id, String pool, String status) throws SQLException {
        database.execute("insert into reservation_view (reservation_id, status, pool, merchant, dish, order_id,"
                + " order_item_id, order_type, quantity, attention_at, review, created_at, updated_at, sequence_number,"
                + " state) values ('" + id + "', '" + status + "', '" + pool + "', 'm', 'd', 'o', 'i', 'INSTANT', 1,"
                + " now(), " + (status.equals("MANUAL_REVIEW") ? "'why'" : "null") + ", now(), now(), 1, '{}')");
    }

    @Test
    void the_pool_of_the_day_is_created_and_that_of_the_next_once_that_is_near() throws SQLException {
        setOut("m", "soup", "UTC", 10);
        pass();
        assertThat(pools.asked).containsExactly("Init m:soup:2026-07-25 baseline:1 10");
        shown("m:soup:2026-07-25", "OPEN");
        now = Instant.parse("2026-07-25T21:59:59.999Z");
        pass();
        assertThat(pools.asked).hasSize(1);
        now = Instant.parse("2026-07-25T22:00:00Z");
        pass();
        assertThat(pools.asked).hasSize(2).contains("Init m:soup:2026-07-26 baseline:1 10");
        assertThat(done).containsExactly("PREPARE m:soup:2026-07-25", "PREPARE m:soup:2026-07-26");
    }

    @ParameterizedTest(name = "{0} at {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
        # zone               | moment                   | days whose pools must be there
        Europe/Berlin        | 2026-03-28T20:59:59Z     | 2026-03-28
        Europe/Berlin        | 2026-03-28T21:00:00Z     | 2026-03-28 2026-03-29
        Europe/Berlin        | 2026-03-29T19:59:59Z     | 2026-03-29
        Europe/Berlin        | 2026-03-29T20:00:00Z     | 2026-03-29 2026-03-30
        Europe/Berlin        | 2026-10-25T20:59:59Z     | 2026-10-25
        Europe/Berlin        | 2026-10-25T21:00:00Z     | 2026-10-25 2026-10-26
        America/New_York     | 2026-03-08T01:59:59Z     | 2026-03-07
        America/New_York     | 2026-03-09T01:59:59Z     | 2026-03-08
        America/New_York     | 2026-03-09T02:00:00Z     | 2026-03-08 2026-03-09
        America/New_York     | 2026-11-02T02:59:59Z     | 2026-11-01
        America/New_York     | 2026-11-02T03:00:00Z     | 2026-11-01 2026-11-02
        Asia/Beirut          | 2026-03-28T20:00:00Z     | 2026-03-28 2026-03-29
        Pacific/Auckland     | 2026-07-25T10:00:00Z     | 2026-07-25 2026-07-26
        # the day Samoa left out
        Pacific/Apia         | 2011-12-30T08:30:00Z     | 2011-12-29 2011-12-31
        """)
    void days_are_told_by_the_merchants_wall(String zone, Instant moment, String days) throws SQLException {
        setOut("m", "soup", zone, 10);
        now = moment;
        pass();
        assertThat(pools.asked)
                .containsExactlyElementsOf(List.of(days.split(" ")).stream()
                        .map(day -> "Init m:soup:" + day + " baseline:1 10")
                        .toList());
    }

    @Test
    void a_day_without_a_total_gets_no_pool_and_a_total_of_none_gets_one() throws SQLException {
        setOut(
                new DishBaseline(
                        "m",
                        "roast",
                        OptionalLong.empty(),
                        Map.of(DayOfWeek.SUNDAY, 0L),
                        Map.of(LocalDate.of(2026, 7, 27), 7L)),
                "UTC");
        pass();
        assertThat(pools.asked).isEmpty();
        now = Instant.parse("2026-07-26T23:00:00Z");
        pass();
        assertThat(pools.asked)
                .containsExactly("Init m:roast:2026-07-26 baseline:1 0", "Init m:roast:2026-07-27 baseline:1 7");
    }

    @Test
    void many_merchants_and_dishes_are_gone_through_page_by_page() throws SQLException {
        for (int i = 0; i < 7; i++) {
            setOut("m" + i % 3, "dish" + i, "UTC", 10);
            shown("m" + i % 3 + ":dish" + i + ":2026-07-2" + (i % 2 == 0 ? 5 : 4), i == 1 ? "NEW" : "OPEN");
        }
        pass(work(2));
        assertThat(pools.asked)
                .containsExactlyInAnyOrder(
                        "Init m1:dish1:2026-07-25 baseline:1 10",
                        "Init m0:dish3:2026-07-25 baseline:1 10",
                        "Init m2:dish5:2026-07-25 baseline:1 10",
                        "Close m0:dish3:2026-07-24 day:over",
                        "Close m2:dish5:2026-07-24 day:over");
    }

    @Test
    void what_can_not_be_created_now_is_tried_again_and_keeps_nobody_waiting() throws SQLException {
        setOut("m", "a", "UTC", 1);
        setOut("m", "b", "UTC", 1);
        pools.answers.put("m:a:2026-07-25", Outcome.unavailable("the node is stopping"));
        DayWork work = work(100);
        pass(work);
        assertThat(done).containsExactly("PREPARE m:b:2026-07-25");
        assertThat(notDone).containsExactly("PREPARE m:a:2026-07-25 the node is stopping");
        pools.answers.put("m:a:2026-07-25", Outcome.known(Verdict.pending()));
        pass(work);
        pools.answers.clear();
        pass(work);
        assertThat(done).contains("PREPARE m:a:2026-07-25");
    }

    @Test
    void the_pools_of_a_day_that_is_over_are_closed_a_little_later_also_those_made_by_hand() throws SQLException {
        shown("m:soup:2026-07-24", "OPEN");
        shown("m:stew:2026-07-24", "PAUSED");
        shown("m:roast:2026-07-24", "CLOSED");
        shown("m:soup:2026-07-25", "OPEN");
        shown("sale:phone", "OPEN");
        now = Instant.parse("2026-07-25T00:04:59.999Z");
        pass();
        assertThat(pools.asked).isEmpty();
        now = Instant.parse("2026-07-25T00:05:00Z");
        pass();
        assertThat(pools.asked).containsExactly("Close m:soup:2026-07-24 day:over", "Close m:stew:2026-07-24 day:over");
    }

    @Test
    void the_end_of_a_day_too_is_told_by_the_merchants_wall() throws SQLException {
        setOut("west", "x", "America/Los_Angeles", 1);
        setOut("east", "x", "Pacific/Auckland", 1);
        for (String pool :
                List.of("west:x:2026-07-25", "east:x:2026-07-25", "east:x:2026-07-26", "west:x:2026-07-26")) {
            shown(pool, "OPEN");
        }
        now = Instant.parse("2026-07-25T12:05:00Z"); // the 26th has begun in the east
        pass();
        assertThat(pools.asked).containsExactly("Close east:x:2026-07-25 day:over");
        now = Instant.parse("2026-07-26T07:05:00Z"); // and in the west
        pass();
        assertThat(pools.asked).contains("Close west:x:2026-07-25 day:over");
        assertThat(pools.asked).doesNotContain("Close west:x:2026-07-26 day:over");
    }

    @Test
    void a_day_of_25_hours_is_over_after_25() throws SQLException {
        setOut("m", "x", "Europe/Berlin", 1);
        shown("m:x:2026-10-25", "OPEN");
        shown("m:x:2026-10-26", "OPEN");
        now = Instant.parse("2026-10-25T22:10:00Z"); // 24 hours and ten minutes after its begin
        pass();
        assertThat(pools.asked).isEmpty();
        now = Instant.parse("2026-10-25T23:05:00Z");
        pass();
        assertThat(pools.asked).containsExactly("Close m:x:2026-10-25 day:over");
    }

    @Test
    void closed_pools_are_archived_days_later_each_time_under_a_new_id() throws SQLException {
        shown("m:soup:2026-07-21", "CLOSED");
        shown("m:soup:2026-07-22", "CLOSED");
        now = Instant.parse("2026-07-25T12:00:00Z");
        pass();
        assertThat(pools.asked).containsExactly("Archive m:soup:2026-07-21 day:id-1");
        pass();
        assertThat(pools.asked).contains("Archive m:soup:2026-07-21 day:id-2");
    }

    @ParameterizedTest
    @CsvSource({"PREPARING", "RESERVED", "CREATED_RESERVED", "CONFIRMING", "CANCELING", "MANUAL_REVIEW"})
    void one_with_an_open_reservation_is_not_even_asked(String status) throws SQLException {
        shown("m:soup:2026-07-21", "CLOSED");
        reservation("r1", "m:soup:2026-07-21", "CONFIRMED");
        reservation("r2", "m:soup:2026-07-21", status);
        pass();
        assertThat(pools.asked).isEmpty();
        assertThat(notDone).containsExactly("ARCHIVE m:soup:2026-07-21 reservations have not ended");
    }

    @Test
    void one_whose_reservations_have_ended_is_asked_and_one_that_is_not_drained_after_all_is_left_alone_for_a_while()
            throws SQLException {
        shown("m:soup:2026-07-21", "CLOSED");
        for (String ended : List.of("CONFIRMED", "CANCELED", "REFUNDED", "REJECTED", "REFUNDING")) {
            reservation(ended, "m:soup:2026-07-21", ended);
        }
        pools.answers.put("m:soup:2026-07-21", Outcome.known(Verdict.refused(StockPoolRefusal.NOT_DRAINED)));
        DayWork work = work(100);
        pass(work);
        pass(work);
        assertThat(pools.asked).containsExactly("Archive m:soup:2026-07-21 day:id-1");
        assertThat(notDone).hasSize(1);
    }

    @Test
    void suspect_pools_and_ended_ones_are_left_alone() throws SQLException {
        shown("m:soup:2026-07-01", "ARCHIVED");
        shown("m:stew:2026-07-01", "OPEN");
        database.execute("update pool_view set suspect = true where pool = 'm:stew:2026-07-01'");
        shown("m:roast:2026-07-01", "INITIALIZING");
        pass();
        assertThat(pools.asked).isEmpty();
    }

    @Test
    void archiving_before_closing_makes_no_sense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DaySettings(Duration.ZERO, NEVER, Duration.ZERO, NEVER, NEVER, Duration.ZERO, 1));
    }
}
