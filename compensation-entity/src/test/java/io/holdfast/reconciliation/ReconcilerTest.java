package io.holdfast.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.fleet.Pause;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReconcilerTest {

    private final Shelf shelf = new Shelf();

    private Pause round(RunRequest.Mode mode, int repairsPerSecond) throws SQLException {
        shelf.waiting = Optional.of(shelf.run(mode));
        var settings = new ReconciliationSettings(
                Optional.empty(),
                Duration.ZERO,
                4,
                1_000_000,
                repairsPerSecond,
                100,
                Duration.ofSeconds(1),
                Duration.ofDays(1));
        var reconciler = new Reconciler(
                shelf,
                shelf,
                shelf.scripts(),
                shelf,
                shelf.gates,
                shelf,
                settings,
                shelf,
                InstantSource.fixed(Shelf.NOW),
                Runnable::run);
        reconciler.begin(Shelf.NO_DATABASE);
        return reconciler.round(Shelf.NO_DATABASE);
    }

    @Test
    void pools_that_redis_does_not_serve_are_told_in_every_mode_and_no_faster_than_repairs_are_made()
            throws SQLException {
        shelf.trusted = false;
        for (RunRequest.Mode mode : RunRequest.Mode.values()) {
            shelf.asked.clear();
            assertThat(round(mode, 2)).isEqualTo(Pause.of(Duration.ofMillis(500)));
            assertThat(shelf.asked).as("%s", mode).containsExactly("suspect");
        }
    }

    @Test
    void a_pool_that_redis_serves_does_not_slow_a_run_down() throws SQLException {
        assertThat(round(RunRequest.Mode.REPAIR, 2)).isEqualTo(Pause.of(Duration.ZERO));
        assertThat(shelf.asked).isEmpty();
    }
}
