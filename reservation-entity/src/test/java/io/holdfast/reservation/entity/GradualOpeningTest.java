package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.domain.ReservationIds;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class GradualOpeningTest {

    private static final Instant REBUILT = Instant.parse("2026-07-25T12:30:00Z");
    private static final PoolStanding.Serving POOL = new PoolStanding.Serving(2, Optional.of(REBUILT));
    private static final Duration OVER = Duration.ofSeconds(10);
    private static final List<String> IDS = IntStream.range(0, 1000)
            .mapToObj(i -> ReservationIds.journalFirst("m-1", "soup", "item-" + i))
            .toList();

    private static List<String> admitted(PoolStanding.Serving pool, Duration after, Duration over) {
        var opening = new GradualOpening(InstantSource.fixed(REBUILT.plus(after)), over);
        return IDS.stream().filter(id -> opening.admits(pool, id)).toList();
    }

    @Test
    void the_share_that_is_let_in_rises_evenly_and_who_was_let_in_stays_so() {
        List<String> before = List.of();
        for (int second = 0; second <= 10; second++) {
            List<String> now = admitted(POOL, Duration.ofSeconds(second), OVER);
            assertThat(now).containsAll(before);
            assertThat(now.size()).as("after %d s", second).isBetween(100 * second - 60, 100 * second + 60);
            before = now;
        }
        assertThat(before).hasSize(1000);
        assertThat(admitted(POOL, Duration.ZERO, OVER)).isEmpty();
        assertThat(admitted(POOL, Duration.ofHours(1), OVER)).hasSize(1000);
    }

    @Test
    void a_clock_that_is_behind_lets_nobody_in_before_it_is_time() {
        assertThat(admitted(POOL, Duration.ofSeconds(-5), OVER)).isEmpty();
    }

    @Test
    void all_are_let_in_at_once_where_that_is_wanted_and_where_nothing_was_rebuilt() {
        assertThat(admitted(POOL, Duration.ZERO, Duration.ZERO)).hasSize(1000);
        assertThat(admitted(new PoolStanding.Serving(1), Duration.ZERO, OVER)).hasSize(1000);
    }
}
