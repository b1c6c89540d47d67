package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Sample;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The sweeper finds whatever says that it owes something or waits for a time. So every state that is on its way somewhere must say so: one
 * that is forgotten here would stay for ever where a crash left it.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class NothingIsLeftLyingTest {

    private static Stream<Sample<Reservation>> reservations() {
        return new ReservationSamples().states().stream();
    }

    private static Stream<Sample<StockPool>> pools() {
        return new StockPoolSamples().states().stream();
    }

    private static boolean isFound(Owed<?> owed) {
        return !owed.effects().isEmpty() || owed.wakeAt().isPresent();
    }

    @ParameterizedTest
    @MethodSource("reservations")
    void a_reservation_on_its_way_owes_what_comes_next_or_waits_for_a_time(Sample<Reservation> sample) {
        Reservation state = sample.value();
        Owed<?> owed = new ReservationSamples().machine().owe(state);
        switch (state.status()) {
            case PREPARING, CONFIRMING, CANCELING, REFUNDING ->
                assertThat(owed.effects()).isNotEmpty();
            case RESERVED, CREATED_RESERVED -> assertThat(isFound(owed)).isTrue();
            // An end may still owe what came too late for it; no time is waited for any more.
            case CONFIRMED, CANCELED, REFUNDED, REJECTED, MANUAL_REVIEW ->
                assertThat(owed.wakeAt()).isEmpty();
            // Only news of an order that came before its request is waited for.
            case NONE -> assertThat(owed.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void a_pool_on_its_way_owes_what_comes_next_or_waits_for_a_time(Sample<StockPool> sample) {
        StockPool state = sample.value();
        Owed<?> owed = new StockPoolSamples().machine().owe(state);
        switch (state.status()) {
            case INITIALIZING, REBUILDING -> assertThat(owed.effects()).isNotEmpty();
            case SUSPECT -> assertThat(isFound(owed)).isTrue();
            case NEW -> assertThat(isFound(owed)).isFalse();
            case OPEN, PAUSED, CLOSED -> {
                StockPool.Work work = state.trusted().orElseThrow().work();
                assertThat(owed.effects().isEmpty())
                        .as("works exactly while an operation waits or units are on their way out")
                        .isEqualTo(work.queue().isEmpty() && work.leaving().isEmpty());
            }
            case ARCHIVED -> assertThat(owed.wakeAt()).isEmpty();
        }
    }
}
