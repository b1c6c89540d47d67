package io.holdfast.messaging.out;

import static io.holdfast.messaging.out.Life.FIVE;
import static io.holdfast.messaging.out.Life.FIVE_LATER;
import static io.holdfast.messaging.out.Life.ID;
import static io.holdfast.messaging.out.Life.LATER;
import static io.holdfast.messaging.out.Life.books;
import static io.holdfast.messaging.out.Life.held;
import static io.holdfast.messaging.out.Life.requested;
import static io.holdfast.messaging.out.Life.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.ReservationEvent.EpochSeen;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.FactRefused;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldDenied;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.InquiryStarted;
import io.holdfast.reservation.domain.ReservationEvent.OrderInquired;
import io.holdfast.reservation.domain.ReservationEvent.OverdueNoticed;
import io.holdfast.reservation.domain.ReservationEvent.RefundRecorded;
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.RequestAwaited;
import io.holdfast.reservation.domain.ReservationEvent.ReviewLifted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.ReservationEvent.VerificationSeen;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.Resolution;
import io.holdfast.reservation.domain.Review;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Every event of a reservation, and what it announces. Numbers are total/deficit/available/reserved/sold, then the numbers after. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ReservationMessagesTest {

    private static final String POOL = "[m-1:soup:2026-07-25]";
    private static final String ORDER = "[order-1]";
    private static final Cancellation FAILED =
            new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of("order-1"), "card declined");

    private final List<Life<Reservation, ReservationEvent>> lives = new ArrayList<>();

    /** What was lived through so far. */
    List<Life<Reservation, ReservationEvent>> lives() {
        return lives;
    }

    private List<String> told(Life<Reservation, ReservationEvent> life) {
        lives.add(life);
        return life.told();
    }

    @Test
    void a_hold_that_is_granted_is_told_to_stock_and_order() {
        assertThat(told(held(FIVE)))
                .containsExactly(
                        "InventoryRedisReserved" + POOL + "/stock {action=TRY, quantity=5} +0/+0/-5/+5/+0 @1.3"
                                + " {total=10, deficit=0, available=5, reserved=5, sold=0}",
                        "InventoryReserved" + ORDER + " {status=RESERVED, quantity=5}");
    }

    @Test
    void a_hold_that_the_gate_let_in_is_told_once_it_is_journaled() {
        assertThat(told(adopted()))
                .containsExactly(
                        "InventoryRedisReserved" + POOL + "/stock {action=TRY, quantity=5} +0/+0/-5/+5/+0 @1.3"
                                + " {total=10, deficit=0, available=5, reserved=5, sold=0}",
                        "InventoryReserved[" + Life.ID + "] {status=RESERVED, quantity=5}");
        assertThat(told(adopted().then(new ReservationEvent.HandedOff()))).isEmpty();
        assertThat(told(adopted().then(new ReservationEvent.HandedOff()).then(new ReservationEvent.OrderRequestSent())))
                .isEmpty();
    }

    @Test
    void one_that_was_lost_to_others_is_told_to_have_ended_and_moves_no_stock() {
        assertThat(told(adopted().then(new ReservationEvent.AdmissionWasLost(10, 8))))
                .containsExactly("InventoryCanceled[" + Life.ID
                        + "] {status=CANCELED, released=0, reason_code=ADMISSION_LOST, reason=Redis lost the admission"
                        + " before it was handed off, and 8 of 10 units are promised to others}");
    }

    @Test
    void one_that_was_let_in_too_late_moves_stock_and_says_nothing_to_the_order() {
        var late = Life.reservation()
                .then(new TombstoneSet(FAILED))
                .then(new ReservationEvent.AdmissionCameLate(Life.POOL, ADMITTED.terms(), books(3, 5, 0)));
        assertThat(told(late))
                .containsExactly("InventoryRedisReserved" + POOL + "/stock {action=TRY, quantity=5} +0/+0/-5/+5/+0 @1.3"
                        + " {total=10, deficit=0, available=5, reserved=5, sold=0}");
        assertThat(told(late.then(new ReservationEvent.AdmissionReturned(5, books(4, 0, 0)))))
                .containsExactly(
                        "InventoryRedisCanceled" + POOL + "/stock {action=CANCEL, quantity=5} +0/+0/+5/-5/+0 @1.4"
                                + " {total=10, deficit=0, available=10, reserved=0, sold=0}");
    }

    private static final ReservationCommand.Adopt ADMITTED = new ReservationCommand.Adopt(
            new OrderCreateRequested("message-1", Life.ID, "q-1", "m-1", "soup", "user-1", 5, Life.NOW, LATER),
            Life.POOL,
            books(3, 5, 0),
            LATER);

    private static Life<Reservation, ReservationEvent> adopted() {
        return Life.reservation()
                .then(new ReservationEvent.HoldAdopted(
                        Life.POOL, ADMITTED.terms(), LATER, ADMITTED.order(), ADMITTED.books()));
    }

    @Test
    void a_hold_that_is_denied_moves_nothing_and_says_why() {
        assertThat(told(requested(FIVE).then(new HoldDenied(DenialReason.SHORT, books(3, 8, 0)))))
                .containsExactly("InventoryRejected" + ORDER + " {status=REJECTED, quantity=5, reason_code=SOLD_OUT}");
    }

    @Test
    void steps_that_only_begin_something_announce_nothing() {
        assertThat(told(requested(FIVE))).isEmpty();
        assertThat(told(requested(FIVE).then(new FactNoted(Fact.OrderCreated.whole("order-1")))))
                .isEmpty();
        assertThat(told(held(FIVE).then(new ConfirmStarted(5)))).isEmpty();
        assertThat(told(held(FIVE).then(new ReleaseStarted(FAILED)))).isEmpty();
        assertThat(told(held(FIVE).then(new RefundStarted(new Refund("r-1", 2, true), 5))))
                .isEmpty();
        assertThat(told(held(FIVE).then(new VerificationSeen(1)))).isEmpty();
        assertThat(told(held(FIVE).then(new EpochSeen(1, PoolId.parse("m-1:soup:2026-07-25"), 2))))
                .isEmpty();
    }

    @Test
    void a_confirmation_sells_and_gives_back_what_the_order_does_not_want() {
        assertThat(told(held(FIVE).then(new ConfirmStarted(5)).then(new HoldConfirmed(5, 0, books(4, 0, 5)))))
                .containsExactly(
                        "InventoryRedisConfirmed" + POOL
                                + "/stock {action=CONFIRM, quantity=5, confirmed=5, released=0} +0/+0/+0/-5/+5 @1.4"
                                + " {total=10, deficit=0, available=5, reserved=0, sold=5}",
                        "InventoryConfirmed" + ORDER + " {status=CONFIRMED, confirmed=5, released=0}");
        assertThat(told(held(FIVE).then(new ConfirmStarted(3)).then(new HoldConfirmed(3, 2, books(4, 0, 3)))))
                .containsExactly(
                        "InventoryRedisConfirmed" + POOL
                                + "/stock {action=CONFIRM, quantity=3, confirmed=3, released=2} +0/+0/+2/-5/+3 @1.4"
                                + " {total=10, deficit=0, available=7, reserved=0, sold=3}",
                        "InventoryConfirmed" + ORDER + " {status=CONFIRMED, confirmed=3, released=2}");
    }

    @Test
    void a_scheduled_order_is_told_when_it_is_due() {
        assertThat(told(held(FIVE_LATER).then(new ConfirmScheduled(5, LATER))))
                .containsExactly("InventoryConfirmScheduled" + ORDER + " {status=CREATED_RESERVED, quantity=5, due_at="
                        + LATER + "}");
    }

    @Test
    void a_release_gives_everything_back() {
        assertThat(told(held(FIVE).then(new ReleaseStarted(FAILED)).then(new HoldReleased(5, books(4, 0, 0)))))
                .containsExactly(
                        "InventoryRedisCanceled" + POOL + "/stock {action=CANCEL, quantity=5} +0/+0/+5/-5/+0 @1.4"
                                + " {total=10, deficit=0, available=10, reserved=0, sold=0}",
                        "InventoryCanceled" + ORDER + " {status=CANCELED, released=5, reason_code=ORDER_CREATED_FAILED,"
                                + " reason=card declined}");
    }

    @Test
    void what_is_given_back_pays_the_deficit_first() {
        Books stillInDeficit = Books.expected(1, 4, 3, 0, 5);
        assertThat(told(held(FIVE).then(new ReleaseStarted(FAILED)).then(new HoldReleased(5, stillInDeficit))))
                .first()
                .asString()
                .contains(" +0/-5/+0/-5/+0 ");
        Books partlyPaid = Books.expected(1, 4, 8, 0, 5);
        assertThat(told(held(FIVE).then(new ReleaseStarted(FAILED)).then(new HoldReleased(5, partlyPaid))))
                .first()
                .asString()
                .contains(" +0/-2/+3/-5/+0 ");
    }

    @Test
    void an_end_before_the_request_is_told_with_nothing_released() {
        assertThat(told(reservation().then(new TombstoneSet(FAILED))))
                .containsExactly("InventoryCanceled" + ORDER
                        + " {status=CANCELED, released=0, reason_code=ORDER_CREATED_FAILED, reason=card declined}");
        Cancellation unnamed = new Cancellation(Cancellation.Cause.REFUND_REQUESTED, Optional.empty(), "refund r-1");
        assertThat(told(reservation().then(new TombstoneSet(unnamed))))
                .containsExactly("InventoryCanceled[" + ID
                        + "] {status=CANCELED, released=0, reason_code=REFUND_REQUESTED, reason=refund r-1}");
    }

    @Test
    void an_order_whose_hold_nobody_asked_for_is_told_as_unknown_and_later_as_overdue() {
        var early = reservation().then(new FactNoted(Fact.OrderCreated.whole("order-1")));
        assertThat(told(early))
                .containsExactly("InventoryHoldUnknown" + ORDER + " {status=NONE, cause_id=/orders evt-1}");
        assertThat(told(early.then(new RequestAwaited(LATER)))).isEmpty();
        assertThat(told(early.then(new OverdueNoticed(LATER))))
                .containsExactly("InventoryOverdue" + ORDER + " {status=NONE, attention_at=" + LATER + "}");
    }

    @Test
    void a_hold_without_news_of_its_order_is_told_as_overdue_once() {
        Life<Reservation, ReservationEvent> overdue = held(FIVE).then(new OverdueNoticed(LATER));
        assertThat(told(overdue))
                .containsExactly("InventoryOverdue" + ORDER + " {status=RESERVED, attention_at=" + LATER + "}");
        var asked = overdue.then(new OrderInquired(1, OrderAnswer.UNREACHED, Optional.of(LATER)));
        assertThat(told(asked)).as("whom else it asked is its own affair").isEmpty();
        assertThat(told(asked.then(new InquiryStarted(2)))).isEmpty();
    }

    @Test
    void every_refused_fact_is_answered_with_its_reason() {
        assertThat(told(requested(FIVE)
                        .then(new HoldDenied(DenialReason.SHORT, books(3, 8, 0)))
                        .then(new FactRefused(Fact.OrderCreated.whole("order-1"), ReservationRefusal.NOTHING_HELD))))
                .containsExactly("InventoryConfirmRefused" + ORDER
                        + " {status=REJECTED, cause_id=/orders evt-1, reason_code=NOTHING_HELD,"
                        + " reason=" + ReservationRefusal.NOTHING_HELD.explanation() + ", conflict=true}");
        assertThat(told(held(FIVE)
                        .then(new ConfirmStarted(5))
                        .then(new FactRefused(
                                new Fact.OrderCreatedFailed("order-1", "late"),
                                ReservationRefusal.ORDER_ALREADY_CREATED))))
                .first()
                .asString()
                .startsWith("InventoryCancelRefused" + ORDER);
        assertThat(told(held(FIVE)
                        .then(new FactRefused(
                                new Fact.RefundRequested(Optional.of("order-1"), "r-1", 9, true),
                                ReservationRefusal.REFUND_EXCEEDS))))
                .first()
                .asString()
                .startsWith("InventoryRefundRefused" + ORDER)
                .contains("conflict=false, refund_id=r-1, quantity=9");
    }

    @Test
    void news_of_another_order_is_answered_beside_the_reservations_own_and_names_both() {
        var life = held(FIVE).then(new FactRefused(Fact.OrderCreated.whole("order-2"), ReservationRefusal.OTHER_ORDER));
        assertThat(told(life)).first().asString().startsWith("InventoryConfirmRefused" + ORDER);
        assertThat(life.messages().getFirst().data())
                .containsEntry("order_id", "order-1")
                .containsEntry("named_order_id", "order-2");
    }

    @Test
    void refunds_come_from_where_the_units_are() {
        Refund two = new Refund("r-1", 2, true);
        assertThat(told(held(FIVE_LATER)
                        .then(new ConfirmScheduled(5, LATER))
                        .then(new RefundStarted(two, 5))
                        .then(new HoldRefunded(two, books(4, 3, 0)))))
                .containsExactly(
                        "InventoryRedisRefunded" + POOL
                                + "/stock {action=REFUND, quantity=2, refund_id=r-1, restock=true} +0/+0/+2/-2/+0 @1.4"
                                + " {total=10, deficit=0, available=7, reserved=3, sold=0}",
                        "InventoryRefunded" + ORDER
                                + " {status=CREATED_RESERVED, refund_id=r-1, restock=true, quantity=2, remaining=3}");
        assertThat(told(confirmed().then(new RefundStarted(two, 5)).then(new HoldRefunded(two, books(5, 0, 3)))))
                .first()
                .asString()
                .contains(" +0/+0/+2/+0/-2 ");
    }

    @Test
    void goods_that_are_not_restocked_count_as_sold() {
        Refund gone = new Refund("r-1", 2, false);
        assertThat(told(held(FIVE_LATER)
                        .then(new ConfirmScheduled(5, LATER))
                        .then(new RefundStarted(gone, 5))
                        .then(new HoldRefunded(gone, books(4, 3, 2)))))
                .first()
                .asString()
                .contains(" +0/+0/+0/-2/+2 ");
        assertThat(told(confirmed().then(new RefundStarted(gone, 5)).then(new HoldRefunded(gone, books(4, 0, 5)))))
                .as("they were sold already: no number moves, so no stock change is told")
                .containsExactly("InventoryRefunded" + ORDER
                        + " {status=CONFIRMED, refund_id=r-1, restock=false, quantity=2, remaining=3}");
    }

    @Test
    void a_refund_after_its_pool_was_archived_is_told_to_the_order_and_moves_no_number() {
        Refund two = new Refund("r-1", 2, true);
        assertThat(told(confirmed().then(new RefundStarted(two, 5)).then(new RefundRecorded(two))))
                .containsExactly("InventoryRefunded" + ORDER
                        + " {status=CONFIRMED, refund_id=r-1, restock=true, quantity=2, remaining=3}");
    }

    @Test
    void what_a_created_order_does_not_want_is_no_refund_to_it() {
        Refund surplus = new Refund(Refund.SURPLUS, 2, true);
        assertThat(told(held(FIVE_LATER)
                        .then(new RefundStarted(surplus, 3))
                        .then(new HoldRefunded(surplus, books(4, 3, 0)))))
                .singleElement()
                .asString()
                .startsWith("InventoryRedisRefunded" + POOL)
                .contains(" +0/+0/+2/-2/+0 ");
    }

    @Test
    void a_review_is_told_when_it_opens_and_when_it_is_lifted() {
        Review review = new Review(Review.Trigger.CAUSE_REUSED, "two contents", Map.of("cause_id", "/orders evt-1"));
        var frozen = held(FIVE).then(new ReviewOpened(review));
        assertThat(told(frozen))
                .containsExactly("InventoryReviewOpened" + ORDER + " {status=MANUAL_REVIEW, reason_code=CAUSE_REUSED,"
                        + " reason=two contents, evidence={cause_id=/orders evt-1}}");
        assertThat(told(held(FIVE)
                        .then(new ReviewOpened(review))
                        .then(new ReviewLifted(new Resolution.Continue(), "looked at"))))
                .containsExactly(
                        "InventoryReviewLifted" + ORDER + " {status=RESERVED, reason=looked at, resolution=CONTINUE}");
    }

    @Test
    void a_declared_end_is_told_by_its_usual_name_too_and_moves_no_number() {
        assertThat(declared(Resolution.Ending.CANCELED))
                .containsExactly(
                        "InventoryReviewLifted" + ORDER + " {status=CANCELED, reason=by hand, resolution=CANCELED}",
                        "InventoryCanceled" + ORDER
                                + "/end {status=CANCELED, declared=true, released=0, reason_code=OPERATOR, reason=by"
                                + " hand}");
        assertThat(declared(Resolution.Ending.CONFIRMED))
                .last()
                .isEqualTo("InventoryConfirmed" + ORDER
                        + "/end {status=CONFIRMED, declared=true, confirmed=5, released=0}");
        assertThat(declared(Resolution.Ending.REFUNDED))
                .last()
                .isEqualTo("InventoryRefunded" + ORDER + "/end {status=REFUNDED, declared=true,"
                        + " refund_id=declared-refunded, restock=true, quantity=5, remaining=0}");
    }

    private List<String> declared(Resolution.Ending ending) {
        return told(held(FIVE)
                .then(new ReviewOpened(new Review(Review.Trigger.FROZEN, "by hand", Map.of())))
                .then(new ReviewLifted(new Resolution.StandAs(ending), "by hand")));
    }

    @Test
    void an_effect_that_keeps_failing_and_a_contradicted_event_are_told() {
        assertThat(told(held(FIVE).then(new ConfirmStarted(5)).stalled()))
                .containsExactly("InventoryOperationDead" + ORDER + " {status=CONFIRMING, operation_id=CONFIRM:" + ID
                        + ", effect=confirm, attempts=12, last_error=no answer}");
        assertThat(told(requested(FIVE)
                        .then(new HoldDenied(DenialReason.SHORT, books(3, 8, 0)))
                        .then(new ContradictionNoticed("/orders evt-1"))))
                .containsExactly("InventoryEventContradicted" + ORDER + " {status=REJECTED, cause_id=/orders evt-1}");
    }

    @Test
    void ids_follow_from_the_journal_and_no_two_messages_share_one() {
        var life = confirmed();
        assertThat(life.everything())
                .extracting(OutgoingMessage::id)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.startsWith("reservation|" + ID + "#"));
        assertThat(life.everything()).extracting(OutgoingMessage::sequence).isSorted();
        assertThat(confirmed().everything()).isEqualTo(life.everything());
    }

    /** The lives told above; run through here once more so that the order of tests does not matter. */
    @Test
    void no_kind_of_event_is_left_out_above() {
        for (Runnable test : List.<Runnable>of(
                this::a_hold_that_is_granted_is_told_to_stock_and_order,
                this::a_hold_that_the_gate_let_in_is_told_once_it_is_journaled,
                this::one_that_was_lost_to_others_is_told_to_have_ended_and_moves_no_stock,
                this::one_that_was_let_in_too_late_moves_stock_and_says_nothing_to_the_order,
                this::a_hold_that_is_denied_moves_nothing_and_says_why,
                this::steps_that_only_begin_something_announce_nothing,
                this::a_confirmation_sells_and_gives_back_what_the_order_does_not_want,
                this::a_scheduled_order_is_told_when_it_is_due,
                this::a_release_gives_everything_back,
                this::an_end_before_the_request_is_told_with_nothing_released,
                this::an_order_whose_hold_nobody_asked_for_is_told_as_unknown_and_later_as_overdue,
                this::a_hold_without_news_of_its_order_is_told_as_overdue_once,
                this::every_refused_fact_is_answered_with_its_reason,
                this::refunds_come_from_where_the_units_are,
                this::a_refund_after_its_pool_was_archived_is_told_to_the_order_and_moves_no_number,
                this::a_review_is_told_when_it_opens_and_when_it_is_lifted,
                this::an_effect_that_keeps_failing_and_a_contradicted_event_are_told)) {
            test.run();
        }
        Set<Class<?>> met = new LinkedHashSet<>();
        lives.forEach(life -> met.addAll(life.met()));
        assertThat(met).containsExactlyInAnyOrder(ReservationEvent.class.getPermittedSubclasses());
    }

    private static Life<Reservation, ReservationEvent> confirmed() {
        return held(FIVE).then(new ConfirmStarted(5)).then(new HoldConfirmed(5, 0, books(4, 0, 5)));
    }
}
