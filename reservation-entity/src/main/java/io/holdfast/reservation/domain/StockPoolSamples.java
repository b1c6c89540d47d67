package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Sample;
import io.holdfast.reservation.domain.PoolOperation.Adjust;
import io.holdfast.reservation.domain.PoolOperation.Archive;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Give;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Receive;
import io.holdfast.reservation.domain.PoolOperation.Repair;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import io.holdfast.reservation.domain.StockPoolCommand.AnsweredUnder;
import io.holdfast.reservation.domain.StockPoolCommand.BeginOpening;
import io.holdfast.reservation.domain.StockPoolCommand.Contradicted;
import io.holdfast.reservation.domain.StockPoolCommand.Finding;
import io.holdfast.reservation.domain.StockPoolCommand.KeysExpire;
import io.holdfast.reservation.domain.StockPoolCommand.OperationDone;
import io.holdfast.reservation.domain.StockPoolCommand.OperationTurnedDown;
import io.holdfast.reservation.domain.StockPoolCommand.Rebuild;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildResult;
import io.holdfast.reservation.domain.StockPoolCommand.Suspect;
import io.holdfast.reservation.domain.StockPoolCommand.UnitsTaken;
import io.holdfast.reservation.domain.StockPoolCommand.VerificationAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.Verify;
import io.holdfast.reservation.domain.StockPoolCommand.WakeUp;
import io.holdfast.reservation.domain.StockPoolEvent.KeysLetGo;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.PoolArchived;
import io.holdfast.reservation.domain.StockPoolEvent.PoolClosed;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolEvent.PoolPaused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import io.holdfast.reservation.domain.StockPoolEvent.RebuildStarted;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolEvent.TotalAdjusted;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationDiffered;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** One pool of 10 units in every state it can be in, and every command it can be given. */
public final class StockPoolSamples
        implements MachineSamples<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    private static final Books FULL = Books.expected(1, 1, 10, 0, 0);
    private static final Init INIT = new Init("init-1", 10);
    private static final Adjust ADJUST = new Adjust("adjust-1", 6, OptionalLong.empty());
    private static final Pause PAUSE = new Pause("pause-1");
    private static final Close CLOSE = new Close("close-1");
    private static final Archive ARCHIVE = new Archive("archive-1");
    private static final Repair REPAIR = new Repair(
            "repair-1",
            "FENCE_MISSING",
            FULL,
            Books.expected(1, 2, 10, 0, 0),
            Optional.of(new FenceRepair(
                    "r-1",
                    Optional.empty(),
                    Optional.of(
                            new FenceRepair.Target(FenceRepair.Phase.RESERVED, 2, 0, 0, 0, FULL, FULL, List.of())))));
    private static final PoolId FIRST = PoolId.parse("spring:shoes");
    private static final PoolId SECOND = PoolId.parse("spring:shoes:b1");
    private static final Give GIVE = new Give("move-1", SECOND, 4, OptionalLong.of(1));
    private static final Receive RECEIVE = new Receive("move-2", FIRST, 4, OptionalLong.of(2));
    private static final Init SPLIT = new Init(
            "init-1",
            20,
            Optional.empty(),
            Optional.of(new Sale(1, NOW, NOW.plusSeconds(60), 1, Optional.of(new Buckets(2, 0)))));
    private static final DifferenceReport REPORT = new DifferenceReport(
            Books.expected(1, 3, 10, 2, 0),
            Optional.of(Books.expected(1, 2, 10, 0, 0)),
            1,
            1,
            List.of(new DifferenceReport.Difference("r-1", "RESERVED 2", "no fence")),
            "1 of 1 reservations differs");

    private static final OperationAccepted ASKED = new OperationAccepted(INIT);
    private static final PoolInitialized INITIALIZED = new PoolInitialized(INIT.operationId(), FULL);
    private static final SuspicionRaised SUSPECTED = new SuspicionRaised("another Redis process answered", 1);

    private static final RebuildStarted REBUILDING = new RebuildStarted(1, 2, "a rebuild was asked for");

    private final StockPoolMachine machine = new StockPoolMachine(EffectPolicies.standard());

    @Override
    public Machine<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> machine() {
        return machine;
    }

    @Override
    public Instant now() {
        return NOW;
    }

    @Override
    public Class<?> stateType() {
        return StockPool.class;
    }

    @Override
    public Class<?> commandType() {
        return StockPoolCommand.class;
    }

    @Override
    public List<Sample<StockPool>> states() {
        return List.of(
                Sample.of(after()),
                Sample.of(after(ASKED)),
                Sample.of(after(ASKED, INITIALIZED)),
                Sample.of("adjusting", after(ASKED, INITIALIZED, new OperationAccepted(ADJUST))),
                Sample.of(
                        "adjusting, then closing",
                        after(ASKED, INITIALIZED, new OperationAccepted(ADJUST), new OperationAccepted(CLOSE))),
                Sample.of(
                        "closing, then pausing",
                        after(ASKED, INITIALIZED, new OperationAccepted(CLOSE), new OperationAccepted(PAUSE))),
                Sample.of("repairing", after(ASKED, INITIALIZED, new OperationAccepted(REPAIR))),
                Sample.of(
                        "paused",
                        after(ASKED, INITIALIZED, new OperationAccepted(PAUSE), new PoolPaused("pause-1", FULL))),
                Sample.of(after(ASKED, INITIALIZED, new OperationAccepted(CLOSE), new PoolClosed("close-1", FULL))),
                Sample.of(
                        "archiving",
                        after(
                                ASKED,
                                INITIALIZED,
                                new OperationAccepted(CLOSE),
                                new PoolClosed("close-1", FULL),
                                new OperationAccepted(ARCHIVE))),
                Sample.of(after(
                        ASKED,
                        INITIALIZED,
                        new OperationAccepted(CLOSE),
                        new PoolClosed("close-1", FULL),
                        new OperationAccepted(ARCHIVE),
                        new PoolArchived("archive-1", FULL))),
                Sample.of(
                        "keys let go",
                        after(
                                ASKED,
                                INITIALIZED,
                                new OperationAccepted(CLOSE),
                                new PoolClosed("close-1", FULL),
                                new OperationAccepted(ARCHIVE),
                                new PoolArchived("archive-1", FULL),
                                new KeysLetGo(NOW.plusSeconds(60)))),
                Sample.of("a bucket", after(FIRST, new OperationAccepted(SPLIT), INITIALIZED)),
                Sample.of(
                        "a bucket, giving",
                        after(FIRST, new OperationAccepted(SPLIT), INITIALIZED, new OperationAccepted(GIVE))),
                Sample.of(
                        "a bucket, units on their way",
                        after(
                                FIRST,
                                new OperationAccepted(SPLIT),
                                INITIALIZED,
                                new OperationAccepted(GIVE),
                                new TotalAdjusted("move-1", 2, Books.expected(1, 2, 6, 0, 0)))),
                Sample.of("verifying", after(ASKED, INITIALIZED, SUSPECTED)),
                Sample.of("verifying, adjusting", after(ASKED, INITIALIZED, new OperationAccepted(ADJUST), SUSPECTED)),
                Sample.of("verifying, initializing", after(ASKED, SUSPECTED)),
                Sample.of(
                        "differs",
                        after(ASKED, INITIALIZED, SUSPECTED, new VerificationDiffered(1, REPORT, NOW.plusSeconds(1)))),
                Sample.of(
                        "differs, verification due",
                        after(ASKED, INITIALIZED, SUSPECTED, new VerificationDiffered(1, REPORT, NOW))),
                Sample.of("rebuilding", after(ASKED, INITIALIZED, REBUILDING)),
                Sample.of(
                        "rebuilding, adjusting", after(ASKED, INITIALIZED, new OperationAccepted(ADJUST), REBUILDING)),
                Sample.of("rebuilding, initializing", after(ASKED, REBUILDING)),
                Sample.of(
                        "differs again, just rebuilt",
                        after(
                                ASKED,
                                INITIALIZED,
                                REBUILDING,
                                new PoolRebuilt(1, Books.expected(2, 2, 10, 0, 0), 0, NOW),
                                new SuspicionRaised("another Redis process answered", 2))));
    }

    @Override
    public List<Sample<StockPoolCommand>> commands() {
        return List.of(
                Sample.of(INIT),
                Sample.of("other key, same total", new Init("init-2", 10)),
                Sample.of("other total", new Init("init-3", 11)),
                Sample.of(ADJUST),
                Sample.of("other content", new Adjust("adjust-1", 7, OptionalLong.empty())),
                Sample.of("of the version seen", new Adjust("adjust-2", 7, OptionalLong.of(1))),
                Sample.of("of an older version", new Adjust("adjust-3", 7, OptionalLong.of(7))),
                Sample.of(GIVE),
                Sample.of("more than there is", new Give("move-3", SECOND, 11, OptionalLong.of(1))),
                Sample.of("of a version no pool has had", new Give("move-4", SECOND, 1, OptionalLong.of(100))),
                Sample.of(RECEIVE),
                Sample.of(PAUSE),
                Sample.of(new Resume("resume-1")),
                Sample.of(CLOSE),
                Sample.of(ARCHIVE),
                Sample.of(REPAIR),
                Sample.of(
                        "of another epoch",
                        new Repair(
                                "repair-2",
                                "NUMBERS_DIFFER",
                                Books.expected(3, 1, 10, 0, 0),
                                Books.expected(3, 2, 10, 0, 0),
                                Optional.empty())),
                Sample.of("malformed id", new Pause("any thing")),
                Sample.of("init", new OperationDone("init-1", FULL)),
                Sample.of("adjust", new OperationDone("adjust-1", Books.expected(1, 2, 6, 0, 0))),
                Sample.of("adjust, impossible books", new OperationDone("adjust-1", FULL)),
                Sample.of("give", new OperationDone("move-1", Books.expected(1, 2, 6, 0, 0))),
                Sample.of("give, too few", new OperationTurnedDown("move-1", StockPoolRefusal.UNITS_SHORT)),
                Sample.of(new UnitsTaken("move-1")),
                Sample.of("close", new OperationDone("close-1", FULL)),
                Sample.of("archive", new OperationDone("archive-1", FULL)),
                Sample.of("archive, not drained", new OperationTurnedDown("archive-1", StockPoolRefusal.NOT_DRAINED)),
                Sample.of("repair", new OperationDone("repair-1", Books.expected(1, 2, 10, 0, 0))),
                Sample.of("repair, overtaken", new OperationTurnedDown("repair-1", StockPoolRefusal.REPAIR_OVERTAKEN)),
                Sample.of("adjust", new OperationTurnedDown("adjust-1", StockPoolRefusal.POOL_CLOSED)),
                Sample.of("init", new OperationTurnedDown("init-1", StockPoolRefusal.OPERATION_ID_REUSED)),
                Sample.of(
                        "adjust, malformed", new OperationTurnedDown("adjust-1", StockPoolRefusal.OPERATION_MALFORMED)),
                Sample.of("init, malformed", new OperationTurnedDown("init-1", StockPoolRefusal.OPERATION_MALFORMED)),
                Sample.of(new KeysExpire(NOW.plusSeconds(60))),
                Sample.of(new BeginOpening(1, "REBUILD:1:7")),
                Sample.of("of another number", new BeginOpening(7, "VERIFY:7:7")),
                Sample.of("this generation, init", new AnsweredUnder(0, new OperationDone("init-1", FULL))),
                Sample.of("earlier generation, init", new AnsweredUnder(-1, new OperationDone("init-1", FULL))),
                Sample.of(new Suspect("another Redis process answered")),
                Sample.of(new Verify()),
                Sample.of("that Redis does not serve", new Verify(Optional.of("another Redis process"))),
                Sample.of("equal", new VerificationAnswered(1, new Finding.Equal(FULL))),
                Sample.of("different", new VerificationAnswered(1, new Finding.Different(REPORT))),
                Sample.of("not created yet", new VerificationAnswered(1, new Finding.NotCreatedYet())),
                Sample.of("of an earlier one", new VerificationAnswered(0, new Finding.Equal(FULL))),
                Sample.of(new Rebuild()),
                Sample.of(
                        "opened", new RebuildAnswered(1, new RebuildResult.Opened(Books.expected(2, 2, 10, 0, 0), 0))),
                Sample.of("impossible books", new RebuildAnswered(1, new RebuildResult.Opened(FULL, 0))),
                Sample.of("overtaken", new RebuildAnswered(1, new RebuildResult.Overtaken(7))),
                Sample.of(
                        "of an earlier one",
                        new RebuildAnswered(0, new RebuildResult.Opened(Books.expected(2, 2, 10, 0, 0), 0))),
                Sample.of("of an earlier epoch", new Suspect("MISSING", OptionalLong.of(0))),
                Sample.of(new WakeUp()),
                Sample.of(new Contradicted("message-1")));
    }

    private StockPool after(StockPoolEvent... past) {
        return after(POOL, past);
    }

    private StockPool after(PoolId pool, StockPoolEvent... past) {
        StockPool state = machine.initial(pool.value());
        for (StockPoolEvent event : past) {
            state = machine.evolve(state, event);
        }
        return state;
    }
}
