package io.holdfast.reservation.domain;

import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmScheduled;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.ReservationEvent.FactNoted;
import io.holdfast.reservation.domain.ReservationEvent.FactRefused;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldDenied;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRefunded;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationEvent.OverdueNoticed;
import io.holdfast.reservation.domain.ReservationEvent.RefundStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.RequestAwaited;
import io.holdfast.reservation.domain.ReservationEvent.ReviewLifted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.OperationRefused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolClosed;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolEvent.PoolPaused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import io.holdfast.reservation.domain.StockPoolEvent.PoolReopened;
import io.holdfast.reservation.domain.StockPoolEvent.PoolResumed;
import io.holdfast.reservation.domain.StockPoolEvent.RebuildStarted;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolEvent.TotalAdjusted;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationDiffered;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationStarted;
import io.holdfast.testkit.derived.GoldenJournal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;

class GoldenJournalTest {

    private static final Books BOOKS = new Books(1, 7, 10, 0, 3, 2, 5);
    private static final Cancellation CANCELLATION =
            new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of("order-1"), "payment refused");

    @Nested
    class Of_reservations extends GoldenJournal<ReservationEvent> {
        @Override
        protected String machine() {
            return ReservationMachine.NAME;
        }

        @Override
        protected Class<ReservationEvent> eventType() {
            return ReservationEvent.class;
        }

        @Override
        protected JournalCodec<ReservationEvent> codec() {
            return JournalCodec.of(ReservationEvent.class);
        }

        @Override
        protected List<ReservationEvent> examples() {
            Refund refund = new Refund("refund-1", 2, false);
            return List.of(
                    new HoldRequested(A.POOL, A.TERMS, A.LATER),
                    new HoldRequested(
                            A.POOL,
                            new Terms(
                                    new Line("m-1", "soup", "order-1", "item-1", Optional.empty()),
                                    5,
                                    new OrderType.ScheduledOrder(A.LATER)),
                            A.LATER),
                    new HoldRequested(
                            A.POOL,
                            A.TERMS,
                            A.LATER,
                            Optional.of(new Group(List.of(
                                    new GroupLine(A.POOL, A.TERMS),
                                    new GroupLine(
                                            PoolId.parse("m-1:bread:2026-07-25"),
                                            new Terms(
                                                    new Line("m-1", "bread", "order-1", "item-2", Optional.empty()),
                                                    1,
                                                    new OrderType.InstantOrder())))))),
                    new HoldGranted(BOOKS),
                    new HoldDenied(DenialReason.SHORT, BOOKS),
                    new TombstoneSet(CANCELLATION),
                    new TombstoneSet(new Cancellation(
                            Cancellation.Cause.REFUND_REQUESTED, Optional.empty(), "refund r-1 before the request")),
                    new FactNoted(new Fact.OrderCreated("order-1", OptionalLong.of(4))),
                    new FactNoted(Fact.OrderCreated.whole("order-1")),
                    new FactNoted(new Fact.OrderCreatedFailed("order-1", "payment refused")),
                    new FactNoted(new Fact.OrderCanceled(Optional.of("order-1"), "buyer")),
                    new FactNoted(new Fact.RefundRequested(Optional.of("order-1"), "refund-1", 2, true)),
                    new FactNoted(new Fact.OrderCanceled(Optional.empty(), "buyer")),
                    new FactNoted(new Fact.RefundRequested(Optional.empty(), "refund-1", 2, true)),
                    new RequestAwaited(A.LATER),
                    new FactRefused(Fact.OrderCreated.whole("order-1"), ReservationRefusal.ORDER_ALREADY_FAILED),
                    new ConfirmScheduled(5, A.LATER),
                    new ConfirmStarted(5),
                    new HoldConfirmed(4, 1, BOOKS),
                    new ReleaseStarted(CANCELLATION),
                    new HoldReleased(5, BOOKS),
                    new RefundStarted(refund, 5),
                    new HoldRefunded(refund, BOOKS),
                    new ReservationEvent.RefundRecorded(refund),
                    new OverdueNoticed(A.LATER),
                    new ReservationEvent.InquiryStarted(2),
                    new ReservationEvent.OrderInquired(1, OrderAnswer.UNKNOWN_ORDER, Optional.of(A.LATER)),
                    new ReservationEvent.OrderInquired(10, OrderAnswer.UNREACHED, Optional.empty()),
                    new ReservationEvent.VerificationSeen(3),
                    new HoldRequested(
                            A.POOL,
                            A.TERMS,
                            A.LATER,
                            Optional.empty(),
                            Epochs.with(Optional.empty(), new PoolEpoch(A.POOL, 3))),
                    new ReservationEvent.EpochSeen(3, A.POOL, 2),
                    new ReviewOpened(new Review(
                            Review.Trigger.FENCE_CONTRADICTION, "CONFIRM was answered EXCEEDS", Map.of("left", "2"))),
                    new ReviewOpened(new Review(
                            Review.Trigger.COMPENSATION,
                            "RELEASE was answered CONFIRMED_ALREADY",
                            Map.of("compensation", "RELEASE:r-1"))),
                    new ReviewLifted(new Resolution.Continue(), "clear"),
                    new ReviewLifted(new Resolution.StandAs(Resolution.Ending.CONFIRMED), "it was sold"),
                    new ContradictionNoticed("message-1"),
                    new ReservationEvent.HoldAdopted(
                            PoolId.parse("spring:phone"),
                            A.TERMS,
                            A.LATER,
                            new OrderCreateRequested(
                                    "message-1", "r-1", "request-1", "spring", "phone", "user-1", 5, A.NOW, A.LATER),
                            BOOKS),
                    new ReservationEvent.HandedOff(),
                    new ReservationEvent.OrderRequestSent(),
                    new ReservationEvent.AdmissionCameLate(PoolId.parse("spring:phone:b2"), A.TERMS, BOOKS),
                    new ReservationEvent.AdmissionReturned(5, BOOKS),
                    new ReservationEvent.AdmissionWasLost(10, 8));
        }
    }

    @Nested
    class Of_stock_pools extends GoldenJournal<StockPoolEvent> {
        @Override
        protected String machine() {
            return StockPoolMachine.NAME;
        }

        @Override
        protected Class<StockPoolEvent> eventType() {
            return StockPoolEvent.class;
        }

        @Override
        protected JournalCodec<StockPoolEvent> codec() {
            return JournalCodec.of(StockPoolEvent.class);
        }

        @Override
        protected List<StockPoolEvent> examples() {
            DifferenceReport report = new DifferenceReport(
                    BOOKS,
                    Optional.of(BOOKS),
                    3,
                    1,
                    List.of(new DifferenceReport.Difference("r-1", "RESERVED with 2 left", "no fence")),
                    "1 of 3 reservations differs");
            return List.of(
                    new OperationAccepted(new PoolOperation.Init("init-1", 10)),
                    new OperationAccepted(new PoolOperation.Adjust("adjust-1", 6, OptionalLong.of(1))),
                    new OperationAccepted(new PoolOperation.Adjust("adjust-2", 6, OptionalLong.empty())),
                    new OperationAccepted(new PoolOperation.Pause("pause-1")),
                    new OperationAccepted(new PoolOperation.Resume("resume-1")),
                    new OperationAccepted(new PoolOperation.Close("close-1")),
                    new OperationAccepted(new PoolOperation.Archive("archive-1")),
                    new OperationAccepted(new PoolOperation.Repair(
                            "repair-1",
                            "NUMBERS_DIFFER",
                            new Books(1, 7, 10, 0, 5, 2, 5),
                            new Books(1, 8, 10, 0, 3, 2, 5),
                            Optional.empty())),
                    new OperationAccepted(new PoolOperation.Repair(
                            "repair-2",
                            "FENCE_BEHIND",
                            BOOKS,
                            new Books(1, 8, 10, 0, 3, 2, 5),
                            Optional.of(new FenceRepair(
                                    "r-1",
                                    Optional.of(new FenceRepair.Seen(FenceRepair.Phase.RESERVED, 2, 0, 0, 0)),
                                    Optional.of(new FenceRepair.Target(
                                            FenceRepair.Phase.CONFIRMED,
                                            2,
                                            2,
                                            0,
                                            1,
                                            BOOKS,
                                            BOOKS,
                                            List.of(new Refund("refund-1", 1, true)))))))),
                    new PoolInitialized("init-1", BOOKS),
                    new TotalAdjusted("adjust-1", 2, BOOKS),
                    new PoolPaused("pause-1", BOOKS),
                    new PoolResumed("resume-1", BOOKS),
                    new PoolClosed("close-1", BOOKS),
                    new StockPoolEvent.PoolArchived("archive-1", BOOKS),
                    new StockPoolEvent.StockRepaired("repair-1", BOOKS),
                    new OperationRefused("pause-2", StockPoolRefusal.POOL_CLOSED),
                    new SuspicionRaised("POOL_SUSPECT: another Redis process answered", 1),
                    new VerificationStarted(2),
                    new VerificationDiffered(2, report, A.LATER),
                    new PoolReopened(2, Optional.of(BOOKS)),
                    new PoolReopened(2, Optional.empty()),
                    new RebuildStarted(3, 2, "another Redis process answered; Redis has no such pool"),
                    new PoolRebuilt(3, BOOKS, 7, A.NOW),
                    new StockPoolEvent.ContradictionNoticed("message-1"),
                    new OperationAccepted(new PoolOperation.Init(
                            "init-2",
                            10,
                            Optional.of("m-1:2026-07-25"),
                            Optional.of(new Sale(2, A.LATER, A.LATER.plusSeconds(3600), 3)))),
                    new StockPoolEvent.KeysLetGo(A.LATER),
                    new StockPoolEvent.OpeningBegun(5, "REBUILD:5:817226913"),
                    new OperationAccepted(new PoolOperation.Init(
                            "init-3",
                            10,
                            Optional.empty(),
                            Optional.of(new Sale(
                                    2, A.LATER, A.LATER.plusSeconds(3600), 3, Optional.of(new Buckets(4, 1)))))),
                    new OperationAccepted(
                            new PoolOperation.Give("move-1", PoolId.parse("spring:phone:b2"), 4, OptionalLong.empty())),
                    new OperationAccepted(
                            new PoolOperation.Receive("move-1", PoolId.parse("spring:phone"), 4, OptionalLong.empty())),
                    new StockPoolEvent.UnitsDelivered("move-1"),
                    new OperationAccepted(
                            new PoolOperation.Give("move-2", PoolId.parse("spring:phone:b2"), 4, OptionalLong.of(7))),
                    new OperationAccepted(
                            new PoolOperation.Receive("move-2", PoolId.parse("spring:phone"), 4, OptionalLong.of(8))));
        }
    }
}
