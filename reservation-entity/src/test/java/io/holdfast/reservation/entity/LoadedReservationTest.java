package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Sample;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.port.Loadable;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LoadedReservationTest {

    @Test
    void the_numbers_of_a_plain_one_load_what_the_whole_state_would() {
        List<Reservation> plain = new ReservationSamples()
                .states().stream()
                        .map(Sample::value)
                        .filter(state -> Loadable.of(state) instanceof Loadable.Plain)
                        .toList();
        assertThat(plain).extracting(Reservation::status).contains(Reservation.Status.RESERVED);
        assertThat(plain).extracting(Reservation::status).contains(Reservation.Status.CREATED_RESERVED);
        assertThat(plain).extracting(Reservation::status).contains(Reservation.Status.CONFIRMED);
        for (Reservation state : plain) {
            assertThat(LoadedReservation.of((Loadable.Plain) Loadable.of(state)))
                    .as("%s", state)
                    .isEqualTo(LoadedReservation.of(state));
            assertThat(FreezeNotice.mustBeTold(state, true)).as("%s", state).isFalse();
        }
    }
}
