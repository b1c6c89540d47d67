package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lua.Fence;
import io.holdfast.lua.Phase;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationSamples;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Every state against every phase of a fence of 5 units with nothing done but the Try. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FenceComparisonTest {

    private static final Map<String, Set<Phase>> ALLOWED = Map.of(
            "Preparing", EnumSet.of(Phase.RESERVED, Phase.REJECTED, Phase.CANCELED, Phase.REFUNDED),
            "Reserved", EnumSet.of(Phase.RESERVED),
            "CreatedReserved", EnumSet.of(Phase.RESERVED),
            "Confirming", EnumSet.of(Phase.RESERVED),
            "Confirmed", EnumSet.of(Phase.CONFIRMED),
            "Canceling", EnumSet.of(Phase.RESERVED),
            "Canceled", EnumSet.of(Phase.CANCELED),
            "Refunded", EnumSet.of(Phase.REFUNDED),
            "Rejected", EnumSet.of(Phase.REJECTED));

    private static final Set<String> MAY_BE_GONE = Set.of("Preparing", "Canceled", "Refunded", "Rejected");

    private static Reservation plain(String kind) {
        return new ReservationSamples()
                .states().stream()
                        .filter(sample -> sample.variant().isEmpty())
                        .map(sample -> sample.value())
                        .filter(state -> state.getClass().getSimpleName().equals(kind))
                        .findFirst()
                        .orElseThrow();
    }

    private static boolean agrees(Reservation state, Optional<Fence> fence) {
        return FenceComparison.compare(state, fence) instanceof FenceComparison.Result.Agrees;
    }

    private static Fence fence(Phase phase) {
        return new Fence(phase, 5, phase == Phase.CONFIRMED ? 5 : 0, 0, phase == Phase.REFUNDED ? 5 : 0, Map.of());
    }

    @Test
    void a_state_allows_its_phases_and_no_other() {
        ALLOWED.forEach((kind, allowed) -> Arrays.stream(Phase.values())
                .forEach(phase -> assertThat(agrees(plain(kind), Optional.of(fence(phase))))
                        .as("%s with a fence %s", kind, phase)
                        .isEqualTo(allowed.contains(phase))));
    }

    @Test
    void only_a_fence_that_ended_or_never_was_may_be_gone() {
        ALLOWED.keySet()
                .forEach(kind -> assertThat(agrees(plain(kind), Optional.empty()))
                        .as("%s without a fence", kind)
                        .isEqualTo(MAY_BE_GONE.contains(kind)));
    }

    @Test
    void an_ended_one_whose_admission_came_late_allows_the_fence_of_its_return() {
        var machine = new ReservationMachine(EffectPolicies.standard());
        for (String kind : Set.of("Refunded", "Rejected", "Canceled")) {
            Reservation ended = plain(kind);
            var claim = ended.asked().orElseThrow();
            Books books = new Books(2, 9, 10, 0, 5, 5, 0);
            Reservation late = machine.evolve(ended, new AdmissionCameLate(claim.pool(), claim.terms(), books));
            assertThat(agrees(late, Optional.of(fence(Phase.CANCELED))))
                    .as("%s, going back", kind)
                    .isTrue();

            Reservation returned = machine.evolve(late, new AdmissionReturned(5, books));

            assertThat(agrees(returned, Optional.of(fence(Phase.CANCELED))))
                    .as("%s, gone back", kind)
                    .isTrue();
            assertThat(agrees(returned, Optional.of(fence(Phase.RESERVED))))
                    .as("%s, held", kind)
                    .isFalse();
        }
    }

    @Test
    void another_quantity_is_not_allowed() {
        Fence fewer = new Fence(Phase.RESERVED, 4, 0, 0, 0, Map.of());
        for (String kind : Set.of("Preparing", "Reserved", "Confirming", "Canceling")) {
            assertThat(agrees(plain(kind), Optional.of(fewer))).as(kind).isFalse();
        }
        assertThat(agrees(plain("Confirmed"), Optional.of(new Fence(Phase.CONFIRMED, 5, 4, 1, 0, Map.of()))))
                .isFalse();
    }

    @Test
    void what_counts_is_what_the_fence_says() {
        assertThat(FenceComparison.compare(plain("Preparing"), Optional.of(fence(Phase.RESERVED))))
                .isEqualTo(new FenceComparison.Result.Agrees(5, 0));
        assertThat(FenceComparison.compare(plain("Preparing"), Optional.empty()))
                .isEqualTo(new FenceComparison.Result.Agrees(0, 0));
        assertThat(FenceComparison.compare(plain("Confirmed"), Optional.of(fence(Phase.CONFIRMED))))
                .isEqualTo(new FenceComparison.Result.Agrees(0, 5));
    }

    @Test
    void a_difference_names_both_sides() {
        assertThat(FenceComparison.compare(plain("Confirmed"), Optional.of(fence(Phase.CANCELED))))
                .isEqualTo(new FenceComparison.Result.Differs(
                        "CONFIRMED, so CONFIRMED with 5 left", "CANCELED with 0 left"));
    }
}
