package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The same worlds in every build; {@code ./holdfast simulate} runs others. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class WorldsTest {

    private static final int WORLDS = 4 * Weather.values().length;

    @Test
    void every_claim_holds_in_every_weather_while_everything_goes_wrong() {
        Campaign.Report report = new Campaign(1, WORLDS, Duration.ofDays(1)).run(2);

        assertThat(report.failed().flatMap(WorldRun::told)).isEmpty();
        assertThat(report.worlds()).isEqualTo(WORLDS);
        assertThat(report.weathers()).containsOnlyKeys(Weather.values());
        assertThat(report.steps()).isGreaterThan(500 * report.worlds());
        assertThat(report.coverage().machines())
                .containsExactly("compensation", "order", "reservation", "stock-pool")
                .allSatisfy(machine ->
                        assertThat(report.coverage().wronglyOutOfReach(machine)).isEmpty());
    }

    @Test
    void the_same_seed_is_the_same_world() {
        WorldRun once = WorldRun.of(3, Weather.of(3), () -> Twist.NONE, Coverage.none());
        WorldRun again = WorldRun.of(3, Weather.of(3), () -> Twist.NONE, Coverage.none());

        assertThat(again).isEqualTo(once);
    }
}
