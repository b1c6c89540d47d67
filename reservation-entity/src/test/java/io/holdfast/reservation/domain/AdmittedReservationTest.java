package io.holdfast.reservation.domain;

import static io.holdfast.reservation.domain.A.ID;
import static io.holdfast.reservation.domain.A.LATER;
import static io.holdfast.reservation.domain.A.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionLost;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionReturnAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.HandOffAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Lift;
import io.holdfast.reservation.domain.ReservationCommand.OrderRequestAnswered;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationCommand.SeeVerification;
import io.holdfast.reservation.domain.ReservationCommand.ToldByCaller;
import io.holdfast.reservation.domain.ReservationEffect.ConfirmHold;
import io.holdfast.reservation.domain.ReservationEffect.HandOff;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.RequestOrder;
import io.holdfast.reservation.domain.ReservationEffect.ReturnAdmission;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionReturned;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionWasLost;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.EpochSeen;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.FactRefused;
import io.holdfast.reservation.domain.ReservationEvent.HandedOff;
import io.holdfast.reservation.domain.ReservationEvent.HoldAdopted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.OrderRequestSent;
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewLifted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.ReservationEvent.VerificationSeen;
import io.holdfast.testkit.table.MachineTable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What becomes of a hold that came in by the gate. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AdmittedReservationTest {

    private static final ReservationMachine MACHINE = new ReservationMachine(A.POLICIES);
    private static final MachineTable<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> TABLE =
            MachineTable.of(MACHINE, ID);

    private static final PoolId SALE = PoolId.parse("spring:phone");
    private static final OrderCreateRequested ORDER = order("q-1");
    private static final Books LET_IN = A.books(2, 5, 0);
    private static final Adopt ADOPT = new Adopt(ORDER, SALE, LET_IN, LATER);
    private static final HoldAdopted ADOPTED = new HoldAdopted(SALE, ADOPT.terms(), LATER, ORDER, LET_IN);
    private static final HandedOff HANDED_OFF = new HandedOff();
    private static final OrderRequestSent SENT = new OrderRequestSent();
    private static final OrderCreated CREATED = OrderCreated.whole(ID);
    private static final OrderCreatedFailed FAILED = new OrderCreatedFailed(ID, "sold out in the books");
    private static final Cancellation FAILURE =
            new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of(ID), FAILED.reason());
    private static final TombstoneSet TOMBSTONE = new TombstoneSet(FAILURE);
    private static final ReviewOpened FROZEN =
            new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));

    private static OrderCreateRequested order(String request) {
        return new OrderCreateRequested("message-1", ID, request, "spring", "phone", "ann", 5, NOW, LATER);
    }

    private static HandOff handOff(long generation, long epoch) {
        return new HandOff(ID, SALE, generation, epoch, A.POLICIES.script());
    }

    private static RequestOrder request() {
        return new RequestOrder(SALE, ORDER, 0, A.POLICIES.script());
    }

    private static ReturnAdmission goesBack(PoolId pool, long epoch) {
        return new ReturnAdmission(ID, pool, 5, 0, epoch, A.POLICIES.script());
    }

    private static ReservationEvent[] past(ReservationEvent... events) {
        return events;
    }

    private static ReservationEvent[] then(ReservationEvent[] past, ReservationEvent... more) {
        return Stream.concat(Arrays.stream(past), Arrays.stream(more)).toArray(ReservationEvent[]::new);
    }

    private static Reservation state(ReservationEvent... past) {
        Reservation state = MACHINE.initial(ID);
        for (ReservationEvent event : past) {
            state = MACHINE.evolve(state, event);
        }
        return state;
    }

    @Test
    void it_is_journaled_first_then_taken_off_the_list_then_its_order_is_asked_for_once_and_for_all() {
        TABLE.given()
                .when(ADOPT, NOW)
                .then(ADOPTED)
                .owes(handOff(0, 1))
                .wakesAt(LATER)
                .verdict(Verdict.done());
        TABLE.given(ADOPTED)
                .when(new HandOffAnswered(), NOW)
                .then(HANDED_OFF)
                .owes(request())
                .wakesAt(LATER);
        TABLE.given(ADOPTED, HANDED_OFF)
                .when(new OrderRequestAnswered(), NOW)
                .then(SENT)
                .owes()
                .wakesAt(LATER);
        assertThat(request().operationId()).isEqualTo("SEND:message-1");
        assertThat(((Reserved) state(ADOPTED)).account().held()).isEqualTo(5);
        assertThat(state(ADOPTED).order()).contains(ID);
    }

    @Test
    void outcomes_that_come_twice_or_out_of_order_change_nothing() {
        TABLE.given(ADOPTED).when(new OrderRequestAnswered(), NOW).thenRepeat();
        TABLE.given(ADOPTED, HANDED_OFF).when(new HandOffAnswered(), NOW).thenRepeat();
        TABLE.given(ADOPTED, HANDED_OFF, SENT).when(new HandOffAnswered(), NOW).thenRepeat();
        TABLE.given(ADOPTED, HANDED_OFF, SENT)
                .when(new OrderRequestAnswered(), NOW)
                .thenRepeat();
        TABLE.given(ADOPTED, new ConfirmStarted(5))
                .when(new OrderRequestAnswered(), NOW)
                .thenRepeat();
        TABLE.given(ADOPTED).when(new AdmissionReturnAnswered(5, LET_IN), NOW).thenRepeat();
    }

    @Test
    void handed_over_again_it_is_the_same_hold_wherever_it_stands() {
        var refund = new Refund(Refund.ORDER_CANCELED, 5, true);
        for (ReservationEvent[] past : List.of(
                past(ADOPTED),
                past(ADOPTED, HANDED_OFF),
                past(ADOPTED, HANDED_OFF, SENT),
                past(ADOPTED, new ConfirmStarted(5)),
                past(ADOPTED, new ReleaseStarted(FAILURE)),
                past(ADOPTED, new ReleaseStarted(FAILURE), new HoldReleased(5, A.books(3, 0, 0))),
                past(ADOPTED, new RefundStarted(refund, 5)),
                past(ADOPTED, new RefundStarted(refund, 5), new HoldRefunded(refund, A.books(3, 0, 0))),
                past(ADOPTED, FROZEN))) {
            TABLE.given(past).when(ADOPT, NOW).thenRepeat().verdict(Verdict.done());
        }
        // A Redis that was left behind let the same request in again: there is one fence, and one hold.
        TABLE.given(ADOPTED)
                .when(new Adopt(ORDER, SALE, A.books(7, 5, 0), LATER), NOW)
                .thenRepeat();
    }

    @Test
    void its_order_decides_like_any_other_and_redis_is_told_that_it_was_admitted() {
        TABLE.given(ADOPTED, HANDED_OFF, SENT)
                .when(CREATED, NOW)
                .then(new ConfirmStarted(5))
                .owes(new ConfirmHold(ID, SALE, 5, 0, 1, true, A.POLICIES.script()));
        TABLE.given(ADOPTED, HANDED_OFF, SENT)
                .when(FAILED, NOW)
                .then(new ReleaseStarted(FAILURE))
                .owes(new ReleaseHold(ID, SALE, 5, 0, 1, true, A.POLICIES.script()));
        var all = new Refund(Refund.ORDER_CANCELED, 5, true);
        TABLE.given(ADOPTED, HANDED_OFF, SENT)
                .when(new OrderCanceled(Optional.of(ID), "buyer"), NOW)
                .then(new RefundStarted(all, 5))
                .owes(new RefundHold(ID, SALE, all, 0, 1, true, A.POLICIES.script()));
    }

    @Test
    void callers_are_sent_to_its_order_wherever_it_stands_and_leave_no_trace() {
        var refund = new Refund(Refund.ORDER_CANCELED, 5, true);
        List<Fact> news = List.of(
                CREATED,
                FAILED,
                new OrderCanceled(Optional.of(ID), "buyer"),
                new Fact.RefundRequested(Optional.empty(), "refund-1", 2, true),
                OrderCreated.whole("order-2"));
        for (ReservationEvent[] past : List.of(
                past(ADOPTED),
                past(ADOPTED, HANDED_OFF, SENT),
                past(ADOPTED, new ConfirmStarted(5)),
                past(ADOPTED, new ReleaseStarted(FAILURE)),
                past(ADOPTED, new RefundStarted(refund, 5), new HoldRefunded(refund, A.books(3, 0, 0))),
                past(ADOPTED, FROZEN))) {
            for (Fact fact : news) {
                TABLE.given(past)
                        .when(new ToldByCaller(fact), NOW)
                        .thenRefused(ReservationRefusal.ORDER_DECIDES)
                        .verdict(Verdict.refused(ReservationRefusal.ORDER_DECIDES));
            }
        }
    }

    @Test
    void what_callers_say_of_other_holds_is_the_fact_itself() {
        TABLE.given().when(new ToldByCaller(FAILED), NOW).then(TOMBSTONE).verdict(Verdict.done());
        TABLE.given(A.REQUESTED, new ReservationEvent.HoldGranted(A.books(2, 5, 0)))
                .when(new ToldByCaller(OrderCreated.whole(A.ORDER)), NOW)
                .then(new ConfirmStarted(5))
                .verdict(Verdict.pending());
    }

    @Test
    void an_order_that_is_decided_before_it_is_off_the_list_is_not_asked_for_any_more() {
        TABLE.given(ADOPTED)
                .when(FAILED, NOW)
                .then(new ReleaseStarted(FAILURE))
                .owes(new ReleaseHold(ID, SALE, 5, 0, 1, true, A.POLICIES.script()));
    }

    @Test
    void news_that_came_before_it_are_decided_with_it() {
        TABLE.given(new FactNoted(CREATED))
                .when(ADOPT, NOW)
                .then(ADOPTED, new ConfirmStarted(5))
                .owes(new ConfirmHold(ID, SALE, 5, 0, 1, true, A.POLICIES.script()));
        OrderCreated other = OrderCreated.whole("order-2");
        TABLE.given(new FactNoted(other))
                .when(ADOPT, NOW)
                .then(ADOPTED, new FactRefused(other, ReservationRefusal.OTHER_ORDER))
                .owes(handOff(0, 1));
    }

    @Test
    void after_the_end_of_its_order_it_goes_back_and_nothing_else_changes() {
        var late = new AdmissionCameLate(SALE, ADOPT.terms(), LET_IN);
        var returned = new AdmissionReturned(5, A.books(3, 0, 0));
        TABLE.given(TOMBSTONE)
                .when(ADOPT, NOW)
                .then(late)
                .owes(goesBack(SALE, 1))
                .verdict(Verdict.done());
        TABLE.given(TOMBSTONE, late).when(ADOPT, NOW).thenRepeat().verdict(Verdict.done());
        TABLE.given(TOMBSTONE, late)
                .when(new AdmissionReturnAnswered(5, A.books(3, 0, 0)), NOW)
                .then(returned)
                .owesNothing();
        TABLE.given(TOMBSTONE, late, returned)
                .when(new AdmissionReturnAnswered(5, A.books(3, 0, 0)), NOW)
                .thenRepeat();
        TABLE.given(TOMBSTONE, late, returned).when(ADOPT, NOW).thenRepeat();
        TABLE.given(TOMBSTONE, late, returned).when(FAILED, NOW).thenRepeat();
        assertThat(state(TOMBSTONE, late, returned)).isInstanceOf(Canceled.class);
        var again = new Adopt(ORDER, SALE, A.books(9, 5, 0), LATER);
        TABLE.given(TOMBSTONE, late, returned)
                .when(again, NOW)
                .then(new AdmissionCameLate(SALE, ADOPT.terms(), A.books(9, 5, 0)))
                .owes(goesBack(SALE, 1));
    }

    @Test
    void one_that_was_let_in_anew_after_it_had_ended_goes_back_too() {
        var all = new Refund(Refund.ORDER_CANCELED, 5, true);
        var again = new Adopt(order("q-1"), SALE, A.books(9, 5, 0), LATER);
        var late = new AdmissionCameLate(SALE, ADOPT.terms(), A.books(9, 5, 0));
        for (ReservationEvent[] ended : List.of(
                past(ADOPTED, new ReleaseStarted(FAILURE), new HoldReleased(5, A.books(3, 0, 0))),
                past(ADOPTED, new RefundStarted(all, 5), new HoldRefunded(all, A.books(3, 0, 0))))) {
            TABLE.given(ended).when(again, NOW).then(late).owes(goesBack(SALE, 1));
            TABLE.given(then(ended, late))
                    .when(new AdmissionReturnAnswered(0, A.books(4, 0, 0)), NOW)
                    .then(new AdmissionReturned(0, A.books(4, 0, 0)))
                    .owesNothing();
        }
    }

    @Test
    void one_of_another_pool_goes_back_to_that_pool_while_the_hold_goes_on() {
        PoolId bucket = PoolId.parse("spring:phone:b2");
        var elsewhere = new Adopt(ORDER, bucket, A.books(4, 5, 0), LATER);
        var late = new AdmissionCameLate(bucket, ADOPT.terms(), A.books(4, 5, 0));
        TABLE.given(ADOPTED).when(elsewhere, NOW).then(late).owes(handOff(0, 1), goesBack(bucket, 1));
        TABLE.given(ADOPTED, late).when(CREATED, NOW).then(new ConfirmStarted(5));
        TABLE.given(ADOPTED, HANDED_OFF, SENT, late)
                .when(new AdmissionReturnAnswered(5, A.books(5, 0, 0)), NOW)
                .then(new AdmissionReturned(5, A.books(5, 0, 0)))
                .owes()
                .wakesAt(LATER);
    }

    private static final AdmissionLost LOST = new AdmissionLost(4, 10, 8);
    private static final AdmissionWasLost WAS_LOST = new AdmissionWasLost(10, 8);
    private static final EpochSeen REBUILT = new EpochSeen(4, SALE, 2);

    @Test
    void one_whose_units_others_have_ends_as_a_rebuild_says_and_gives_nothing_back() {
        TABLE.given(ADOPTED, REBUILT)
                .when(LOST, NOW)
                .then(WAS_LOST)
                .owesNothing()
                .verdict(Verdict.done());
        Canceled ended = (Canceled) state(ADOPTED, REBUILT, WAS_LOST);
        assertThat(ended.cancellation().cause()).isEqualTo(Cancellation.Cause.ADMISSION_LOST);
        assertThat(ended.order()).contains(ID);
        assertThat(ended.account().orElseThrow().remaining()).isZero();
        assertThat(ended.account().orElseThrow().released()).isEqualTo(5);
        TABLE.given(ADOPTED, REBUILT, WAS_LOST).when(LOST, NOW).thenRepeat();
        TABLE.given(ADOPTED, REBUILT, WAS_LOST)
                .when(new AnsweredUnder(4, new HandOffAnswered()), NOW)
                .thenRepeat();
    }

    @Test
    void what_is_known_of_its_order_or_of_another_rebuild_keeps_it_from_ending_so() {
        for (ReservationEvent[] past : List.of(
                past(),
                past(ADOPTED),
                past(ADOPTED, new EpochSeen(3, SALE, 2)),
                past(ADOPTED, REBUILT, HANDED_OFF),
                past(ADOPTED, REBUILT, HANDED_OFF, SENT),
                past(ADOPTED, REBUILT, new ConfirmStarted(5)),
                past(ADOPTED, REBUILT, new ReleaseStarted(FAILURE)),
                past(A.REQUESTED, new ReservationEvent.HoldGranted(A.books(2, 5, 0)), REBUILT),
                past(TOMBSTONE))) {
            TABLE.given(past).when(LOST, NOW).thenRepeat().verdict(Verdict.done());
        }
    }

    @Test
    void after_that_its_order_changes_nothing_and_an_admission_that_comes_anew_goes_back() {
        TABLE.given(ADOPTED, REBUILT, WAS_LOST).when(FAILED, NOW).thenRepeat().verdict(Verdict.done());
        TABLE.given(ADOPTED, REBUILT, WAS_LOST)
                .when(CREATED, NOW)
                .thenRefused(
                        ReservationRefusal.ORDER_ALREADY_FAILED,
                        new FactRefused(CREATED, ReservationRefusal.ORDER_ALREADY_FAILED));
        TABLE.given(ADOPTED, REBUILT, WAS_LOST).when(ADOPT, NOW).thenRepeat();
        Books anew = Books.expected(2, 9, 10, 5, 0);
        TABLE.given(ADOPTED, REBUILT, WAS_LOST)
                .when(new Adopt(ORDER, SALE, anew, LATER), NOW)
                .then(new AdmissionCameLate(SALE, ADOPT.terms(), anew))
                .owes(new ReturnAdmission(ID, SALE, 5, 4, 2, A.POLICIES.script()));
    }

    @Test
    void a_mark_does_not_keep_it_either_and_stays() {
        TABLE.given(ADOPTED, FROZEN, REBUILT).when(LOST, NOW).then(WAS_LOST).owesNothing();
        assertThat(state(ADOPTED, FROZEN, REBUILT, WAS_LOST))
                .isInstanceOfSatisfying(
                        UnderReview.class, marked -> assertThat(marked.state()).isInstanceOf(Canceled.class));
        TABLE.given(ADOPTED, FROZEN, REBUILT, WAS_LOST)
                .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                .then(new ReviewLifted(new Resolution.Continue(), "clear"))
                .owesNothing();
    }

    @Test
    void another_request_under_this_id_is_for_a_person_to_look_at() {
        TABLE.given(ADOPTED)
                .when(new Adopt(order("q-2"), SALE, A.books(4, 5, 0), LATER), NOW)
                .then(new ReviewOpened(new Review(
                        Review.Trigger.FENCE_CONTRADICTION,
                        "the gate let another request in under this id",
                        Map.of("user", "ann", "request", "q-2", "quantity", "5"))))
                .owesNothing()
                .verdict(Verdict.done());
    }

    @Test
    void while_a_person_looks_it_is_taken_in_and_owes_nothing_until_the_mark_is_lifted() {
        ReservationEvent[] marked = {new FactNoted(CREATED), FROZEN};
        TABLE.given(marked).when(ADOPT, NOW).then(ADOPTED).owesNothing().verdict(Verdict.done());
        assertThat(state(then(marked, ADOPTED))).isInstanceOf(UnderReview.class);
        TABLE.given(then(marked, ADOPTED))
                .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                .then(new ReviewLifted(new Resolution.Continue(), "clear"), new ConfirmStarted(5));
        TABLE.given(ADOPTED, FROZEN).when(new HandOffAnswered(), NOW).thenRepeat();
        TABLE.given(ADOPTED, FROZEN)
                .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                .then(new ReviewLifted(new Resolution.Continue(), "clear"))
                .owes(handOff(0, 1));
    }

    @Test
    void what_redis_says_of_a_fence_that_can_not_be_is_for_a_person_to_look_at() {
        TABLE.given(ADOPTED)
                .when(new ContradictionFound("HANDED_OFF:" + ID, "HANDED_OFF", Map.of("phase", "CONFIRMED")), NOW)
                .then(new ReviewOpened(new Review(
                        Review.Trigger.FENCE_CONTRADICTION,
                        "HANDED_OFF:" + ID + " was answered HANDED_OFF",
                        Map.of("phase", "CONFIRMED"))))
                .owesNothing();
        TABLE.given(ADOPTED, HANDED_OFF)
                .when(new ContradictionFound("HANDED_OFF:" + ID, "HANDED_OFF", Map.of("phase", "CONFIRMED")), NOW)
                .thenRepeat();
    }

    @Test
    void it_calls_redis_under_the_epoch_it_was_let_in_under_and_later_ones_once_they_are_journaled() {
        Books second = Books.expected(2, 2, 10, 5, 0);
        var adopted = new HoldAdopted(SALE, ADOPT.terms(), LATER, ORDER, second);
        TABLE.given()
                .when(new Adopt(ORDER, SALE, second, LATER), NOW)
                .then(adopted)
                .owes(handOff(0, 2));
        TABLE.given(adopted)
                .when(new SeeEpoch(4, new PoolEpoch(SALE, 3)), NOW)
                .then(new EpochSeen(4, SALE, 3))
                .owes(handOff(4, 3));
        TABLE.given(adopted)
                .when(new SeeVerification(4), NOW)
                .then(new VerificationSeen(4))
                .owes(handOff(4, 2));
        TABLE.given(adopted, new VerificationSeen(4))
                .when(new AnsweredUnder(0, new HandOffAnswered()), NOW)
                .thenRepeat();
        TABLE.given(adopted, new VerificationSeen(4))
                .when(new AnsweredUnder(4, new HandOffAnswered()), NOW)
                .then(HANDED_OFF);
    }

    @Test
    void so_does_one_that_goes_back_also_where_nothing_was_ever_asked_for() {
        var late = new AdmissionCameLate(SALE, ADOPT.terms(), Books.expected(2, 2, 10, 5, 0));
        TABLE.given(TOMBSTONE, late)
                .when(new SeeEpoch(0, new PoolEpoch(SALE, 3)), NOW)
                .then(new EpochSeen(0, SALE, 3))
                .owes(goesBack(SALE, 3));
        TABLE.given(TOMBSTONE, late, new EpochSeen(0, SALE, 3))
                .when(new SeeEpoch(0, new PoolEpoch(SALE, 3)), NOW)
                .thenRepeat();
        TABLE.given(TOMBSTONE, late, new AdmissionReturned(5, A.books(3, 0, 0)))
                .when(new SeeEpoch(0, new PoolEpoch(SALE, 3)), NOW)
                .thenRepeat();
    }
}
