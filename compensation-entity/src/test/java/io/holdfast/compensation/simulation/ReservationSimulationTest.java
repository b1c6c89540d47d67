package io.holdfast.compensation.simulation;

import io.holdfast.testkit.simulation.Seeds;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Days of selling under every fault. One seed: {@code -Dsim.seed=N}; a campaign: {@code -Dsim.first=N -Dsim.runs=M}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
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
    void a_pool_that_redis_lost_something_of_stays_frozen_and_never_oversells() {
        Seeds.each(DAYS, seed -> {
            SaleDay day = new SaleDay(seed).redisForgets();
            day.redis.keepSnapshot();
            day.simulation.nowAndThen(Duration.ofSeconds(15), "", day.redis::keepSnapshot);
            day.simulation.nowAndThen(Duration.ofSeconds(60), "", day.redis::rollBack);
            return new Seeds.Prepared(day.simulation, day::run);
        });
    }
}
