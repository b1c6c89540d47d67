package io.holdfast.reservation.day;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.DishBaseline;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.port.DayPools.Opening;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BaselinePoolsTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final PoolId TODAY = PoolId.parse("m-1:soup:2026-07-26");

    private static DayDatabase database;

    private final BaselineTable table = new BaselineTable(database.pool);
    private final MerchantCalendars calendars =
            new MerchantCalendars(Map.of(), ZoneId.of("UTC"), table, Duration.ofHours(1));
    /** Past midnight in Berlin, not yet in UTC. */
    private Instant now = Instant.parse("2026-07-25T22:30:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final Pools asked = new Pools();
    private final BaselinePools pools =
            new BaselinePools(table, calendars, asked, () -> now, nanos::get, Runnable::run, Duration.ofSeconds(1));

    /** The pools as far as they are seen here: they keep what they are asked, and the test answers. */
    private static final class Pools implements Entities<StockPool, StockPoolCommand> {
        private record Asked(String pool, Cause cause, StockPoolCommand command) {}

        private final List<Asked> asked = new ArrayList<>();
        private final List<CompletableFuture<Outcome<Reply<StockPool>>>> questions = new ArrayList<>();

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            asked.add(new Asked(entityId, cause, command));
            questions.add(new CompletableFuture<>());
            return questions.getLast();
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            throw new AssertionError("nobody looks");
        }

        void answer(Verdict verdict) {
            String pool = asked.getLast().pool();
            StockPool state = new StockPoolMachine(EffectPolicies.standard()).initial(pool);
            questions.getLast().complete(Outcome.known(new Reply<>(pool, 1, verdict, false, state, List.of())));
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
        set(100);
        calendars.start();
    }

    @AfterEach
    void clean() throws SQLException {
        calendars.close();
        database.execute("truncate dish_baseline_total, dish_baseline, merchant_zone");
    }

    private void set(long total) throws SQLException {
        table.set(
                new DishBaseline("m-1", "soup", OptionalLong.of(total), Map.of(), Map.of()),
                new BaselineTable.WantedZone(BERLIN, true, false),
                OptionalLong.empty(),
                "chef",
                now);
    }

    private CompletableFuture<Outcome<Opening>> ask(PoolId pool) {
        return pools.open(pool).toCompletableFuture();
    }

    @Test
    void the_pool_is_initialised_with_what_is_set_out_under_an_id_of_the_baseline() throws SQLException {
        set(120);
        var answer = ask(TODAY);
        assertThat(asked.asked)
                .containsExactly(new Pools.Asked(
                        TODAY.value(),
                        new Cause("baseline 2", "120", Cause.Kind.REQUEST, "business-days", Optional.empty()),
                        new PoolOperation.Init("baseline:2", 120)));
        asked.answer(Verdict.done());
        assertThat(answer).isCompletedWithValue(Outcome.known(Opening.EXISTS));
    }

    @Test
    void however_many_ask_at_once_the_pool_is_asked_once() {
        List<CompletableFuture<Outcome<Opening>>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(ask(TODAY));
        }
        assertThat(asked.asked).hasSize(1);
        asked.answer(Verdict.done());
        assertThat(all).allSatisfy(each -> assertThat(each).isCompletedWithValue(Outcome.known(Opening.EXISTS)));
    }

    @Test
    void a_pool_that_somebody_created_with_another_total_is_there() {
        var answer = ask(TODAY);
        asked.answer(Verdict.refused(StockPoolRefusal.ALREADY_INITIALIZED));
        assertThat(answer).isCompletedWithValue(Outcome.known(Opening.EXISTS));
    }

    @Test
    void a_pool_that_is_not_created_in_time_is_not_ready_and_is_asked_for_again() {
        var answer = ask(TODAY);
        asked.answer(Verdict.pending());
        assertThat(answer.join()).isInstanceOf(Outcome.Unavailable.class);
        ask(TODAY);
        assertThat(asked.asked).hasSize(2);
    }

    @Test
    void the_day_is_the_merchants_and_one_that_is_over_is_not_begun() {
        assertThat(ask(PoolId.parse("m-1:soup:2026-07-25")))
                .isCompletedWithValue(Outcome.known(Opening.NOTHING_SET_OUT));
        now = Instant.parse("2026-07-25T21:59:59.999Z");
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(ask(PoolId.parse("m-1:soup:2026-07-25"))).isNotDone();
    }

    @Test
    void any_day_to_come_can_be_begun_however_far_off() {
        assertThat(ask(PoolId.parse("m-1:soup:9999-12-31"))).isNotDone();
        assertThat(asked.asked).hasSize(1);
    }

    @Test
    void where_nothing_is_set_out_nobody_is_asked_and_the_table_at_most_once_a_second() throws SQLException {
        PoolId stew = PoolId.parse("m-1:stew:2026-07-26");
        assertThat(ask(stew)).isCompletedWithValue(Outcome.known(Opening.NOTHING_SET_OUT));
        table.set(
                new DishBaseline("m-1", "stew", OptionalLong.of(1), Map.of(), Map.of()),
                new BaselineTable.WantedZone(BERLIN, false, false),
                OptionalLong.empty(),
                "chef",
                now);
        assertThat(ask(stew)).isCompletedWithValue(Outcome.known(Opening.NOTHING_SET_OUT));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(ask(stew)).isNotDone();
        assertThat(ask(PoolId.parse("m-1:soup"))).isCompletedWithValue(Outcome.known(Opening.NOTHING_SET_OUT));
        assertThat(ask(PoolId.parse("m-1:soup:b1"))).isCompletedWithValue(Outcome.known(Opening.NOTHING_SET_OUT));
    }

    @Test
    void a_table_that_can_not_be_read_is_no_sign_that_nothing_is_set_out() throws SQLException {
        database.execute("alter table dish_baseline rename to elsewhere");
        try {
            assertThat(ask(TODAY).join()).isInstanceOf(Outcome.Unavailable.class);
        } finally {
            database.execute("alter table elsewhere rename to dish_baseline");
        }
        assertThat(ask(TODAY)).isNotDone();
    }
}
