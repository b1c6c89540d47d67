package io.holdfast.reservation.domain;

import static io.holdfast.engine.machine.Verdict.done;
import static io.holdfast.engine.machine.Verdict.pending;
import static io.holdfast.engine.machine.Verdict.refused;
import static io.holdfast.reservation.domain.A.CREATED;
import static io.holdfast.reservation.domain.A.ID;
import static io.holdfast.reservation.domain.A.LATER;
import static io.holdfast.reservation.domain.A.LINE;
import static io.holdfast.reservation.domain.A.NOW;
import static io.holdfast.reservation.domain.A.ORDER_CANCELED;
import static io.holdfast.reservation.domain.A.ORDER_FAILED;
import static io.holdfast.reservation.domain.A.OTHER_POOL;
import static io.holdfast.reservation.domain.A.POOL;
import static io.holdfast.reservation.domain.A.REQUESTED;
import static io.holdfast.reservation.domain.A.RESERVE;
import static io.holdfast.reservation.domain.A.SCHEDULED;
import static io.holdfast.reservation.domain.A.TERMS;
import static io.holdfast.reservation.domain.A.books;
import static io.holdfast.reservation.domain.A.createdFor;
import static io.holdfast.reservation.domain.A.refund;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.CompensationDecided;
import io.holdfast.reservation.domain.ReservationCommand.ConfirmAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Contradicted;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.Freeze;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Lift;
import io.holdfast.reservation.domain.ReservationCommand.OrderAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundCameLate;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationCommand.SeeVerification;
import io.holdfast.reservation.domain.ReservationCommand.ToldByCaller;
import io.holdfast.reservation.domain.ReservationCommand.WakeUp;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.ConfirmHold;
import io.holdfast.reservation.domain.ReservationEffect.GivesBack;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.ReturnAdmission;
import io.holdfast.reservation.domain.ReservationEffect.TryGroup;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.reservation.domain.ReservationEvent.AdmissionCameLate;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.ReservationEvent.EpochSeen;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.FactRefused;
import io.holdfast.reservation.domain.ReservationEvent.HoldAdopted;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldDenied;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
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
import io.holdfast.reservation.domain.Resolution.Ending;
import io.holdfast.testkit.table.MachineTable;
import io.holdfast.testkit.table.MatrixCoverage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservationMachineTest {

    private static final ReservationSamples SAMPLES = new ReservationSamples();
    private static final MatrixCoverage<Reservation, ReservationCommand> CELLS = MatrixCoverage.of(SAMPLES);
    private static final ReservationMachine MACHINE = new ReservationMachine(A.POLICIES);
    private static final MachineTable<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> TABLE =
            MachineTable.of(MACHINE, ID).recordingIn(CELLS);

    private static final HoldGranted GRANTED = new HoldGranted(books(2, 5, 0));
    private static final ConfirmStarted CONFIRM = new ConfirmStarted(5);
    private static final HoldConfirmed CONFIRMED = new HoldConfirmed(5, 0, books(3, 0, 5));
    private static final Cancellation FAILURE =
            new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of(A.ORDER), ORDER_FAILED.reason());
    private static final ReleaseStarted RELEASE = new ReleaseStarted(FAILURE);
    private static final HoldReleased RELEASED = new HoldReleased(5, books(3, 0, 0));
    private static final Refund ALL = new Refund(Refund.ORDER_CANCELED, 5, true);
    private static final RefundStarted REFUND_ALL = new RefundStarted(ALL, 5);
    private static final HoldRefunded REFUNDED_ALL = new HoldRefunded(ALL, books(4, 0, 0));
    private static final HoldRequested REQUESTED_SCHEDULED = new HoldRequested(POOL, SCHEDULED, LATER);
    private static final ConfirmScheduled CONFIRM_LATER = new ConfirmScheduled(5, LATER);
    private static final HoldDenied DENIED = new HoldDenied(DenialReason.SHORT, books(1, 0, 8));
    private static final ReviewOpened FROZEN =
            new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));

    private static final ReviewOpened AWAITS = new ReviewOpened(new Review(
            Review.Trigger.COMPENSATION,
            "RELEASE:" + ID + " was answered CONFIRMED_ALREADY",
            Map.of("phase", "CONFIRMED")));
    private static final ReservationEvent[] HELD = {REQUESTED, GRANTED};
    private static final ReservationEvent[] OVERDUE = then(HELD, new OverdueNoticed(LATER));
    private static final ReservationEvent[] SOLD = {REQUESTED, GRANTED, CONFIRM, CONFIRMED};
    private static final ReservationEvent[] RELEASED_ALL = {REQUESTED, GRANTED, RELEASE, RELEASED};
    private static final ReservationEvent[] GIVEN_BACK = {
        REQUESTED, GRANTED, CONFIRM, CONFIRMED, REFUND_ALL, REFUNDED_ALL
    };

    @AfterAll
    static void every_command_was_given_in_every_state() {
        CELLS.everyCellWasChecked();
    }

    private static ReservationEvent[] then(ReservationEvent[] past, ReservationEvent... more) {
        return Stream.concat(Arrays.stream(past), Arrays.stream(more)).toArray(ReservationEvent[]::new);
    }

    private static TryHold tryHold() {
        return new TryHold(ID, POOL, 5, 0, 1, A.POLICIES.script());
    }

    private static ConfirmHold confirm(long quantity) {
        return new ConfirmHold(ID, POOL, quantity, 0, 1, A.POLICIES.script());
    }

    private static ReleaseHold release() {
        return new ReleaseHold(ID, POOL, 5, 0, 1, A.POLICIES.script());
    }

    private static AwaitCompensation awaits(GivesBack owed) {
        return new AwaitCompensation(owed, A.POLICIES.await());
    }

    private static RefundHold refundHold(Refund refund) {
        return new RefundHold(ID, POOL, refund, 0, 1, A.POLICIES.script());
    }

    private static Account opened() {
        return Account.opened(5, GRANTED.books(), List.of());
    }

    @Nested
    class Asked_for {

        @Test
        void the_intent_is_journaled_before_the_try_is_owed() {
            TABLE.given()
                    .when(RESERVE, NOW)
                    .then(REQUESTED)
                    .thenState(
                            new Preparing(new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()), List.of(), List.of()))
                    .owes(tryHold())
                    .verdict(pending());
        }

        @Test
        void operation_ids_are_a_function_of_the_reservation_alone() {
            assertThat(tryHold().operationId()).isEqualTo("TRY:" + ID);
            assertThat(confirm(5).operationId()).isEqualTo("CONFIRM:" + ID);
            assertThat(release().operationId()).isEqualTo("RELEASE:" + ID);
            assertThat(refundHold(ALL).operationId()).isEqualTo("REFUND:" + ID + ":order-canceled");
        }

        @Test
        void the_same_request_again_changes_nothing_in_any_state() {
            TABLE.given(REQUESTED).when(RESERVE, NOW).thenRepeat().verdict(pending());
            TABLE.given(HELD).when(RESERVE, NOW).thenRepeat().verdict(done());
            TABLE.given(then(HELD, CONFIRM)).when(RESERVE, NOW).thenRepeat().verdict(done());
            TABLE.given(SOLD).when(RESERVE, NOW).thenRepeat().verdict(done());
            TABLE.given(then(SOLD, REFUND_ALL)).when(RESERVE, NOW).thenRepeat().verdict(done());
            TABLE.given(then(HELD, FROZEN)).when(RESERVE, NOW).thenRepeat().verdict(done());
        }

        @Test
        void a_hold_that_is_gone_is_never_answered_as_held() {
            TABLE.given(then(HELD, RELEASE))
                    .when(RESERVE, NOW)
                    .thenRepeat()
                    .verdict(refused(ReservationRefusal.WAS_CANCELED));
            TABLE.given(RELEASED_ALL).when(RESERVE, NOW).thenRepeat().verdict(refused(ReservationRefusal.WAS_CANCELED));
            TABLE.given(GIVEN_BACK).when(RESERVE, NOW).thenRepeat().verdict(refused(ReservationRefusal.WAS_REFUNDED));
        }

        @Test
        void a_denied_hold_is_denied_again_even_when_stock_has_come_back() {
            TABLE.given(REQUESTED, DENIED)
                    .when(RESERVE, NOW)
                    .thenRepeat()
                    .verdict(refused(ReservationRefusal.SOLD_OUT));
        }

        @Test
        void another_quantity_order_or_named_pool_is_other_content() {
            List<Reserve> others = List.of(
                    new Reserve(new Terms(LINE, 4, TERMS.orderType()), new PoolChoice.Named(POOL), LATER),
                    new Reserve(SCHEDULED, new PoolChoice.Named(POOL), LATER),
                    new Reserve(TERMS, new PoolChoice.Named(OTHER_POOL), LATER));
            for (ReservationEvent[] past : List.of(
                    new ReservationEvent[] {REQUESTED}, HELD, SOLD, RELEASED_ALL, GIVEN_BACK, then(HELD, FROZEN))) {
                for (Reserve other : others) {
                    TABLE.given(past)
                            .when(other, NOW)
                            .thenRefused(ReservationRefusal.OTHER_CONTENT)
                            .verdict(refused(ReservationRefusal.OTHER_CONTENT));
                }
            }
        }

        @Test
        void a_retry_after_midnight_that_names_no_pool_finds_the_first_hold() {
            TABLE.given(HELD)
                    .when(new Reserve(TERMS, new PoolChoice.Derived(OTHER_POOL), LATER.plusSeconds(9)), NOW)
                    .thenRepeat()
                    .verdict(done());
        }

        @Test
        void a_scheduled_hold_is_asked_for_in_the_same_way() {
            TABLE.given(REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER)
                    .when(new Reserve(SCHEDULED, new PoolChoice.Named(POOL), LATER), NOW)
                    .thenRepeat()
                    .verdict(done());
        }
    }

    @Nested
    class Asked_for_with_a_group {

        private static final GroupLine BREAD = new GroupLine(
                PoolId.parse("m-1:bread:2026-07-25"),
                new Terms(
                        new Line("m-1", "bread", A.ORDER, "item-2", Optional.empty()),
                        1,
                        new OrderType.InstantOrder()));
        private static final Group GROUP = new Group(List.of(new GroupLine(POOL, TERMS), BREAD));
        private static final HoldRequested TOGETHER = new HoldRequested(POOL, TERMS, LATER, Optional.of(GROUP));

        private static Reserve ask(PoolChoice pool, Group group) {
            return new Reserve(TERMS, pool, LATER, Optional.of(group));
        }

        @Test
        void the_whole_group_is_journaled_before_its_try_is_owed() {
            TABLE.given()
                    .when(ask(new PoolChoice.Named(POOL), GROUP), NOW)
                    .then(TOGETHER)
                    .thenState(new Preparing(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.of(GROUP)), List.of(), List.of()))
                    .owes(new TryGroup(ID, POOL, GROUP, LATER, 0, Optional.empty(), A.POLICIES.script()))
                    .verdict(pending());
        }

        @Test
        void the_same_lines_again_are_a_repeat_also_where_they_would_be_of_other_pools_now() {
            Group later = new Group(List.of(new GroupLine(OTHER_POOL, TERMS), BREAD));

            TABLE.given(TOGETHER)
                    .when(ask(new PoolChoice.Named(POOL), GROUP), NOW)
                    .thenRepeat()
                    .verdict(pending());
            TABLE.given(TOGETHER)
                    .when(ask(new PoolChoice.Derived(OTHER_POOL), later), NOW)
                    .thenRepeat()
                    .verdict(pending());
        }

        @Test
        void without_its_group_or_with_another_it_is_other_content() {
            GroupLine two = new GroupLine(
                    BREAD.pool(),
                    new Terms(BREAD.terms().line(), 2, BREAD.terms().orderType()));
            Group other = new Group(List.of(new GroupLine(POOL, TERMS), two));

            for (Reserve request : List.of(RESERVE, ask(new PoolChoice.Named(POOL), other))) {
                TABLE.given(TOGETHER)
                        .when(request, NOW)
                        .thenRefused(ReservationRefusal.OTHER_CONTENT)
                        .verdict(refused(ReservationRefusal.OTHER_CONTENT));
            }
            TABLE.given(REQUESTED)
                    .when(ask(new PoolChoice.Named(POOL), GROUP), NOW)
                    .thenRefused(ReservationRefusal.OTHER_CONTENT)
                    .verdict(refused(ReservationRefusal.OTHER_CONTENT));
        }

        @Test
        void a_line_that_was_not_short_itself_says_so_when_it_was_turned_down() {
            TABLE.given(TOGETHER, new HoldDenied(DenialReason.OTHER_LINE, books(1, 0, 8)))
                    .when(ask(new PoolChoice.Named(POOL), GROUP), NOW)
                    .thenRepeat()
                    .verdict(refused(ReservationRefusal.OTHER_LINE_NOT_HELD));
        }

        @Test
        void news_that_comes_before_the_group_is_decided_waits_for_that() {
            TABLE.given(TOGETHER)
                    .when(ORDER_FAILED, NOW)
                    .then(new FactNoted(ORDER_FAILED))
                    .owes(new TryGroup(ID, POOL, GROUP, LATER, 0, Optional.empty(), A.POLICIES.script()))
                    .verdict(pending());
            TABLE.given(TOGETHER, new FactNoted(ORDER_FAILED))
                    .when(new HoldAnswered(new HoldAnswer.Granted(GRANTED.books())), NOW)
                    .then(GRANTED, RELEASE)
                    .owes(release())
                    .verdict(done());
        }
    }

    @Nested
    class Before_it_was_asked_for {

        @Test
        void a_failed_order_leaves_a_tombstone_in_the_journal_and_owes_nothing() {
            TABLE.given()
                    .when(ORDER_FAILED, NOW)
                    .then(new TombstoneSet(FAILURE))
                    .thenState(new Canceled(ID, Optional.empty(), Optional.empty(), FAILURE, List.of()))
                    .owesNothing()
                    .verdict(done());
        }

        @Test
        void sixteen_cancels_leave_one_tombstone() {
            TABLE.given(new TombstoneSet(FAILURE))
                    .when(ORDER_FAILED, NOW)
                    .thenRepeat()
                    .verdict(done());
        }

        @Test
        void a_late_request_after_a_tombstone_is_refused_for_ever() {
            TABLE.given(new TombstoneSet(FAILURE))
                    .when(RESERVE, NOW)
                    .thenRefused(ReservationRefusal.WAS_CANCELED)
                    .owesNothing()
                    .verdict(refused(ReservationRefusal.WAS_CANCELED));
        }

        @Test
        void a_canceled_order_or_a_refund_leaves_a_tombstone_that_knows_the_order_existed() {
            TombstoneSet canceled = new TombstoneSet(
                    new Cancellation(Cancellation.Cause.ORDER_CANCELED, Optional.of(A.ORDER), ORDER_CANCELED.reason()));
            TABLE.given().when(ORDER_CANCELED, NOW).then(canceled).owesNothing().verdict(done());
            TABLE.given()
                    .when(refund("r-1", 2), NOW)
                    .then(new TombstoneSet(new Cancellation(
                            Cancellation.Cause.REFUND_REQUESTED,
                            Optional.of(A.ORDER),
                            "refund r-1 before the request")))
                    .owesNothing()
                    .verdict(done());
            TABLE.given(canceled).when(CREATED, NOW).thenRepeat().verdict(done());
            TABLE.given(canceled).when(ORDER_CANCELED, NOW).thenRepeat().verdict(done());
            TABLE.given(canceled).when(refund("r-1", 2), NOW).thenRepeat().verdict(done());
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, canceled);
        }

        @Test
        void a_created_order_is_noted_and_decided_when_the_hold_is_asked_for() {
            TABLE.given()
                    .when(CREATED, NOW)
                    .then(new FactNoted(CREATED), new RequestAwaited(LATER))
                    .thenState(new None(ID, List.of(CREATED), List.of(), Optional.of(LATER), false))
                    .owes()
                    .wakesAt(LATER)
                    .verdict(pending());
            TABLE.given(new FactNoted(CREATED)).when(CREATED, NOW).thenRepeat().verdict(pending());
            TABLE.given(new FactNoted(CREATED))
                    .when(RESERVE, NOW)
                    .then(REQUESTED)
                    .thenState(new Preparing(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()), List.of(CREATED), List.of()));
        }

        @Test
        void a_created_order_was_first_so_its_failure_is_a_conflict() {
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, new FactNoted(CREATED));
            refusedAndRecorded(ReservationRefusal.ORDER_QUANTITY_CONFLICT, createdFor(3), new FactNoted(CREATED));
        }
    }

    @Nested
    class Its_request_is_awaited {

        private final ReservationEvent[] awaited = {new FactNoted(CREATED), new RequestAwaited(LATER)};
        private final ReservationEvent[] overdue = then(awaited, new OverdueNoticed(LATER));

        @Test
        void once_an_order_is_known_and_reported_once_when_it_does_not_come() {
            TABLE.given(awaited)
                    .when(new WakeUp(), LATER.minusNanos(1))
                    .thenRepeat()
                    .owes()
                    .wakesAt(LATER);
            TABLE.given(awaited)
                    .when(new WakeUp(), LATER)
                    .then(new OverdueNoticed(LATER))
                    .owesNothing();
            TABLE.given(overdue)
                    .when(new WakeUp(), LATER.plusSeconds(9))
                    .thenRepeat()
                    .owesNothing();
            TABLE.given(overdue).when(CREATED, LATER).thenRepeat().verdict(pending());
        }

        @Test
        void however_late_it_comes_it_is_taken() {
            TABLE.given(overdue)
                    .when(RESERVE, NOW)
                    .then(REQUESTED)
                    .thenState(new Preparing(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()), List.of(CREATED), List.of()));
        }

        @Test
        void news_of_another_order_does_not_start_the_wait_anew() {
            Fact other = Fact.OrderCreated.whole("order-2");
            for (ReservationEvent[] past : List.of(awaited, overdue)) {
                TABLE.given(past).when(other, LATER).then(new FactNoted(other)).verdict(pending());
            }
        }

        @Test
        void a_mark_stops_the_wait_and_the_first_news_under_it_starts_it_when_lifted() {
            TABLE.given(then(awaited, FROZEN))
                    .when(new WakeUp(), LATER)
                    .thenRepeat()
                    .owesNothing();
            TABLE.given(FROZEN, new FactNoted(CREATED))
                    .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                    .then(
                            new ReviewLifted(new Resolution.Continue(), "clear"),
                            new FactNoted(CREATED),
                            new RequestAwaited(LATER))
                    .owes()
                    .wakesAt(LATER);
        }
    }

    @Nested
    class News_of_another_order {

        private final Fact.OrderCreated created = Fact.OrderCreated.whole("order-2");
        private final Fact.OrderCreatedFailed failed = new Fact.OrderCreatedFailed("order-2", "payment refused");
        private final Fact.OrderCanceled canceled = new Fact.OrderCanceled(Optional.of("order-2"), "buyer");
        private final Fact.RefundRequested refund = new Fact.RefundRequested(Optional.of("order-2"), "r-1", 2, true);
        private final List<Fact> all = List.of(created, failed, canceled, refund);

        @Test
        void moves_nothing_once_it_is_known_which_order_it_is_of_and_is_recorded_once() {
            List<ReservationEvent[]> pasts = List.of(
                    new ReservationEvent[] {REQUESTED},
                    HELD,
                    new ReservationEvent[] {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER},
                    then(HELD, CONFIRM),
                    SOLD,
                    then(HELD, RELEASE),
                    RELEASED_ALL,
                    then(SOLD, REFUND_ALL),
                    GIVEN_BACK,
                    new ReservationEvent[] {REQUESTED, DENIED},
                    new ReservationEvent[] {new TombstoneSet(FAILURE)},
                    then(HELD, FROZEN));
            for (ReservationEvent[] past : pasts) {
                for (Fact fact : all) {
                    refusedAndRecorded(ReservationRefusal.OTHER_ORDER, fact, past);
                    TABLE.given(then(past, new FactRefused(fact, ReservationRefusal.OTHER_ORDER)))
                            .when(fact, NOW)
                            .thenRefused(ReservationRefusal.OTHER_ORDER)
                            .verdict(refused(ReservationRefusal.OTHER_ORDER));
                }
            }
            assertThat(ReservationRefusal.OTHER_ORDER.conflict()).isTrue();
        }

        @Test
        void names_no_refund_and_ends_no_refund_id() {
            FactRefused other = new FactRefused(refund, ReservationRefusal.OTHER_ORDER);
            TABLE.given(then(SOLD, other))
                    .when(refund("r-1", 2), NOW)
                    .then(new RefundStarted(new Refund("r-1", 2, true), 5));
        }

        @Test
        void waits_with_the_first_until_the_request_says_which_order_it_is_of() {
            ReservationEvent[] both = {new FactNoted(created), new RequestAwaited(LATER), new FactNoted(ORDER_FAILED)};
            TABLE.given(new FactNoted(created), new RequestAwaited(LATER))
                    .when(ORDER_FAILED, NOW)
                    .then(new FactNoted(ORDER_FAILED))
                    .verdict(pending());
            TABLE.given(both).when(ORDER_FAILED, NOW).thenRepeat().verdict(pending());
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_FAILED, CREATED, both);
            TABLE.given(both)
                    .when(RESERVE, NOW)
                    .then(REQUESTED, new FactRefused(created, ReservationRefusal.OTHER_ORDER))
                    .thenState(new Preparing(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()),
                            List.of(ORDER_FAILED),
                            List.of(new RefusedFact(created, ReservationRefusal.OTHER_ORDER))));
        }

        @Test
        void is_refused_when_the_first_order_ends_before_the_request() {
            TombstoneSet tombstone = new TombstoneSet(
                    new Cancellation(Cancellation.Cause.ORDER_CANCELED, Optional.of("order-2"), "buyer"));
            TABLE.given(new FactNoted(created), new RequestAwaited(LATER), new FactNoted(ORDER_FAILED))
                    .when(canceled, NOW)
                    .then(tombstone, new FactRefused(ORDER_FAILED, ReservationRefusal.OTHER_ORDER))
                    .owesNothing()
                    .verdict(done());
            TABLE.given(tombstone).when(RESERVE, NOW).thenRefused(ReservationRefusal.WAS_CANCELED);
        }

        @Test
        void noted_under_review_of_what_was_not_asked_for_is_decided_after_the_first() {
            TABLE.given(FROZEN, new FactNoted(ORDER_FAILED), new FactNoted(created))
                    .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                    .then(
                            new ReviewLifted(new Resolution.Continue(), "clear"),
                            new TombstoneSet(FAILURE),
                            new FactRefused(created, ReservationRefusal.OTHER_ORDER));
        }
    }

    @Nested
    class Told_by_a_caller {

        @Test
        void of_a_hold_that_no_gate_let_in_is_the_same_as_told_by_the_order_service() {
            List<ReservationEvent[]> pasts = List.of(
                    new ReservationEvent[0],
                    new ReservationEvent[] {REQUESTED},
                    HELD,
                    new ReservationEvent[] {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER},
                    then(HELD, CONFIRM),
                    SOLD,
                    then(HELD, RELEASE),
                    RELEASED_ALL,
                    then(SOLD, REFUND_ALL),
                    GIVEN_BACK,
                    new ReservationEvent[] {REQUESTED, DENIED},
                    then(HELD, FROZEN));
            for (ReservationEvent[] past : pasts) {
                for (Fact fact : List.<Fact>of(CREATED, ORDER_FAILED, ORDER_CANCELED, refund("r-1", 2))) {
                    Reservation before = stateAfter(past);
                    var when = TABLE.given(past).when(new ToldByCaller(fact), NOW);
                    var told = MACHINE.decide(before, fact, NOW);
                    var then = switch (told) {
                        case Decision.Accept<ReservationEvent>(List<ReservationEvent> events) ->
                            when.then(events.toArray(ReservationEvent[]::new));
                        case Decision.Repeat<ReservationEvent> _ -> when.thenRepeat();
                        case Decision.Refuse<ReservationEvent>(Refusal reason, List<ReservationEvent> recorded) ->
                            when.thenRefused(reason, recorded.toArray(ReservationEvent[]::new));
                    };
                    Reservation after =
                            told.events().stream().reduce(before, MACHINE::evolve, (first, second) -> second);
                    then.verdict(MACHINE.verdict(after, fact));
                }
            }
        }

        private static Reservation stateAfter(ReservationEvent... past) {
            return Arrays.stream(past).reduce(MACHINE.initial(ID), MACHINE::evolve, (first, second) -> second);
        }
    }

    @Nested
    class News_that_names_no_order {

        private final Fact.RefundRequested refund = new Fact.RefundRequested(Optional.empty(), "r-1", 2, true);
        private final Fact.OrderCanceled canceled = new Fact.OrderCanceled(Optional.empty(), ORDER_CANCELED.reason());

        @Test
        void is_of_the_order_the_reservation_is_of_and_journaled_so() {
            TABLE.given(then(HELD, CONFIRM)).when(refund, NOW).then(new FactNoted(refund("r-1", 2)));
            TABLE.given(then(HELD, CONFIRM, new FactNoted(refund("r-1", 2))))
                    .when(refund, NOW)
                    .thenRepeat()
                    .verdict(pending());
            TABLE.given(SOLD).when(canceled, NOW).then(REFUND_ALL);
            TABLE.given(REQUESTED, DENIED)
                    .when(canceled, NOW)
                    .thenRefused(
                            ReservationRefusal.NOTHING_HELD,
                            new FactRefused(ORDER_CANCELED, ReservationRefusal.NOTHING_HELD))
                    .verdict(refused(ReservationRefusal.NOTHING_HELD));
            TABLE.given(new FactNoted(CREATED), new RequestAwaited(LATER))
                    .when(canceled, NOW)
                    .then(new TombstoneSet(new Cancellation(
                            Cancellation.Cause.ORDER_CANCELED, Optional.of(A.ORDER), ORDER_CANCELED.reason())));
        }

        @Test
        void leaves_a_tombstone_of_an_unknown_order_where_none_is_known() {
            TombstoneSet unknown = new TombstoneSet(new Cancellation(
                    Cancellation.Cause.REFUND_REQUESTED, Optional.empty(), "refund r-1 before the request"));
            TABLE.given().when(refund, NOW).then(unknown).owesNothing().verdict(done());
            TABLE.given(unknown).when(CREATED, NOW).thenRepeat().verdict(done());
            TABLE.given(unknown).when(RESERVE, NOW).thenRefused(ReservationRefusal.WAS_CANCELED);
        }
    }

    @Test
    void what_is_refused_without_a_trace_and_may_be_taken_later_says_so() {
        for (ReservationRefusal reason : List.of(
                ReservationRefusal.UNDER_REVIEW,
                ReservationRefusal.NOT_UNDER_REVIEW,
                ReservationRefusal.RESOLUTION_NOT_ALLOWED,
                ReservationRefusal.UNKNOWN_RESERVATION)) {
            assertThat(reason.retryable()).as(reason.code()).isTrue();
        }
    }

    @Test
    void refused_news_that_comes_again_in_other_words_leaves_no_second_trace() {
        TABLE.given(then(SOLD, new FactRefused(ORDER_FAILED, ReservationRefusal.ORDER_ALREADY_CREATED)))
                .when(new Fact.OrderCreatedFailed(A.ORDER, "in other words"), NOW)
                .thenRefused(ReservationRefusal.ORDER_ALREADY_CREATED)
                .verdict(refused(ReservationRefusal.ORDER_ALREADY_CREATED));
    }

    @Test
    void what_is_refused_past_the_limit_leaves_no_trace() {
        ReservationEvent[] refusals = IntStream.range(0, FactRules.MOST_REFUSALS)
                .mapToObj(i -> new FactRefused(refund("r-" + i, 9), ReservationRefusal.REFUND_EXCEEDS))
                .toArray(ReservationEvent[]::new);
        TABLE.given(then(SOLD, refusals))
                .when(refund("one-more", 9), NOW)
                .thenRefused(ReservationRefusal.REFUND_EXCEEDS)
                .verdict(refused(ReservationRefusal.REFUND_EXCEEDS));
        TABLE.given(then(SOLD, refusals))
                .when(refund("that-fits", 2), NOW)
                .then(new RefundStarted(new Refund("that-fits", 2, true), 5));
    }

    private static void refusedAndRecorded(ReservationRefusal reason, Fact fact, ReservationEvent... past) {
        TABLE.given(past)
                .when(fact, NOW)
                .thenRefused(reason, new FactRefused(fact, reason))
                .verdict(refused(reason));
    }

    @Nested
    class Preparing_it {

        @Test
        void granted_it_rests_until_the_order_is_known() {
            TABLE.given(REQUESTED)
                    .when(new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))), NOW)
                    .then(GRANTED)
                    .thenState(new Reservation.Reserved(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()), opened(), false, Optional.empty()))
                    .owes()
                    .wakesAt(LATER);
        }

        @ParameterizedTest
        @EnumSource(DenialReason.class)
        void denied_it_has_ended(DenialReason reason) {
            HoldDenied denied = new HoldDenied(reason, books(1, 0, 8));
            TABLE.given(REQUESTED)
                    .when(new HoldAnswered(new HoldAnswer.Turned(reason, books(1, 0, 8))), NOW)
                    .then(denied)
                    .thenState(new Rejected(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()), reason, books(1, 0, 8), List.of()))
                    .owesNothing();
            TABLE.given(REQUESTED, denied)
                    .when(RESERVE, NOW)
                    .thenRepeat()
                    .verdict(refused(ReservationRefusal.of(reason)));
        }

        @Test
        void facts_are_noted_in_order_and_the_try_goes_on() {
            TABLE.given(REQUESTED)
                    .when(CREATED, NOW)
                    .then(new FactNoted(CREATED))
                    .owes(tryHold())
                    .verdict(pending());
            TABLE.given(REQUESTED, new FactNoted(CREATED))
                    .when(CREATED, NOW)
                    .thenRepeat()
                    .verdict(pending());
            TABLE.given(REQUESTED)
                    .when(ORDER_FAILED, NOW)
                    .then(new FactNoted(ORDER_FAILED))
                    .owes(tryHold());
            TABLE.given(REQUESTED, new FactNoted(ORDER_FAILED))
                    .when(ORDER_FAILED, NOW)
                    .thenRepeat();
            TABLE.given(REQUESTED).when(ORDER_CANCELED, NOW).then(new FactNoted(ORDER_CANCELED));
            TABLE.given(REQUESTED, new FactNoted(ORDER_CANCELED))
                    .when(ORDER_CANCELED, NOW)
                    .thenRepeat();
            TABLE.given(REQUESTED).when(refund("r-1", 2), NOW).then(new FactNoted(refund("r-1", 2)));
            TABLE.given(REQUESTED, new FactNoted(refund("r-1", 2)))
                    .when(refund("r-1", 2), NOW)
                    .thenRepeat();
        }

        @Test
        void of_created_and_failed_the_first_noted_wins() {
            refusedAndRecorded(
                    ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, REQUESTED, new FactNoted(CREATED));
            refusedAndRecorded(
                    ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, REQUESTED, new FactNoted(refund("r-1", 2)));
            for (Fact late : List.of(CREATED, ORDER_CANCELED, refund("r-1", 2))) {
                refusedAndRecorded(
                        ReservationRefusal.ORDER_ALREADY_FAILED, late, REQUESTED, new FactNoted(ORDER_FAILED));
            }
        }

        @Test
        void what_can_not_fit_is_refused_at_once() {
            refusedAndRecorded(ReservationRefusal.ORDER_EXCEEDS_HOLD, createdFor(6), REQUESTED);
            refusedAndRecorded(
                    ReservationRefusal.ORDER_QUANTITY_CONFLICT, createdFor(4), REQUESTED, new FactNoted(CREATED));
            refusedAndRecorded(
                    ReservationRefusal.REFUND_ID_REUSED, refund("r-1", 3), REQUESTED, new FactNoted(refund("r-1", 2)));
        }

        @Test
        void granted_with_a_created_order_it_confirms() {
            TABLE.given(REQUESTED, new FactNoted(CREATED))
                    .when(new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))), NOW)
                    .then(GRANTED, CONFIRM)
                    .owes(confirm(5));
        }

        @Test
        void granted_with_a_failed_order_it_is_released() {
            TABLE.given(REQUESTED, new FactNoted(ORDER_FAILED))
                    .when(new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))), NOW)
                    .then(GRANTED, RELEASE)
                    .owes(release());
        }

        @Test
        void granted_with_many_facts_the_creation_comes_first_and_the_rest_waits_again() {
            TABLE.given(REQUESTED, new FactNoted(refund("r-1", 2)), new FactNoted(createdFor(4)))
                    .when(new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))), NOW)
                    .then(GRANTED, new ConfirmStarted(4), new FactNoted(refund("r-1", 2)))
                    .owes(confirm(4));
        }

        @Test
        void denied_with_a_created_order_the_conflict_is_recorded() {
            TABLE.given(REQUESTED, new FactNoted(CREATED), new FactNoted(refund("r-1", 2)))
                    .when(new HoldAnswered(new HoldAnswer.Turned(DenialReason.SHORT, books(1, 0, 8))), NOW)
                    .then(
                            DENIED,
                            new FactRefused(CREATED, ReservationRefusal.NOTHING_HELD),
                            new FactRefused(refund("r-1", 2), ReservationRefusal.NOTHING_HELD))
                    .owesNothing();
        }

        @Test
        void denied_with_a_failed_order_all_agree() {
            TABLE.given(REQUESTED, new FactNoted(ORDER_FAILED))
                    .when(new HoldAnswered(new HoldAnswer.Turned(DenialReason.SHORT, books(1, 0, 8))), NOW)
                    .then(DENIED)
                    .owesNothing();
            TABLE.given(REQUESTED, DENIED).when(ORDER_FAILED, NOW).thenRepeat().verdict(done());
        }
    }

    @Nested
    class Held {

        @Test
        void a_created_instant_order_confirms_all_that_is_held() {
            TABLE.given(HELD).when(CREATED, NOW).then(CONFIRM).owes(confirm(5)).verdict(pending());
            TABLE.given(HELD).when(createdFor(5), NOW).then(CONFIRM).owes(confirm(5));
        }

        @Test
        void a_created_order_of_fewer_units_confirms_those() {
            TABLE.given(HELD)
                    .when(createdFor(3), NOW)
                    .then(new ConfirmStarted(3))
                    .owes(confirm(3));
            refusedAndRecorded(ReservationRefusal.ORDER_EXCEEDS_HOLD, createdFor(6), HELD);
        }

        @Test
        void a_created_scheduled_order_waits_for_its_time() {
            TABLE.given(REQUESTED_SCHEDULED, GRANTED)
                    .when(CREATED, NOW)
                    .then(CONFIRM_LATER)
                    .owes()
                    .wakesAt(LATER)
                    .verdict(done());
        }

        @Test
        void a_created_scheduled_order_of_fewer_units_gives_the_others_back_first() {
            Refund surplus = new Refund(Refund.SURPLUS, 2, true);
            TABLE.given(REQUESTED_SCHEDULED, GRANTED)
                    .when(createdFor(3), NOW)
                    .then(new RefundStarted(surplus, 3))
                    .owes(refundHold(surplus))
                    .verdict(pending());
            TABLE.given(REQUESTED_SCHEDULED, GRANTED, new RefundStarted(surplus, 3))
                    .when(new RefundAnswered(Refund.SURPLUS, books(3, 3, 0)), NOW)
                    .then(new HoldRefunded(surplus, books(3, 3, 0)), new ConfirmScheduled(3, LATER))
                    .owes()
                    .wakesAt(LATER);
            TABLE.given(
                            REQUESTED_SCHEDULED,
                            GRANTED,
                            new RefundStarted(surplus, 3),
                            new HoldRefunded(surplus, books(3, 3, 0)),
                            new ConfirmScheduled(3, LATER))
                    .when(new WakeUp(), LATER)
                    .then(new ConfirmStarted(3))
                    .owes(confirm(3));
        }

        @Test
        void a_failed_order_releases_it() {
            TABLE.given(HELD)
                    .when(ORDER_FAILED, NOW)
                    .then(RELEASE)
                    .owes(release())
                    .verdict(pending());
        }

        @Test
        void a_canceled_order_is_a_refund_not_a_release() {
            TABLE.given(HELD)
                    .when(ORDER_CANCELED, NOW)
                    .then(REFUND_ALL)
                    .owes(refundHold(ALL))
                    .verdict(pending());
        }

        @Test
        void a_refund_of_a_part_implies_the_order_which_then_goes_its_way() {
            Refund part = new Refund("r-1", 2, true);
            TABLE.given(HELD)
                    .when(refund("r-1", 2), NOW)
                    .then(new RefundStarted(part, 5))
                    .owes(refundHold(part));
            TABLE.given(then(HELD, new RefundStarted(part, 5)))
                    .when(new RefundAnswered("r-1", books(3, 3, 0)), NOW)
                    .then(new HoldRefunded(part, books(3, 3, 0)), CONFIRM)
                    .owes(confirm(3));
        }

        @Test
        void a_refund_beyond_what_is_held_is_refused_and_its_id_is_used_up() {
            refusedAndRecorded(ReservationRefusal.REFUND_EXCEEDS, refund("r-1", 6), HELD);
            FactRefused refusal = new FactRefused(refund("r-1", 6), ReservationRefusal.REFUND_EXCEEDS);
            TABLE.given(then(HELD, refusal))
                    .when(refund("r-1", 6), NOW)
                    .thenRefused(ReservationRefusal.REFUND_EXCEEDS)
                    .verdict(refused(ReservationRefusal.REFUND_EXCEEDS));
            refusedAndRecorded(ReservationRefusal.REFUND_ID_REUSED, refund("r-1", 2), then(HELD, refusal));
        }

        @Test
        void the_attention_time_is_reported_once_and_cancels_nothing() {
            TABLE.given(HELD).when(new WakeUp(), LATER.minusNanos(1)).thenRepeat();
            TABLE.given(HELD)
                    .when(new WakeUp(), LATER)
                    .then(new OverdueNoticed(LATER))
                    .owes(ask(1));
            TABLE.given(OVERDUE).when(new WakeUp(), LATER.plusSeconds(9)).thenRepeat();
            TABLE.given(OVERDUE).when(CREATED, LATER).then(CONFIRM).owes(confirm(5));
            TABLE.given(OVERDUE).when(ORDER_FAILED, LATER).then(RELEASE).verdict(pending());
        }

        @Test
        void overdue_its_order_is_asked_for_again_and_again_at_longer_intervals_and_the_answers_move_nothing() {
            Duration wait = A.POLICIES.inquiry().waits().first();
            for (OrderAnswer answer : OrderAnswer.values()) {
                TABLE.given(OVERDUE)
                        .when(new OrderAnswered(1, answer), LATER)
                        .then(new OrderInquired(1, answer, Optional.of(LATER.plus(wait))))
                        .owes()
                        .wakesAt(LATER.plus(wait));
            }
            ReservationEvent[] asked =
                    then(OVERDUE, new OrderInquired(1, OrderAnswer.PUBLISHES, Optional.of(LATER.plus(wait))));
            TABLE.given(asked)
                    .when(new WakeUp(), LATER.plus(wait).minusNanos(1))
                    .thenRepeat();
            TABLE.given(asked)
                    .when(new WakeUp(), LATER.plus(wait))
                    .then(new InquiryStarted(2))
                    .owes(ask(2));
            TABLE.given(then(asked, new InquiryStarted(2)))
                    .when(new OrderAnswered(2, OrderAnswer.UNREACHED), LATER)
                    .then(new OrderInquired(2, OrderAnswer.UNREACHED, Optional.of(LATER.plus(wait.multipliedBy(2)))));
            TABLE.given(asked).when(CREATED, LATER).then(CONFIRM).owes(confirm(5));
        }

        @Test
        void an_answer_to_another_question_than_the_one_that_is_owed_is_old_news() {
            TABLE.given(OVERDUE)
                    .when(new OrderAnswered(2, OrderAnswer.PUBLISHES), LATER)
                    .thenRepeat();
            TABLE.given(then(OVERDUE, new OrderInquired(1, OrderAnswer.PUBLISHES, Optional.of(LATER))))
                    .when(new OrderAnswered(1, OrderAnswer.PUBLISHES), LATER)
                    .thenRepeat();
            TABLE.given(then(OVERDUE, CONFIRM))
                    .when(new OrderAnswered(1, OrderAnswer.PUBLISHES), LATER)
                    .thenRepeat();
        }

        @Test
        void after_so_many_questions_nobody_is_asked_any_more() {
            int most = A.POLICIES.inquiry().most();
            TABLE.given(then(OVERDUE, new InquiryStarted(most)))
                    .when(new OrderAnswered(most, OrderAnswer.UNREACHED), LATER)
                    .then(new OrderInquired(most, OrderAnswer.UNREACHED, Optional.empty()))
                    .owesNothing();
            TABLE.given(then(OVERDUE, new OrderInquired(most, OrderAnswer.UNREACHED, Optional.empty())))
                    .when(new WakeUp(), LATER.plusSeconds(999_999))
                    .thenRepeat();
        }

        @Test
        void where_nobody_can_be_asked_it_is_only_reported() {
            var alone = new ReservationMachine(
                    A.POLICIES.inquiring(A.POLICIES.inquiry().silent()));
            assertThat(alone.owe(state(OVERDUE))).isEqualTo(Owed.nothing());
        }

        private AskOrder ask(int number) {
            return new AskOrder(
                    ID, POOL, A.LINE, number, 0, A.POLICIES.inquiry().retry());
        }
    }

    @Nested
    class Scheduled {

        private final ReservationEvent[] scheduled = {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER};

        @Test
        void it_confirms_when_its_time_has_come() {
            TABLE.given(scheduled).when(new WakeUp(), LATER.minusNanos(1)).thenRepeat();
            TABLE.given(scheduled).when(new WakeUp(), LATER).then(CONFIRM).owes(confirm(5));
        }

        @Test
        void the_creation_stays_settled_while_it_confirms() {
            TABLE.given(scheduled).when(CREATED, NOW).thenRepeat().verdict(done());
            TABLE.given(then(scheduled, CONFIRM))
                    .when(CREATED, NOW)
                    .thenRepeat()
                    .verdict(done());
        }

        @Test
        void it_can_not_fail_any_more_only_be_refunded() {
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, scheduled);
            TABLE.given(scheduled).when(ORDER_CANCELED, NOW).then(REFUND_ALL).owes(refundHold(ALL));
            TABLE.given(then(scheduled, REFUND_ALL))
                    .when(new RefundAnswered(Refund.ORDER_CANCELED, books(3, 0, 0)), NOW)
                    .then(new HoldRefunded(ALL, books(3, 0, 0)))
                    .owesNothing();
        }

        @Test
        void a_refund_of_a_part_goes_back_to_waiting_and_the_rest_is_confirmed() {
            Refund part = new Refund("r-1", 2, true);
            TABLE.given(scheduled)
                    .when(refund("r-1", 2), NOW)
                    .then(new RefundStarted(part, 5))
                    .owes(refundHold(part));
            ReservationEvent[] left =
                    then(scheduled, new RefundStarted(part, 5), new HoldRefunded(part, books(3, 3, 0)));
            TABLE.given(then(scheduled, new RefundStarted(part, 5)))
                    .when(new RefundAnswered("r-1", books(3, 3, 0)), NOW)
                    .then(new HoldRefunded(part, books(3, 3, 0)))
                    .owes()
                    .wakesAt(LATER);
            TABLE.given(left).when(new WakeUp(), LATER).then(CONFIRM).owes(confirm(3));
            refusedAndRecorded(ReservationRefusal.REFUND_EXCEEDS, refund("r-2", 4), left);
        }

        @Test
        void another_quantity_than_the_one_it_was_created_with_is_a_conflict() {
            refusedAndRecorded(ReservationRefusal.ORDER_QUANTITY_CONFLICT, createdFor(3), scheduled);
            refusedAndRecorded(ReservationRefusal.ORDER_EXCEEDS_HOLD, createdFor(6), scheduled);
        }
    }

    @Nested
    class Confirming_it {

        private final ReservationEvent[] confirming = then(HELD, CONFIRM);

        @Test
        void done_it_is_sold() {
            TABLE.given(confirming)
                    .when(new ConfirmAnswered(5, 0, books(3, 0, 5)), NOW)
                    .then(CONFIRMED)
                    .thenState(new Confirmed(
                            new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty()),
                            opened().releasing(0, books(3, 0, 5)),
                            5))
                    .owesNothing();
            TABLE.given(SOLD).when(CREATED, NOW).thenRepeat().verdict(done());
        }

        @Test
        void fewer_units_are_sold_and_the_others_released_in_one_go() {
            ReservationEvent[] fewer = then(HELD, new ConfirmStarted(3));
            TABLE.given(fewer)
                    .when(new ConfirmAnswered(3, 2, books(3, 0, 3)), NOW)
                    .then(new HoldConfirmed(3, 2, books(3, 0, 3)))
                    .owesNothing();
            Refund all = new Refund(Refund.ORDER_CANCELED, 3, true);
            TABLE.given(then(fewer, new HoldConfirmed(3, 2, books(3, 0, 3))))
                    .when(ORDER_CANCELED, NOW)
                    .then(new RefundStarted(all, 3))
                    .owes(refundHold(all));
        }

        @Test
        void redis_moved_other_quantities_so_a_person_must_look() {
            TABLE.given(confirming)
                    .when(new ConfirmAnswered(4, 1, books(3, 0, 4)), NOW)
                    .then(new ReviewOpened(new Review(
                            Review.Trigger.FENCE_CONTRADICTION,
                            "CONFIRM moved other quantities than it was asked to",
                            Map.of(
                                    "expected_confirmed", "5",
                                    "expected_released", "0",
                                    "confirmed", "4",
                                    "released", "1"))))
                    .owesNothing();
        }

        @Test
        void a_failure_comes_too_late() {
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, confirming);
        }

        @Test
        void refunds_wait_until_it_is_sold() {
            TABLE.given(confirming)
                    .when(ORDER_CANCELED, NOW)
                    .then(new FactNoted(ORDER_CANCELED))
                    .owes(confirm(5));
            TABLE.given(confirming).when(refund("r-1", 2), NOW).then(new FactNoted(refund("r-1", 2)));
            TABLE.given(then(confirming, new FactNoted(refund("r-1", 2)), new FactNoted(ORDER_CANCELED)))
                    .when(new ConfirmAnswered(5, 0, books(3, 0, 5)), NOW)
                    .then(CONFIRMED, new RefundStarted(new Refund("r-1", 2, true), 5), new FactNoted(ORDER_CANCELED))
                    .owes(refundHold(new Refund("r-1", 2, true)));
        }

        @Test
        void the_same_creation_again_is_pending_until_it_is_sold() {
            TABLE.given(confirming).when(CREATED, NOW).thenRepeat().verdict(pending());
            refusedAndRecorded(ReservationRefusal.ORDER_QUANTITY_CONFLICT, createdFor(4), confirming);
        }
    }

    @Nested
    class Sold_units {

        @Test
        void go_back_whole_when_the_order_is_canceled() {
            TABLE.given(SOLD).when(ORDER_CANCELED, NOW).then(REFUND_ALL).owes(refundHold(ALL));
            TABLE.given(then(SOLD, REFUND_ALL))
                    .when(new RefundAnswered(Refund.ORDER_CANCELED, books(4, 0, 0)), NOW)
                    .then(REFUNDED_ALL)
                    .owesNothing();
        }

        @Test
        void go_back_in_parts_each_once_up_to_what_was_sold() {
            Refund part = new Refund("r-1", 2, true);
            ReservationEvent[] refunding = then(SOLD, new RefundStarted(part, 5));
            ReservationEvent[] refunded = then(refunding, new HoldRefunded(part, books(4, 0, 3)));
            TABLE.given(SOLD)
                    .when(refund("r-1", 2), NOW)
                    .then(new RefundStarted(part, 5))
                    .owes(refundHold(part));
            TABLE.given(refunding).when(refund("r-1", 2), NOW).thenRepeat().verdict(pending());
            refusedAndRecorded(ReservationRefusal.REFUND_ID_REUSED, refund("r-1", 1), refunding);
            TABLE.given(refunding)
                    .when(new RefundAnswered("r-1", books(4, 0, 3)), NOW)
                    .then(new HoldRefunded(part, books(4, 0, 3)))
                    .owesNothing();
            TABLE.given(refunded).when(refund("r-1", 2), NOW).thenRepeat().verdict(done());
            refusedAndRecorded(ReservationRefusal.REFUND_EXCEEDS, refund("r-2", 4), refunded);
            Refund rest = new Refund("r-3", 3, false);
            TABLE.given(refunded)
                    .when(new Fact.RefundRequested(Optional.of(A.ORDER), "r-3", 3, false), NOW)
                    .then(new RefundStarted(rest, 5))
                    .owes(refundHold(rest));
            TABLE.given(then(refunded, new RefundStarted(rest, 5)))
                    .when(new RefundAnswered("r-3", books(5, 0, 3)), NOW)
                    .then(new HoldRefunded(rest, books(5, 0, 3)))
                    .owesNothing();
        }

        @Test
        void after_its_pool_was_archived_a_refund_is_recorded_and_moves_no_stock() {
            Refund part = new Refund("r-1", 2, true);
            ReservationEvent[] refunding = then(SOLD, new RefundStarted(part, 5));
            ReservationEvent[] recorded = then(refunding, new RefundRecorded(part));
            TABLE.given(refunding)
                    .when(new RefundCameLate("r-1"), NOW)
                    .then(new RefundRecorded(part))
                    .owesNothing();
            TABLE.given(recorded).when(refund("r-1", 2), NOW).thenRepeat().verdict(done());
            TABLE.given(refunding).when(new RefundCameLate("r-2"), NOW).thenRepeat();
            assertThat(state(recorded).units().orElseThrow().refunded()).isEqualTo(2);
            assertThat(state(recorded).units().orElseThrow().latest())
                    .as("the pool's numbers are those of its end")
                    .isEqualTo(state(SOLD).units().orElseThrow().latest());
            Refund rest = new Refund(Refund.ORDER_CANCELED, 3, true);
            TABLE.given(then(recorded, new RefundStarted(rest, 5)))
                    .when(new RefundCameLate(Refund.ORDER_CANCELED), NOW)
                    .then(new RefundRecorded(rest))
                    .owesNothing();
            assertThat(state(then(recorded, new RefundStarted(rest, 5), new RefundRecorded(rest))))
                    .isInstanceOf(Reservation.Refunded.class);
        }

        @Test
        void a_cancel_during_a_refund_takes_what_that_leaves() {
            Refund part = new Refund("r-1", 2, true);
            Refund rest = new Refund(Refund.ORDER_CANCELED, 3, true);
            ReservationEvent[] refunding = then(SOLD, new RefundStarted(part, 5));
            TABLE.given(refunding).when(ORDER_CANCELED, NOW).then(new FactNoted(ORDER_CANCELED));
            TABLE.given(then(refunding, new FactNoted(ORDER_CANCELED)))
                    .when(new RefundAnswered("r-1", books(4, 0, 3)), NOW)
                    .then(new HoldRefunded(part, books(4, 0, 3)), new RefundStarted(rest, 5))
                    .owes(refundHold(rest));
        }

        @Test
        void a_refund_during_the_cancel_finds_nothing_left_and_its_refusal_is_recorded() {
            TABLE.given(then(SOLD, REFUND_ALL, new FactNoted(refund("r-1", 2))))
                    .when(new RefundAnswered(Refund.ORDER_CANCELED, books(4, 0, 0)), NOW)
                    .then(REFUNDED_ALL, new FactRefused(refund("r-1", 2), ReservationRefusal.REFUND_EXCEEDS))
                    .owesNothing();
            TABLE.given(then(SOLD, REFUND_ALL))
                    .when(ORDER_CANCELED, NOW)
                    .thenRepeat()
                    .verdict(pending());
        }

        @Test
        void a_failure_comes_too_late() {
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, SOLD);
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, then(SOLD, REFUND_ALL));
            refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_CREATED, ORDER_FAILED, GIVEN_BACK);
        }
    }

    @Nested
    class A_creation_named_only_after_a_refund_of_the_hold_began {

        private final Refund part = new Refund("r-1", 2, true);
        private final ReservationEvent[] refunding = then(HELD, new RefundStarted(part, 5));

        @Test
        void may_still_say_that_it_wants_fewer() {
            TABLE.given(refunding)
                    .when(createdFor(4), NOW)
                    .then(new FactNoted(createdFor(4)))
                    .verdict(pending());
            Refund surplus = new Refund(Refund.SURPLUS, 1, true);
            TABLE.given(then(refunding, new FactNoted(createdFor(4))))
                    .when(new RefundAnswered("r-1", books(3, 3, 0)), NOW)
                    .then(new HoldRefunded(part, books(3, 3, 0)), new RefundStarted(surplus, 4))
                    .owes(refundHold(surplus));
            TABLE.given(then(
                            refunding,
                            new FactNoted(createdFor(4)),
                            new HoldRefunded(part, books(3, 3, 0)),
                            new RefundStarted(surplus, 4)))
                    .when(new RefundAnswered(Refund.SURPLUS, books(4, 2, 0)), NOW)
                    .then(new HoldRefunded(surplus, books(4, 2, 0)), new ConfirmStarted(4))
                    .owes(confirm(2));
        }

        @Test
        void that_wanted_no_more_than_went_back_ends_refunded() {
            Refund surplus = new Refund(Refund.SURPLUS, 3, true);
            ReservationEvent[] surplusGoing = then(
                    refunding,
                    new FactNoted(createdFor(2)),
                    new HoldRefunded(part, books(3, 3, 0)),
                    new RefundStarted(surplus, 2));
            TABLE.given(surplusGoing)
                    .when(new RefundAnswered(Refund.SURPLUS, books(4, 0, 0)), NOW)
                    .then(new HoldRefunded(surplus, books(4, 0, 0)))
                    .owesNothing();
        }

        @Test
        void that_wanted_less_than_went_back_is_a_conflict_and_the_rest_is_sold() {
            TABLE.given(then(refunding, new FactNoted(createdFor(1))))
                    .when(new RefundAnswered("r-1", books(3, 3, 0)), NOW)
                    .then(
                            new HoldRefunded(part, books(3, 3, 0)),
                            new FactRefused(createdFor(1), ReservationRefusal.ORDER_QUANTITY_CONFLICT),
                            CONFIRM)
                    .owes(confirm(3));
        }
    }

    @Nested
    class Canceling_it {

        private final ReservationEvent[] canceling = then(HELD, RELEASE);

        @Test
        void done_it_has_ended_and_its_units_are_gone() {
            TABLE.given(canceling)
                    .when(new ReleaseAnswered(5, books(3, 0, 0)), NOW)
                    .then(RELEASED)
                    .thenState(new Canceled(
                            ID,
                            Optional.of(new Claim(ID, POOL, TERMS, LATER, 0, Optional.empty())),
                            Optional.of(opened().givenUp(books(3, 0, 0))),
                            FAILURE,
                            List.of()))
                    .owesNothing();
            TABLE.given(canceling).when(ORDER_FAILED, NOW).thenRepeat().verdict(pending());
            TABLE.given(RELEASED_ALL).when(ORDER_FAILED, NOW).thenRepeat().verdict(done());
        }

        @Test
        void the_order_can_not_come_back() {
            for (Fact late : List.of(CREATED, ORDER_CANCELED, refund("r-1", 1))) {
                refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_FAILED, late, canceling);
                refusedAndRecorded(ReservationRefusal.ORDER_ALREADY_FAILED, late, RELEASED_ALL);
            }
        }

        @Test
        void redis_released_another_quantity_so_a_person_must_look() {
            assertThat(MACHINE.decide(state(canceling), new ReleaseAnswered(4, books(3, 0, 0)), NOW)
                            .events())
                    .singleElement()
                    .isInstanceOf(ReviewOpened.class);
        }
    }

    @Nested
    class Ended {

        @Test
        void facts_about_a_hold_that_was_denied_are_conflicts() {
            for (Fact late : List.of(CREATED, createdFor(2), ORDER_CANCELED, refund("r-1", 1))) {
                refusedAndRecorded(ReservationRefusal.NOTHING_HELD, late, REQUESTED, DENIED);
            }
        }

        @Test
        void a_refunded_order_has_nothing_left() {
            TABLE.given(GIVEN_BACK).when(ORDER_CANCELED, NOW).thenRepeat().verdict(done());
            TABLE.given(GIVEN_BACK).when(CREATED, NOW).thenRepeat().verdict(done());
            refusedAndRecorded(ReservationRefusal.REFUND_EXCEEDS, refund("r-1", 1), GIVEN_BACK);
        }

        @Test
        void an_event_that_contradicts_itself_is_recorded_and_moves_nothing() {
            for (ReservationEvent[] end :
                    List.of(RELEASED_ALL, GIVEN_BACK, new ReservationEvent[] {REQUESTED, DENIED})) {
                TABLE.given(end)
                        .when(new Contradicted("m-1"), NOW)
                        .then(new ContradictionNoticed("m-1"))
                        .thenState(state(end));
                TABLE.given(end).when(new Freeze("why"), NOW).thenRefused(ReservationRefusal.ALREADY_ENDED);
            }
        }
    }

    private static Reservation state(ReservationEvent... past) {
        Reservation state = MACHINE.initial(ID);
        for (ReservationEvent event : past) {
            state = MACHINE.evolve(state, event);
        }
        return state;
    }

    static Stream<Reservation> states_that_can_be_marked() {
        return SAMPLES.states().stream()
                .map(sample -> (Reservation) sample.value())
                .filter(state -> !Set.of("Canceled", "Refunded", "Rejected", "UnderReview", "None")
                        .contains(state.getClass().getSimpleName()));
    }

    /** A process of Redis that is gone may have done what the one that serves now never heard of. */
    @Nested
    class Generations {

        private final HoldAnswered granted = new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0)));

        @Test
        void an_outcome_of_this_generation_means_what_it_means_without_one() {
            TABLE.given(REQUESTED).when(new AnsweredUnder(0, granted), NOW).then(GRANTED);
            TABLE.given(REQUESTED, new VerificationSeen(7), new VerificationSeen(8))
                    .when(new AnsweredUnder(8, granted), NOW)
                    .then(GRANTED);
        }

        @Test
        void after_a_verification_what_redis_answered_before_is_not_recorded_and_asked_for_again() {
            TABLE.given(REQUESTED, new VerificationSeen(7))
                    .when(new AnsweredUnder(0, granted), NOW)
                    .thenRepeat()
                    .owes(new TryHold(ID, POOL, 5, 7, 1, A.POLICIES.script()));
        }

        @Test
        void a_verification_is_seen_in_every_state_that_was_asked_for_and_changes_nothing_else() {
            SAMPLES.states().forEach(sample -> {
                Reservation before = sample.value();
                CELLS.checked(before, new SeeVerification(7));
                Decision<ReservationEvent> decision = MACHINE.decide(before, new SeeVerification(7), NOW);
                if (before.asked().isEmpty()) {
                    assertThat(decision).isEqualTo(Decision.repeat());
                    return;
                }
                assertThat(decision).isEqualTo(Decision.accept(new VerificationSeen(7)));
                Reservation after = MACHINE.evolve(before, new VerificationSeen(7));
                assertThat(after.asked().orElseThrow().generation()).isEqualTo(7);
                assertThat(MACHINE.decide(after, new SeeVerification(7), NOW)).isEqualTo(Decision.repeat());
                assertThat(after.status()).isEqualTo(before.status());
                assertThat(after.units()).isEqualTo(before.units());
                assertThat(MACHINE.owe(after).wakeAt())
                        .isEqualTo(MACHINE.owe(before).wakeAt());
                assertThat(MACHINE.owe(after).effects())
                        .hasSameSizeAs(MACHINE.owe(before).effects());
                assertThat(MACHINE.owe(after).effects()).allMatch(effect -> effect.generation() == 7);
            });
        }

        @Test
        void in_every_state_an_outcome_of_another_generation_changes_nothing() {
            SAMPLES.states()
                    .forEach(sample -> SAMPLES.commands().forEach(command -> {
                        AnsweredUnder old = new AnsweredUnder(-1, command.value());
                        assertThat(MACHINE.decide(sample.value(), old, NOW)).isEqualTo(Decision.repeat());
                        CELLS.checked(sample.value(), old);
                    }));
        }
    }

    /** A fence belongs to an epoch, and a reservation calls scripts under those that its own journal has. */
    @Nested
    class Epochs_of_pools {

        private static final PoolId OTHER = PoolId.parse("m-1:bread:2026-07-25");

        private static Optional<Epochs> epochs(PoolId pool, long epoch) {
            return Epochs.with(Optional.empty(), new PoolEpoch(pool, epoch));
        }

        private static TryHold tryHold(long generation, long epoch) {
            return new TryHold(ID, POOL, 5, generation, epoch, A.POLICIES.script());
        }

        @Test
        void of_a_pool_that_was_never_loaded_anew_nothing_is_journaled() {
            TABLE.given()
                    .when(new Reserve(TERMS, new PoolChoice.Named(POOL), LATER).at(1), NOW)
                    .then(REQUESTED)
                    .owes(tryHold(0, 1));
        }

        @Test
        void one_that_is_known_when_the_hold_is_asked_for_is_journaled_with_the_request() {
            TABLE.given()
                    .when(new Reserve(TERMS, new PoolChoice.Named(POOL), LATER).at(3), NOW)
                    .then(new HoldRequested(POOL, TERMS, LATER, Optional.empty(), epochs(POOL, 3)))
                    .owes(tryHold(0, 3));
        }

        @Test
        void what_is_known_of_it_is_no_part_of_what_is_asked_for() {
            TABLE.given(REQUESTED)
                    .when(new Reserve(TERMS, new PoolChoice.Named(POOL), LATER).at(3), NOW)
                    .thenRepeat()
                    .owes(tryHold(0, 1));
        }

        @Test
        void one_that_is_met_when_the_script_is_to_be_called_is_journaled_first_and_the_call_is_owed_under_it() {
            TABLE.given(REQUESTED, new VerificationSeen(7))
                    .when(new AnsweredUnder(7, new SeeEpoch(7, new PoolEpoch(POOL, 2))), NOW)
                    .then(new EpochSeen(7, POOL, 2))
                    .owes(tryHold(7, 2));
        }

        @Test
        void one_that_a_rebuild_tells_gives_a_new_generation_too() {
            TABLE.given(REQUESTED)
                    .when(new SeeEpoch(8, new PoolEpoch(POOL, 2)), NOW)
                    .then(new EpochSeen(8, POOL, 2))
                    .owes(tryHold(8, 2));
            TABLE.given(REQUESTED, new EpochSeen(8, POOL, 2))
                    .when(new AnsweredUnder(0, new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0)))), NOW)
                    .thenRepeat()
                    .owes(tryHold(8, 2));
        }

        @Test
        void one_that_the_journal_has_or_an_earlier_one_changes_nothing() {
            for (long known : List.of(1L, 2L)) {
                TABLE.given(REQUESTED, new EpochSeen(8, POOL, 2))
                        .when(new SeeEpoch(8, new PoolEpoch(POOL, known)), NOW)
                        .thenRepeat()
                        .owes(tryHold(8, 2));
            }
        }

        @Test
        void a_late_attempt_of_an_earlier_rebuild_gives_a_new_generation_and_leaves_the_epoch() {
            TABLE.given(REQUESTED, new EpochSeen(8, POOL, 3))
                    .when(new SeeEpoch(9, new PoolEpoch(POOL, 2)), NOW)
                    .then(new EpochSeen(9, POOL, 2))
                    .owes(tryHold(9, 3));
        }

        @Test
        void each_pool_of_a_group_has_its_own() {
            Group group = new Group(List.of(
                    new GroupLine(POOL, TERMS),
                    new GroupLine(
                            OTHER,
                            new Terms(
                                    new Line("m-1", "bread", A.ORDER, "item-2", Optional.empty()),
                                    1,
                                    new OrderType.InstantOrder()))));
            TABLE.given(
                            new HoldRequested(POOL, TERMS, LATER, Optional.of(group), epochs(OTHER, 2)),
                            new EpochSeen(8, POOL, 4))
                    .when(new SeeEpoch(8, new PoolEpoch(OTHER, 3)), NOW)
                    .then(new EpochSeen(8, OTHER, 3))
                    .owes(new TryGroup(
                            ID,
                            POOL,
                            group,
                            LATER,
                            8,
                            Optional.of(new Epochs(List.of(new PoolEpoch(OTHER, 3), new PoolEpoch(POOL, 4)))),
                            A.POLICIES.script()));
        }

        @Test
        void every_operation_is_owed_under_the_epoch_of_the_journal() {
            EpochSeen seen = new EpochSeen(0, POOL, 2);
            TABLE.given(REQUESTED, seen, GRANTED)
                    .when(CREATED, NOW)
                    .then(CONFIRM)
                    .owes(new ConfirmHold(ID, POOL, 5, 0, 2, A.POLICIES.script()));
            TABLE.given(REQUESTED, seen, GRANTED)
                    .when(ORDER_FAILED, NOW)
                    .then(RELEASE)
                    .owes(new ReleaseHold(ID, POOL, 5, 0, 2, A.POLICIES.script()));
            TABLE.given(REQUESTED, seen, GRANTED, CONFIRM, CONFIRMED, REFUND_ALL)
                    .when(new WakeUp(), NOW)
                    .thenRepeat()
                    .owes(new RefundHold(ID, POOL, ALL, 0, 2, A.POLICIES.script()));
        }

        @Test
        void it_is_seen_in_every_state_that_was_asked_for_and_changes_nothing_else() {
            SeeEpoch told = new SeeEpoch(7, new PoolEpoch(POOL, 2));
            SAMPLES.states().forEach(sample -> {
                Reservation before = sample.value();
                CELLS.checked(before, told);
                Decision<ReservationEvent> decision = MACHINE.decide(before, told, NOW);
                if (before.asked().isEmpty()) {
                    // Only an admission that still has to go back calls a script for a reservation nobody asked for.
                    boolean goesBack =
                            before.late().filter(late -> !late.returned()).isPresent();
                    assertThat(decision)
                            .isEqualTo(goesBack ? Decision.accept(new EpochSeen(7, POOL, 2)) : Decision.repeat());
                    return;
                }
                assertThat(decision).isEqualTo(Decision.accept(new EpochSeen(7, POOL, 2)));
                Reservation after = MACHINE.evolve(before, new EpochSeen(7, POOL, 2));
                assertThat(after.asked().orElseThrow().epoch()).isEqualTo(2);
                assertThat(after.asked().orElseThrow().generation()).isEqualTo(7);
                assertThat(MACHINE.decide(after, told, NOW)).isEqualTo(Decision.repeat());
                assertThat(after.status()).isEqualTo(before.status());
                assertThat(after.units()).isEqualTo(before.units());
                assertThat(MACHINE.owe(after).wakeAt())
                        .isEqualTo(MACHINE.owe(before).wakeAt());
                assertThat(MACHINE.owe(after).effects())
                        .hasSameSizeAs(MACHINE.owe(before).effects());
            });
        }
    }

    @Nested
    class Under_review {

        @ParameterizedTest
        @MethodSource("io.holdfast.reservation.domain.ReservationMachineTest#states_that_can_be_marked")
        void it_owes_nothing_and_keeps_its_state(Reservation state) {
            for (ReservationCommand marking : List.of(new Freeze("why"), new Contradicted("m-1"))) {
                Decision<ReservationEvent> decision = MACHINE.decide(state, marking, NOW);
                assertThat(decision.events()).singleElement().isInstanceOf(ReviewOpened.class);
                Reservation marked = MACHINE.evolve(state, decision.events().getFirst());
                assertThat(MACHINE.owe(marked).isNothing()).isTrue();
                assertThat(marked.unmarked()).isEqualTo(state);
                assertThat(marked.status()).isEqualTo(Reservation.Status.MANUAL_REVIEW);
                Decision<ReservationEvent> lifted =
                        MACHINE.decide(marked, new Lift(new Resolution.Continue(), "clear"), NOW);
                assertThat(MACHINE.evolve(marked, lifted.events().getFirst())).isEqualTo(state);
            }
        }

        @Test
        void a_contradiction_of_what_is_owed_marks_it_and_one_of_what_is_not_is_old_news() {
            TABLE.given(then(HELD, CONFIRM))
                    .when(new ContradictionFound("CONFIRM:" + ID, "CONTRADICTION", Map.of("phase", "CANCELED")), NOW)
                    .then(new ReviewOpened(new Review(
                            Review.Trigger.FENCE_CONTRADICTION,
                            "CONFIRM:" + ID + " was answered CONTRADICTION",
                            Map.of("phase", "CANCELED"))))
                    .owesNothing();
            TABLE.given(SOLD)
                    .when(new ContradictionFound("CONFIRM:" + ID, "EXCEEDS", Map.of()), NOW)
                    .thenRepeat();
        }

        @Test
        void where_what_goes_back_is_contradicted_it_asks_its_compensation_what_was_decided() {
            TABLE.given(then(HELD, RELEASE))
                    .when(
                            new ContradictionFound("RELEASE:" + ID, "CONFIRMED_ALREADY", Map.of("phase", "CONFIRMED")),
                            NOW)
                    .then(AWAITS)
                    .owes(awaits(release()));
            TABLE.given(then(HELD, RELEASE, AWAITS))
                    .when(new ContradictionFound("RELEASE:" + ID, "CONFIRMED_ALREADY", Map.of()), NOW)
                    .thenRepeat()
                    .owes(awaits(release()));
            TABLE.given(then(SOLD, REFUND_ALL))
                    .when(
                            new ContradictionFound("REFUND:" + ID + ":order-canceled", "EXCEEDS", Map.of("left", "1")),
                            NOW)
                    .then(new ReviewOpened(new Review(
                            Review.Trigger.COMPENSATION,
                            "REFUND:" + ID + ":order-canceled was answered EXCEEDS",
                            Map.of("left", "1"))))
                    .owes(awaits(refundHold(ALL)));
            TABLE.given(then(HELD, RELEASE, AWAITS))
                    .when(new SeeVerification(7), NOW)
                    .then(new VerificationSeen(7));
        }

        @Test
        void nobody_resolves_it_here() {
            for (Resolution resolution : List.of(new Resolution.Continue(), new Resolution.StandAs(Ending.CANCELED))) {
                TABLE.given(then(HELD, RELEASE, AWAITS))
                        .when(new Lift(resolution, "seen"), NOW)
                        .thenRefused(ReservationRefusal.RESOLVED_AT_COMPENSATION);
            }
            assertThat(((Reservation.UnderReview) state(then(HELD, RELEASE, AWAITS))).resolutions())
                    .isEmpty();
        }

        @Test
        void what_was_done_after_all_is_recorded_and_lifts_the_mark_and_then_what_has_waited_is_decided() {
            ReviewLifted lifted = new ReviewLifted(new Resolution.Continue(), "resolved at the compensation");
            TABLE.given(then(HELD, RELEASE, AWAITS))
                    .when(new ReleaseAnswered(5, books(3, 0, 0)), NOW)
                    .then(lifted, RELEASED)
                    .owesNothing();
            TABLE.given(then(HELD, RELEASE, AWAITS, new FactNoted(CREATED)))
                    .when(new ReleaseAnswered(5, books(3, 0, 0)), NOW)
                    .then(lifted, new FactRefused(CREATED, ReservationRefusal.ORDER_ALREADY_FAILED), RELEASED);
            TABLE.given(then(SOLD, REFUND_ALL, AWAITS))
                    .when(new RefundAnswered(ALL.id(), books(4, 0, 0)), NOW)
                    .then(lifted, REFUNDED_ALL)
                    .owesNothing();
            TABLE.given(then(SOLD, REFUND_ALL, AWAITS))
                    .when(new RefundCameLate(ALL.id()), NOW)
                    .then(lifted, new RefundRecorded(ALL))
                    .owesNothing();
            TABLE.given(then(SOLD, REFUND_ALL, AWAITS))
                    .when(new RefundAnswered("another", books(4, 0, 0)), NOW)
                    .thenRepeat();
            TABLE.given(then(HELD, RELEASE, FROZEN))
                    .when(new ReleaseAnswered(5, books(3, 0, 0)), NOW)
                    .thenRepeat()
                    .owesNothing();
        }

        @Test
        void what_a_person_decided_at_the_compensation_is_how_it_has_ended() {
            CompensationDecided sold =
                    new CompensationDecided("RELEASE:" + ID, Ending.CONFIRMED, "the goods went out (INC-7)");
            ReviewLifted lifted =
                    new ReviewLifted(new Resolution.StandAs(Ending.CONFIRMED), "the goods went out (INC-7)");
            TABLE.given(then(HELD, RELEASE, AWAITS))
                    .when(sold, NOW)
                    .then(lifted)
                    .owesNothing();
            TABLE.given(then(HELD, RELEASE, AWAITS, new FactNoted(ORDER_CANCELED)))
                    .when(sold, NOW)
                    .then(lifted, REFUND_ALL)
                    .owes(refundHold(ALL));
            TABLE.given(then(HELD, RELEASE))
                    .when(sold, NOW)
                    .then(
                            new ReviewOpened(new Review(
                                    Review.Trigger.COMPENSATION,
                                    "RELEASE:" + ID + " was decided by a person",
                                    Map.of())),
                            lifted)
                    .owesNothing();
            TABLE.given(then(HELD, RELEASE, FROZEN)).when(sold, NOW).thenRepeat();
            TABLE.given(then(SOLD, REFUND_ALL, AWAITS)).when(sold, NOW).thenRepeat();
        }

        @Test
        void facts_are_noted_even_those_the_kept_state_would_refuse_and_decided_when_it_is_lifted() {
            ReservationEvent[] marked = then(HELD, RELEASE, FROZEN);
            TABLE.given(marked).when(CREATED, NOW).then(new FactNoted(CREATED)).verdict(pending());
            TABLE.given(then(marked, new FactNoted(CREATED)))
                    .when(CREATED, NOW)
                    .thenRepeat()
                    .verdict(pending());
            TABLE.given(marked).when(ORDER_FAILED, NOW).thenRepeat().verdict(pending());
            TABLE.given(then(marked, new FactNoted(CREATED)))
                    .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                    .then(
                            new ReviewLifted(new Resolution.Continue(), "clear"),
                            new FactRefused(CREATED, ReservationRefusal.ORDER_ALREADY_FAILED))
                    .owes(release());
            TABLE.given(then(marked, new FactNoted(CREATED), new FactNoted(ORDER_CANCELED)))
                    .when(new Lift(new Resolution.StandAs(Ending.CONFIRMED), "it was sold"), NOW)
                    .then(new ReviewLifted(new Resolution.StandAs(Ending.CONFIRMED), "it was sold"), REFUND_ALL)
                    .owes(refundHold(ALL));
        }

        @Test
        void of_contradicting_facts_noted_meanwhile_the_first_wins() {
            TABLE.given(then(HELD, FROZEN, new FactNoted(ORDER_FAILED), new FactNoted(CREATED)))
                    .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                    .then(
                            new ReviewLifted(new Resolution.Continue(), "clear"),
                            RELEASE,
                            new FactRefused(CREATED, ReservationRefusal.ORDER_ALREADY_FAILED));
        }

        @Test
        void a_late_outcome_is_left_for_later() {
            TABLE.given(REQUESTED, FROZEN)
                    .when(new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))), NOW)
                    .thenRepeat()
                    .owesNothing();
            TABLE.given(REQUESTED, FROZEN)
                    .when(new Lift(new Resolution.Continue(), "clear"), NOW)
                    .then(new ReviewLifted(new Resolution.Continue(), "clear"))
                    .owes(tryHold());
        }

        @Test
        void a_person_may_declare_how_it_stands_where_that_is_possible() {
            for (Ending ending : Ending.values()) {
                Lift lift = new Lift(new Resolution.StandAs(ending), "seen");
                assertThat(MACHINE.decide(state(then(HELD, RELEASE, FROZEN)), lift, NOW))
                        .isInstanceOf(Decision.Accept.class);
            }
            Lift canceled = new Lift(new Resolution.StandAs(Ending.CANCELED), "seen");
            Lift refunded = new Lift(new Resolution.StandAs(Ending.REFUNDED), "seen");
            TABLE.given(REQUESTED, FROZEN).when(refunded, NOW).thenRefused(ReservationRefusal.RESOLUTION_NOT_ALLOWED);
            TABLE.given(then(SOLD, FROZEN)).when(canceled, NOW).thenRefused(ReservationRefusal.RESOLUTION_NOT_ALLOWED);
            Reservation back = lifted(then(SOLD, FROZEN), refunded);
            assertThat(back).isInstanceOf(Refunded.class);
            assertThat(back.units().orElseThrow().remaining()).isZero();
            assertThat(lifted(new ReservationEvent[] {REQUESTED, FROZEN}, canceled))
                    .isInstanceOf(Canceled.class);
        }

        private Reservation lifted(ReservationEvent[] past, Lift lift) {
            Reservation state = state(past);
            for (ReservationEvent event : MACHINE.decide(state, lift, NOW).events()) {
                state = MACHINE.evolve(state, event);
            }
            return state;
        }

        @Test
        void marking_what_is_marked_changes_nothing() {
            TABLE.given(then(HELD, FROZEN))
                    .when(new Freeze("again"), NOW)
                    .thenRepeat()
                    .verdict(done());
            TABLE.given(then(HELD, FROZEN)).when(new Contradicted("m-1"), NOW).then(new ContradictionNoticed("m-1"));
            ReviewOpened reused = new ReviewOpened(new Review(
                    Review.Trigger.CAUSE_REUSED,
                    "an event came under a known id with other content",
                    Map.of("cause_id", "m-1")));
            TABLE.given(HELD).when(new Contradicted("m-1"), NOW).then(reused);
            TABLE.given(then(HELD, reused)).when(new Contradicted("m-1"), NOW).thenRepeat();
        }

        @Test
        void what_was_never_asked_for_can_be_marked_by_a_contradiction_alone() {
            TABLE.given().when(new Freeze("why"), NOW).thenRefused(ReservationRefusal.UNKNOWN_RESERVATION);
            assertThat(state(new FactNoted(CREATED), FROZEN)).isInstanceOf(UnderReview.class);
            TABLE.given(new FactNoted(CREATED), FROZEN).when(RESERVE, NOW).thenRefused(ReservationRefusal.UNDER_REVIEW);
        }
    }

    /** The cells in which nothing may happen, all of them: outcomes of what is not owed, early wake-ups, lifting no mark. */
    @Test
    void what_does_not_concern_a_state_leaves_it_alone() {
        List<ReservationCommand> outcomes = List.of(
                new HoldAnswered(new HoldAnswer.Granted(books(2, 5, 0))),
                new ConfirmAnswered(5, 0, books(3, 0, 5)),
                new ReleaseAnswered(5, books(3, 0, 0)),
                new RefundAnswered("unknown", books(3, 0, 0)),
                new RefundCameLate("unknown"),
                new OrderAnswered(7, OrderAnswer.PUBLISHES),
                new ContradictionFound("OTHER:" + ID, "CONFLICT", Map.of()),
                new ReservationCommand.HandOffAnswered(),
                new ReservationCommand.OrderRequestAnswered(),
                new ReservationCommand.AdmissionReturnAnswered(5, books(3, 0, 0)),
                new ReservationCommand.AdmissionLost(0, 10, 8),
                new CompensationDecided("OTHER:" + ID, Ending.CONFIRMED, "seen"),
                new WakeUp());
        List<ReservationEvent[]> pasts = List.of(
                new ReservationEvent[] {},
                new ReservationEvent[] {REQUESTED},
                HELD,
                new ReservationEvent[] {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER},
                then(HELD, CONFIRM),
                SOLD,
                then(HELD, RELEASE),
                RELEASED_ALL,
                then(SOLD, REFUND_ALL),
                GIVEN_BACK,
                new ReservationEvent[] {REQUESTED, DENIED},
                then(SOLD, FROZEN));
        for (ReservationEvent[] past : pasts) {
            Reservation state = state(past);
            for (ReservationCommand outcome : outcomes) {
                boolean concerns = state instanceof Preparing && outcome instanceof HoldAnswered
                        || state instanceof Confirming && outcome instanceof ConfirmAnswered
                        || state instanceof Reservation.Canceling && outcome instanceof ReleaseAnswered;
                if (!concerns) {
                    TABLE.given(past).when(outcome, NOW).thenRepeat().thenState(state);
                }
            }
            if (!(state instanceof UnderReview)) {
                TABLE.given(past)
                        .when(new Lift(new Resolution.Continue(), "why"), NOW)
                        .thenRefused(
                                state instanceof Reservation.None
                                        ? ReservationRefusal.UNKNOWN_RESERVATION
                                        : ReservationRefusal.NOT_UNDER_REVIEW);
            }
        }
    }

    @Test
    void what_may_be_resolved_is_what_a_reservation_under_review_says_may_be() {
        List<Resolution> all = List.of(
                new Resolution.Continue(),
                new Resolution.StandAs(Resolution.Ending.CONFIRMED),
                new Resolution.StandAs(Resolution.Ending.CANCELED),
                new Resolution.StandAs(Resolution.Ending.REFUNDED));
        for (ReservationEvent[] past : List.of(
                new ReservationEvent[] {REQUESTED},
                HELD,
                new ReservationEvent[] {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER},
                then(HELD, CONFIRM),
                SOLD,
                then(HELD, RELEASE),
                then(SOLD, REFUND_ALL))) {
            ReservationEvent[] marked = then(past, FROZEN);
            assertThat(state(marked)).isInstanceOfSatisfying(UnderReview.class, review -> {
                assertThat(review.resolutions()).first().isEqualTo(new Resolution.Continue());
                for (Resolution resolution : all) {
                    var decision = MACHINE.decide(review, new Lift(resolution, "why"), NOW);
                    assertThat(decision instanceof Decision.Accept<ReservationEvent>)
                            .as("%s of %s", resolution, review.state())
                            .isEqualTo(review.resolutions().contains(resolution));
                }
            });
        }
    }

    /** More of it in {@link AdmittedReservationTest}. */
    @Test
    void what_the_gate_let_in_is_refused_in_no_state() {
        Adopt adopt = new Adopt(
                new OrderCreateRequested("message-1", ID, "q-1", "m-1", "soup", "ann", 5, NOW, LATER),
                POOL,
                books(7, 5, 0),
                LATER);
        TABLE.given()
                .when(adopt, NOW)
                .then(new HoldAdopted(POOL, adopt.terms(), LATER, adopt.order(), adopt.books()))
                .verdict(done());
        ReviewOpened contradiction = new ReviewOpened(new Review(
                Review.Trigger.FENCE_CONTRADICTION,
                "the gate let another request in under this id",
                Map.of("user", "ann", "request", "q-1", "quantity", "5")));
        for (ReservationEvent[] live : List.of(
                new ReservationEvent[] {REQUESTED},
                HELD,
                new ReservationEvent[] {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER},
                then(HELD, CONFIRM),
                SOLD,
                then(HELD, RELEASE),
                then(SOLD, REFUND_ALL))) {
            TABLE.given(live).when(adopt, NOW).then(contradiction).owesNothing().verdict(done());
        }
        TABLE.given(then(HELD, FROZEN)).when(adopt, NOW).thenRepeat().verdict(done());
        for (ReservationEvent[] ended : List.of(RELEASED_ALL, GIVEN_BACK, new ReservationEvent[] {REQUESTED, DENIED})) {
            TABLE.given(ended)
                    .when(adopt, NOW)
                    .then(new AdmissionCameLate(POOL, adopt.terms(), adopt.books()))
                    .owes(new ReturnAdmission(ID, POOL, 5, 0, 1, A.POLICIES.script()))
                    .verdict(done());
        }
    }

    /** The mark can be set in every state that is not final, by a person and by a contradiction. */
    @Test
    void every_state_that_is_not_final_can_be_marked() {
        for (ReservationEvent[] past : List.of(
                new ReservationEvent[] {REQUESTED},
                HELD,
                new ReservationEvent[] {REQUESTED_SCHEDULED, GRANTED, CONFIRM_LATER},
                then(HELD, CONFIRM),
                SOLD,
                then(HELD, RELEASE),
                then(SOLD, REFUND_ALL))) {
            TABLE.given(past)
                    .when(new Freeze("disputed"), NOW)
                    .then(FROZEN)
                    .owesNothing()
                    .verdict(done());
            TABLE.given(past)
                    .when(new Contradicted("m-1"), NOW)
                    .then(new ReviewOpened(new Review(
                            Review.Trigger.CAUSE_REUSED,
                            "an event came under a known id with other content",
                            Map.of("cause_id", "m-1"))))
                    .owesNothing();
        }
        TABLE.given(new FactNoted(CREATED))
                .when(new Contradicted("m-1"), NOW)
                .then(new ReviewOpened(new Review(
                        Review.Trigger.CAUSE_REUSED,
                        "an event came under a known id with other content",
                        Map.of("cause_id", "m-1"))));
        TABLE.given(then(HELD, FROZEN)).when(refund("r-1", 1), NOW).then(new FactNoted(refund("r-1", 1)));
        TABLE.given(then(HELD, FROZEN)).when(ORDER_CANCELED, NOW).then(new FactNoted(ORDER_CANCELED));
        TABLE.given(then(HELD, CONFIRM)).when(CREATED, NOW).thenRepeat();
        TABLE.given(REQUESTED, DENIED).when(RESERVE, NOW).thenRepeat();
    }

    @Test
    void a_journal_this_code_did_not_write_stops_the_entity() {
        org.assertj.core.api.Assertions.assertThatIllegalStateException()
                .isThrownBy(() -> MACHINE.evolve(MACHINE.initial(ID), GRANTED))
                .withMessageContaining("NONE")
                .withMessageContaining("HoldGranted");
    }
}
