package io.holdfast.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.fleet.Pause;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReconcilerTest {

    private final Shelf shelf = new Shelf();

    private Pause round(RunRequest.Mode mode, int repairsPerSecond) throws SQLException {
        shelf.waiting = Optional.of(shelf.run(mode));
        return reconciler(repairsPerSecond).round(Shelf.NO_DATABASE);
    }

    private Reconciler reconciler(int repairsPerSecond) throws SQLException {
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
        return reconciler;
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

    /** How a run of pools that begin so ends, taken up after this pool. */
    private Optional<String> endOf(RunRequest.Scope scope, String afterPool) throws SQLException {
        shelf.ends.clear();
        shelf.waiting = Optional.of(shelf.run(new RunRequest(scope, RunRequest.Mode.DRY_RUN, true, "test"), afterPool));
        var reconciler = reconciler(2);
        for (int rounds = 0; shelf.ends.isEmpty() && rounds < 100; rounds++) {
            reconciler.round(Shelf.NO_DATABASE);
        }
        assertThat(shelf.ends).hasSize(1);
        return shelf.ends.getFirst();
    }

    @Test
    void a_run_of_a_beginning_that_no_pool_has_is_not_taken_for_one_in_which_nothing_differs() throws SQLException {
        assertThat(endOf(new RunRequest.Scope.Prefix("m2:"), ""))
                .hasValueSatisfying(why -> assertThat(why).contains("m2:"));
        assertThat(endOf(new RunRequest.Scope.Prefix("m1:"), "")).isEmpty();
        assertThat(endOf(new RunRequest.Scope.Prefix("m1:"), Shelf.POOL.value()))
                .as("taken up behind its last pool")
                .isEmpty();
        assertThat(endOf(new RunRequest.Scope.All(), Shelf.POOL.value())).isEmpty();
    }

    @Test
    void what_is_put_right_is_put_right_one_by_one_and_no_faster_than_repairs_are_made() throws SQLException {
        for (int i = 0; i < 3; i++) {
            shelf.fences.remove(shelf.hold(i));
        }
        shelf.waiting = Optional.of(shelf.run(RunRequest.Mode.REPAIR));
        var reconciler = reconciler(50);
        List<Pause> pauses = new ArrayList<>();
        while (shelf.ends.isEmpty()) {
            int before = shelf.asked.size();
            Pause pause = reconciler.round(Shelf.NO_DATABASE);
            if (shelf.asked.size() > before) {
                pauses.add(pause);
            }
        }
        assertThat(shelf.asked).containsExactly("repair", "repair", "repair");
        assertThat(pauses)
                .as("after each of them, alone in its round")
                .hasSize(3)
                .containsOnly(Pause.of(Duration.ofMillis(20)));
    }

    @Test
    void a_pool_that_redis_serves_does_not_slow_a_run_down() throws SQLException {
        assertThat(round(RunRequest.Mode.REPAIR, 2)).isEqualTo(Pause.of(Duration.ZERO));
        assertThat(shelf.asked).isEmpty();
    }
}
