package io.holdfast.compensation.simulation;

import io.holdfast.testkit.simulation.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Days of selling under every fault. One seed: {@code -Dsim.seed=N}; a campaign: {@code -Dsim.first=N -Dsim.runs=M}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each day is a world of its own
class ReservationSimulationTest {

    private static final int DAYS = 12;

    @Test
    void every_claim_holds_while_nodes_crash_and_the_network_loses_delays_and_repeats() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgetsNothing();
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }

    @Test
    void every_claim_holds_while_redis_restarts_with_its_data_again_and_again() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgetsNothing();
            day.simulation.nowAndThen(Duration.ofSeconds(50), "", day.redis::restart);
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }

    @Test
    void every_claim_holds_while_pools_are_rebuilt_again_and_again_though_nothing_is_wrong() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgetsNothing();
            day.simulation.nowAndThen(Duration.ofSeconds(20), "", day::somebodyRebuildsAPool);
            day.simulation.nowAndThen(Duration.ofSeconds(80), "", day.redis::restart);
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }

    @Test
    void every_pool_comes_back_by_itself_after_redis_lost_everything_and_never_oversells() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgets();
            afterTheFirstMinute(
                    day,
                    () -> day.simulation.nowAndThen(
                            Duration.ofSeconds(40),
                            "",
                            () -> day.redis.flush(day.world.chance().strikes(0.5))));
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }

    @Test
    void every_pool_comes_back_by_itself_while_fences_vanish() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgets();
            day.simulation.nowAndThen(Duration.ofSeconds(20), "", day::aFenceVanishes);
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }

    /** An Init that comes late to a Redis that was flushed since would create its pool once more: nothing is on its way by then. */
    private static void afterTheFirstMinute(SaleDay day, Runnable run) {
        day.world.timeline().after(Duration.ofMinutes(1), "", run);
    }

    @Test
    void every_pool_comes_back_by_itself_after_redis_went_back_in_time_and_never_oversells() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgets();
            day.redis.keepSnapshot();
            day.simulation.nowAndThen(Duration.ofSeconds(15), "", day.redis::keepSnapshot);
            day.simulation.nowAndThen(Duration.ofSeconds(60), "", day.redis::rollBack);
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }
}
