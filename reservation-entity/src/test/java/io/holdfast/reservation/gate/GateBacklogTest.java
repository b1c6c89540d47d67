package io.holdfast.reservation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.GatePressure.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class GateBacklogTest {

    private static final PoolId POOL = PoolId.parse("spring:shoes");
    private static final GateBacklog.Limits LIMITS =
            new GateBacklog.Limits(100, 1000, Duration.ofSeconds(30), Duration.ofSeconds(60));

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // listed, unsent, broker away, view lag, chance, held back by
                "0, 0, 0, 0, 0.0, -",
                "50, 0, 0, 0, 0.0, -",
                "51, 0, 0, 0, 0.0, HAND_OFF",
                "51, 0, 0, 0, 0.1, -",
                "75, 0, 0, 0, 0.49, HAND_OFF",
                "75, 0, 0, 0, 0.51, -",
                "99, 0, 0, 0, 0.99, -",
                "100, 0, 0, 0, 0.999, HAND_OFF",
                "5000, 0, 0, 0, 0.999, HAND_OFF",
                "0, 500, 0, 0, 0.0, -",
                "0, 750, 0, 0, 0.49, BROKER",
                "0, 1000, 0, 0, 0.999, BROKER",
                "0, 0, 29, 0, 0.0, -",
                "0, 0, 30, 0, 0.999, BROKER",
                "0, 0, 0, 59, 0.0, -",
                "0, 0, 0, 60, 0.999, JOURNAL",
                "100, 1000, 30, 60, 0.0, JOURNAL",
                "100, 1000, 0, 0, 0.0, BROKER"
            })
    void the_crowd_gets_thinner_above_half_of_a_limit_and_stops_at_it(
            long listed, long unsent, long brokerAway, long viewLag, double chance, Reason reason) {
        var backlog = new GateBacklog(
                Map.of(POOL, listed), unsent, Duration.ofSeconds(brokerAway), Duration.ofSeconds(viewLag));
        assertThat(backlog.on(POOL, LIMITS, chance)).isEqualTo(Optional.ofNullable(reason));
    }

    @ParameterizedTest
    @CsvSource({"0.0", "0.999"})
    void what_was_not_read_holds_nobody_back(double chance) {
        assertThat(GateBacklog.NONE.on(POOL, LIMITS, chance)).isEmpty();
    }
}
