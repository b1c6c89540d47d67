package io.holdfast.reservation.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationEvent.HandedOff;
import io.holdfast.reservation.domain.ReservationEvent.HoldAdopted;
import io.holdfast.reservation.domain.ReservationEvent.OrderRequestSent;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockMove;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What admissions change of the numbers of the pool that let them in. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AdmissionChangesTest {

    private static final String ID = "8ced73660b864d5b8352084950e45ef7";
    private static final PoolId SALE = PoolId.parse("spring:phone");
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");
    private static final Books LET_IN = Books.expected(1, 2, 10, 3, 0);
    private static final Books GONE = Books.expected(1, 3, 10, 0, 0);
    private static final Adopt ADOPT = new Adopt(
            new OrderCreateRequested("message-1", ID, "q-1", "spring", "phone", "ann", 3, NOW, NOW.plusSeconds(300)),
            SALE,
            LET_IN,
            NOW.plusSeconds(300));

    private static List<LedgerChange> changes(ReservationEvent... events) {
        var machine = new ReservationMachine(EffectPolicies.standard());
        Reservation state = machine.initial(ID);
        List<LedgerChange> changes = new ArrayList<>();
        for (ReservationEvent event : events) {
            ReservationChanges.of(state, event).ifPresent(changes::add);
            state = machine.evolve(state, event);
        }
        return changes;
    }

    private static LedgerChange change(LedgerAction action, String operationId, StockMove move, Books after) {
        return new LedgerChange(
                SALE.value(), action, operationId, Optional.of(ID), Optional.of(ID), 3, move, after, false);
    }

    @Test
    void a_hold_that_is_adopted_was_held_by_the_gate_and_handing_it_off_moves_nothing() {
        assertThat(changes(
                        new HoldAdopted(SALE, ADOPT.terms(), ADOPT.attentionAt(), ADOPT.order(), LET_IN),
                        new HandedOff(),
                        new OrderRequestSent()))
                .containsExactly(change(LedgerAction.TRY, "ADMIT:" + ID, StockMove.held(3), LET_IN));
    }

    @Test
    void one_that_redis_lost_and_others_have_is_left_to_the_book_that_a_rebuild_closes() {
        assertThat(changes(
                        new HoldAdopted(SALE, ADOPT.terms(), ADOPT.attentionAt(), ADOPT.order(), LET_IN),
                        new ReservationEvent.AdmissionWasLost(10, 9)))
                .containsExactly(change(LedgerAction.TRY, "ADMIT:" + ID, StockMove.held(3), LET_IN));
    }

    @Test
    void an_admission_that_came_late_was_held_and_goes_back_each_under_a_name_of_its_own() {
        var tombstone =
                new TombstoneSet(new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of(ID), "no"));
        Books again = Books.expected(1, 4, 10, 3, 0);
        Books goneAgain = Books.expected(1, 5, 10, 0, 0);
        assertThat(changes(
                        tombstone,
                        new AdmissionCameLate(SALE, ADOPT.terms(), LET_IN),
                        new AdmissionReturned(3, GONE),
                        new AdmissionCameLate(SALE, ADOPT.terms(), again),
                        new AdmissionReturned(3, goneAgain)))
                .containsExactly(
                        change(LedgerAction.TRY, "ADMIT:" + ID + ":1.2", StockMove.held(3), LET_IN),
                        change(LedgerAction.CANCEL, "RETURN:" + ID + ":1.2", StockMove.released(3, GONE), GONE),
                        change(LedgerAction.TRY, "ADMIT:" + ID + ":1.4", StockMove.held(3), again),
                        change(
                                LedgerAction.CANCEL,
                                "RETURN:" + ID + ":1.4",
                                StockMove.released(3, goneAgain),
                                goneAgain));
    }

    @Test
    void one_that_redis_did_not_have_any_more_moves_nothing() {
        var tombstone =
                new TombstoneSet(new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of(ID), "no"));
        assertThat(changes(
                        tombstone, new AdmissionCameLate(SALE, ADOPT.terms(), LET_IN), new AdmissionReturned(0, GONE)))
                .hasSize(1);
    }
}
