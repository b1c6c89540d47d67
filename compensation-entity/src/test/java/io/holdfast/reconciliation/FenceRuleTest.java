package io.holdfast.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lua.Fence;
import io.holdfast.lua.Phase;
import io.holdfast.reconciliation.FenceRule.Judgement;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.Reservation.Unmarked;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.domain.Review;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Every state of a reservation of 5 units against every fence that could be met. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FenceRuleTest {

    /** Phase, quantity/confirmed/released/refunded: as Redis may have been left, or written over. */
    private static final List<String> FENCES = List.of(
            "none",
            "RESERVED 5/0/0/0",
            "RESERVED 5/0/0/1",
            "RESERVED 4/0/0/0",
            "CONFIRMED 5/5/0/0",
            "CONFIRMED 5/4/1/0",
            "CONFIRMED 5/4/0/0",
            "CANCELED 5/0/0/0",
            "REFUNDED 5/0/0/5",
            "REJECTED 5/0/0/0");

    /** In the order of the fences. OK where Redis may show it. */
    private static final String TABLE = """
        Preparing       | OK | OK | AHEAD WAIT | DIFFERS WAIT | AHEAD WAIT | AHEAD WAIT | AHEAD WAIT | OK | OK | OK
        Reserved        | MISSING REPAIR | OK | AHEAD MANUAL | DIFFERS REPAIR | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL
        CreatedReserved | MISSING REPAIR | OK | AHEAD MANUAL | DIFFERS REPAIR | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL
        Confirming      | MISSING WAIT | OK | AHEAD WAIT | DIFFERS WAIT | OK | AHEAD WAIT | AHEAD WAIT | AHEAD WAIT | AHEAD WAIT | AHEAD WAIT
        Confirmed       | MISSING REPAIR | BEHIND REPAIR | AHEAD MANUAL | DIFFERS REPAIR | OK | AHEAD MANUAL | DIFFERS REPAIR | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL
        Canceling       | MISSING WAIT | OK | AHEAD WAIT | DIFFERS WAIT | AHEAD WAIT | AHEAD WAIT | AHEAD WAIT | OK | AHEAD WAIT | AHEAD WAIT
        Canceled        | OK | LEFT_OVER REPAIR | LEFT_OVER REPAIR | LEFT_OVER REPAIR | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | OK | ENDED_OTHERWISE MANUAL | OK
        Refunded        | OK | LEFT_OVER REPAIR | LEFT_OVER REPAIR | LEFT_OVER REPAIR | LEFT_OVER REPAIR | LEFT_OVER REPAIR | LEFT_OVER REPAIR | ENDED_OTHERWISE MANUAL | OK | ENDED_OTHERWISE MANUAL
        Rejected        | OK | LEFT_OVER REPAIR | LEFT_OVER REPAIR | LEFT_OVER REPAIR | AHEAD MANUAL | AHEAD MANUAL | AHEAD MANUAL | ENDED_OTHERWISE MANUAL | ENDED_OTHERWISE MANUAL | OK
        """;

    private static Reservation plain(String kind) {
        return new ReservationSamples()
                .states().stream()
                        .filter(sample -> sample.variant().isEmpty())
                        .map(sample -> sample.value())
                        .filter(state -> state.getClass().getSimpleName().equals(kind))
                        .findFirst()
                        .orElseThrow();
    }

    private static Optional<Fence> fence(String text) {
        if (text.equals("none")) {
            return Optional.empty();
        }
        String[] parts = text.split("[ /]");
        return Optional.of(new Fence(
                Phase.valueOf(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                Map.of()));
    }

    private static String judged(Reservation reservation, String fence) {
        return switch (FenceRule.judge(reservation, fence(fence))) {
            case Judgement.Agrees _ -> "OK";
            case Judgement.Differs differs -> differs.type().name().replace("FENCE_", "") + " " + differs.kind();
        };
    }

    @Test
    void each_state_and_each_fence_come_to_one_type_and_class() {
        List<String> lines = new ArrayList<>();
        for (String line : TABLE.lines().toList()) {
            String kind = line.split("\\|")[0].strip();
            List<String> cells =
                    FENCES.stream().map(fence -> judged(plain(kind), fence)).toList();
            lines.add("%-15s | %s".formatted(kind, String.join(" | ", cells)));
        }
        assertThat(String.join("\n", lines) + "\n").isEqualTo(TABLE);
    }

    @Test
    void an_ended_one_whose_admission_came_late_may_show_that_it_goes_back_and_that_it_did() {
        var machine = new ReservationMachine(EffectPolicies.standard());
        for (String kind : List.of("Refunded", "Rejected", "Canceled")) {
            Reservation ended = plain(kind);
            Claim claim = ended.asked().orElseThrow();
            Books books = new Books(2, 9, 10, 0, 5, 5, 0);
            Reservation late = machine.evolve(ended, new AdmissionCameLate(claim.pool(), claim.terms(), books));
            assertThat(judged(late, "RESERVED 5/0/0/0")).as("%s, held", kind).isEqualTo("OK");
            assertThat(judged(late, "CANCELED 5/0/0/0"))
                    .as("%s, going back", kind)
                    .isEqualTo("OK");

            Reservation returned = machine.evolve(late, new AdmissionReturned(5, books));

            assertThat(judged(returned, "CANCELED 5/0/0/0"))
                    .as("%s, gone back", kind)
                    .isEqualTo("OK");
            assertThat(judged(returned, "RESERVED 5/0/0/0"))
                    .as("%s, held again", kind)
                    .isEqualTo("LEFT_OVER REPAIR");
        }
    }

    @Test
    void a_missing_fence_of_an_admission_that_was_never_handed_off_is_left_to_the_rebuild_that_sees_whether_it_fits() {
        assertThat(FENCES.stream().map(fence -> judged(variant("admitted"), fence)))
                .startsWith("MISSING WAIT", "OK", "AHEAD MANUAL", "DIFFERS REPAIR");
        assertThat(judged(variant("admitted, off the list"), "none")).isEqualTo("MISSING REPAIR");
        assertThat(judged(variant("admitted, and lost"), "none")).isEqualTo("OK");
        assertThat(judged(variant("admitted, and lost"), "RESERVED 5/0/0/0")).isEqualTo("LEFT_OVER REPAIR");
    }

    private static Reservation variant(String name) {
        return new ReservationSamples()
                .states().stream()
                        .filter(sample -> sample.variant().equals(name))
                        .map(sample -> sample.value())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void nothing_of_a_reservation_under_review_is_repaired() {
        for (String kind : List.of("Reserved", "Confirmed", "Canceled")) {
            var marked = new UnderReview((Unmarked) plain(kind), review(), List.of());
            assertThat(FENCES.stream().map(fence -> judged(marked, fence)))
                    .as(kind)
                    .noneMatch(judged -> judged.endsWith("REPAIR") || judged.endsWith("WAIT"));
        }
    }

    private static Review review() {
        return new ReservationSamples()
                .states().stream()
                        .map(sample -> sample.value())
                        .flatMap(state -> state.underReview().stream())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void what_agrees_counts_as_the_fence_has_it_and_what_differs_as_the_journal_has_it() {
        assertThat(FenceRule.judge(plain("Preparing"), fence("RESERVED 5/0/0/0")))
                .isEqualTo(new Judgement.Agrees(5, 0));
        assertThat(FenceRule.judge(plain("Preparing"), fence("none"))).isEqualTo(new Judgement.Agrees(0, 0));
        assertThat(FenceRule.judge(plain("Confirming"), fence("CONFIRMED 5/5/0/0")))
                .isEqualTo(new Judgement.Agrees(0, 5));
        Judgement missing = FenceRule.judge(plain("Confirmed"), fence("none"));
        assertThat(List.of(missing.reserved(), missing.sold())).containsExactly(0L, 5L);
        Judgement leftOver = FenceRule.judge(plain("Canceled"), fence("RESERVED 5/0/0/0"));
        assertThat(List.of(leftOver.reserved(), leftOver.sold())).containsExactly(0L, 0L);
    }

    @Test
    void a_difference_shows_both_sides() {
        assertThat(FenceRule.judge(plain("Confirmed"), fence("RESERVED 5/0/0/0")))
                .isEqualTo(new Judgement.Differs(
                        FindingType.FENCE_BEHIND,
                        FindingClass.REPAIR,
                        "CONFIRMED: CONFIRMED, quantity 5, confirmed 5, given back 0",
                        "RESERVED, quantity 5, confirmed 0, given back 0",
                        0,
                        5));
    }

    @Test
    void how_what_was_given_back_was_given_back_does_not_matter() {
        // Loaded anew from the journal, a fence divides it otherwise than the scripts did.
        Reservation part = new ReservationSamples()
                .states().stream()
                        .map(sample -> sample.value())
                        .filter(state -> state.unmarked() instanceof Reservation.Confirmed confirmed
                                && confirmed.account().held()
                                        > confirmed.account().remaining())
                        .findFirst()
                        .orElseThrow();
        long held = part.units().orElseThrow().held();
        long left = part.units().orElseThrow().remaining();
        long confirmed = ((Reservation.Confirmed) part.unmarked()).confirmed();
        for (long released = 0; released <= held - left; released++) {
            var fence = new Fence(Phase.CONFIRMED, held, confirmed, released, held - left - released, Map.of());
            assertThat(FenceRule.judge(part, Optional.of(fence))).isInstanceOf(Judgement.Agrees.class);
        }
    }

    @Test
    void the_same_difference_at_the_same_version_has_the_same_repair_id_and_any_other_has_another() {
        String id = RepairId.of(FindingType.FENCE_MISSING, "r1", "7", "RESERVED 5");
        assertThat(id).hasSize(64).isEqualTo(RepairId.of(FindingType.FENCE_MISSING, "r1", "7", "RESERVED 5"));
        assertThat(Arrays.asList(
                        RepairId.of(FindingType.FENCE_BEHIND, "r1", "7", "RESERVED 5"),
                        RepairId.of(FindingType.FENCE_MISSING, "r2", "7", "RESERVED 5"),
                        RepairId.of(FindingType.FENCE_MISSING, "r1", "8", "RESERVED 5"),
                        RepairId.of(FindingType.FENCE_MISSING, "r1", "7", "RESERVED 4")))
                .doesNotContain(id)
                .doesNotHaveDuplicates();
    }
}
