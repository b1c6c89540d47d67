package io.holdfast.reservation.domain;

import static io.holdfast.engine.machine.Verdict.done;
import static io.holdfast.engine.machine.Verdict.pending;
import static io.holdfast.engine.machine.Verdict.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.engine.machine.Decision;
import io.holdfast.reservation.domain.PoolOperation.Adjust;
import io.holdfast.reservation.domain.PoolOperation.Archive;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Give;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Receive;
import io.holdfast.reservation.domain.PoolOperation.Repair;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import io.holdfast.reservation.domain.StockPool.Baseline;
import io.holdfast.reservation.domain.StockPool.Closed;
import io.holdfast.reservation.domain.StockPool.Initializing;
import io.holdfast.reservation.domain.StockPool.Open;
import io.holdfast.reservation.domain.StockPool.Rebuilding;
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
import io.holdfast.reservation.domain.StockPoolEffect.AdjustPool;
import io.holdfast.reservation.domain.StockPoolEffect.ArchivePool;
import io.holdfast.reservation.domain.StockPoolEffect.DeliverUnits;
import io.holdfast.reservation.domain.StockPoolEffect.InitPool;
import io.holdfast.reservation.domain.StockPoolEffect.LetKeysGo;
import io.holdfast.reservation.domain.StockPoolEffect.RebuildPool;
import io.holdfast.reservation.domain.StockPoolEffect.RepairPool;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus.Target;
import io.holdfast.reservation.domain.StockPoolEffect.VerifyPool;
import io.holdfast.reservation.domain.StockPoolEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.StockPoolEvent.KeysLetGo;
import io.holdfast.reservation.domain.StockPoolEvent.OpeningBegun;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.OperationRefused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolArchived;
import io.holdfast.reservation.domain.StockPoolEvent.PoolClosed;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolEvent.PoolPaused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import io.holdfast.reservation.domain.StockPoolEvent.PoolReopened;
import io.holdfast.reservation.domain.StockPoolEvent.PoolResumed;
import io.holdfast.reservation.domain.StockPoolEvent.RebuildStarted;
import io.holdfast.reservation.domain.StockPoolEvent.StockRepaired;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolEvent.TotalAdjusted;
import io.holdfast.reservation.domain.StockPoolEvent.UnitsDelivered;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationDiffered;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationStarted;
import io.holdfast.testkit.table.MachineTable;
import io.holdfast.testkit.table.MatrixCoverage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StockPoolMachineTest {

    private static final StockPoolSamples SAMPLES = new StockPoolSamples();
    private static final MatrixCoverage<StockPool, StockPoolCommand> CELLS = MatrixCoverage.of(SAMPLES);
    private static final StockPoolMachine MACHINE = new StockPoolMachine(A.POLICIES);
    private static final MachineTable<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> TABLE =
            MachineTable.of(MACHINE, A.POOL.value()).recordingIn(CELLS);

    /** A pool that is rebuilt without a person. */
    private static final MachineTable<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> BY_ITSELF =
            MachineTable.of(
                            new StockPoolMachine(A.POLICIES.rebuilding(EffectPolicies.Rebuild.AUTOMATIC)),
                            A.POOL.value())
                    .recordingIn(CELLS);

    private static final Instant NOW = A.NOW;
    private static final Books FULL = Books.expected(1, 1, 10, 0, 0);
    private static final Init INIT = new Init("init-1", 10);
    private static final Adjust ADJUST = new Adjust("adjust-1", 6, OptionalLong.empty());
    private static final Pause PAUSE = new Pause("pause-1");
    private static final Resume RESUME = new Resume("resume-1");
    private static final Close CLOSE = new Close("close-1");
    private static final Archive ARCHIVE = new Archive("archive-1");
    private static final OperationAccepted ASKED = new OperationAccepted(INIT);
    private static final PoolInitialized CREATED = new PoolInitialized("init-1", FULL);
    private static final StockPoolEvent[] FRESH = {};
    private static final StockPoolEvent[] INITIALIZING = {ASKED};
    private static final StockPoolEvent[] OPEN = {ASKED, CREATED};
    private static final StockPoolEvent[] CLOSED =
            then(OPEN, new OperationAccepted(CLOSE), new PoolClosed("close-1", FULL));
    private static final StockPoolEvent[] ARCHIVED =
            then(CLOSED, new OperationAccepted(ARCHIVE), new PoolArchived("archive-1", FULL));
    private static final StockPoolEvent[] VERIFYING = then(OPEN, new SuspicionRaised("restart", 1));
    private static final DifferenceReport REPORT =
            new DifferenceReport(FULL, Optional.empty(), 0, 0, List.of(), "Redis has no such pool");
    private static final Instant AGAIN = NOW.plusSeconds(60);
    private static final StockPoolEvent[] DIFFERS = then(VERIFYING, new VerificationDiffered(1, REPORT, AGAIN));

    @AfterAll
    static void every_command_was_given_in_every_state() {
        CELLS.everyCellWasChecked();
    }

    private static StockPoolEvent[] then(StockPoolEvent[] past, StockPoolEvent... more) {
        return Stream.concat(Arrays.stream(past), Arrays.stream(more)).toArray(StockPoolEvent[]::new);
    }

    private static StockPool state(StockPoolEvent... past) {
        StockPool state = MACHINE.initial(A.POOL.value());
        for (StockPoolEvent event : past) {
            state = MACHINE.evolve(state, event);
        }
        return state;
    }

    private static AdjustPool adjust(String key, long total, long version) {
        return adjust(key, total, version, 0);
    }

    private static AdjustPool adjust(String key, long total, long version, long generation) {
        return new AdjustPool(A.POOL, 1, key, total, version, generation, A.POLICIES.script());
    }

    private static SetPoolStatus status(String key, Target target) {
        return new SetPoolStatus(A.POOL, 1, key, target, 0, A.POLICIES.script());
    }

    /** A process of Redis that is gone may have done what the one that serves now never heard of. */
    @Nested
    class Generations {

        @Test
        void an_outcome_of_this_generation_means_what_it_means_without_one() {
            TABLE.given(ASKED)
                    .when(new AnsweredUnder(0, new OperationDone("init-1", FULL)), NOW)
                    .then(CREATED);
        }

        @Test
        void after_a_verification_what_redis_answered_before_is_not_recorded_and_asked_for_again() {
            OperationDone late = new OperationDone("adjust-1", Books.expected(1, 2, 6, 0, 0));
            TABLE.given(
                            ASKED,
                            CREATED,
                            new OperationAccepted(ADJUST),
                            new SuspicionRaised("Redis failed over", 1),
                            new PoolReopened(1, Optional.of(FULL)))
                    .when(new AnsweredUnder(0, late), NOW)
                    .thenRepeat()
                    .owes(new AdjustPool(A.POOL, 1, "adjust-1", 6, 2, 1, A.POLICIES.script()));
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

    @Nested
    class Created_by_an_init {

        private final InitPool init = new InitPool(A.POOL, 1, INIT, 0, A.POLICIES.script());

        @Test
        void the_intent_is_journaled_before_redis_is_asked() {
            TABLE.given().when(INIT, NOW).then(ASKED).owes(init).verdict(pending());
            TABLE.given(INITIALIZING)
                    .when(new OperationDone("init-1", FULL), NOW)
                    .then(CREATED)
                    .owesNothing();
            assertThat(((Open) state(OPEN)).baseline()).isEqualTo(new Baseline(10, 10, 1));
            assertThat(init.operationId()).isEqualTo("INIT:init-1");
        }

        @Test
        void the_same_total_again_is_a_repeat_under_any_key() {
            for (Init again : List.of(INIT, new Init("init-2", 10))) {
                TABLE.given(INITIALIZING).when(again, NOW).thenRepeat().verdict(pending());
                TABLE.given(OPEN).when(again, NOW).thenRepeat().verdict(done());
                TABLE.given(CLOSED).when(again, NOW).thenRepeat().verdict(done());
                TABLE.given(VERIFYING).when(again, NOW).thenRepeat().verdict(done());
            }
        }

        @Test
        void another_total_is_refused_even_after_it_was_adjusted_to_that() {
            StockPoolEvent[] adjusted = then(
                    OPEN,
                    new OperationAccepted(ADJUST),
                    new TotalAdjusted("adjust-1", 2, Books.expected(1, 2, 6, 0, 0)));
            for (StockPoolEvent[] past : List.of(INITIALIZING, OPEN, CLOSED, VERIFYING, adjusted)) {
                TABLE.given(past)
                        .when(new Init("init-3", 6), NOW)
                        .thenRefused(StockPoolRefusal.ALREADY_INITIALIZED)
                        .verdict(refused(StockPoolRefusal.ALREADY_INITIALIZED));
            }
            TABLE.given(OPEN).when(new Init("init-1", 6), NOW).thenRefused(StockPoolRefusal.OPERATION_ID_REUSED);
        }

        @Test
        void a_gate_is_created_with_the_pool_and_kept_whatever_secret_is_the_newest_later() {
            Init sale = gated(2, 3);
            InitPool effect = new InitPool(A.POOL, 1, sale, 0, A.POLICIES.script());
            TABLE.given().when(sale, NOW).then(new OperationAccepted(sale)).owes(effect);
            StockPoolEvent[] open = {new OperationAccepted(sale), CREATED};
            for (Init again : List.of(
                    sale,
                    gated(2, 4),
                    new Init("init-2", 10, Optional.empty(), gated(2, 9).sale()))) {
                TABLE.given(open).when(again, NOW).thenRepeat().verdict(done());
            }
            assertThat(MACHINE.evolve(MACHINE.evolve(MACHINE.initial(A.POOL.value()), open[0]), open[1])
                            .sale())
                    .isEqualTo(sale.sale());
        }

        @Test
        void another_gate_or_none_is_another_pool() {
            Init sale = gated(2, 1);
            StockPoolEvent[] open = {new OperationAccepted(sale), CREATED};
            for (Init other : List.of(
                    new Init("init-2", 10),
                    new Init("init-2", 10, Optional.empty(), gated(3, 1).sale()))) {
                TABLE.given(open)
                        .when(other, NOW)
                        .thenRefused(StockPoolRefusal.ALREADY_INITIALIZED)
                        .verdict(refused(StockPoolRefusal.ALREADY_INITIALIZED));
            }
            TABLE.given(open).when(gated(3, 1), NOW).thenRefused(StockPoolRefusal.OPERATION_ID_REUSED);
            TABLE.given(OPEN)
                    .when(new Init("init-2", 10, Optional.empty(), sale.sale()), NOW)
                    .thenRefused(StockPoolRefusal.ALREADY_INITIALIZED);
        }

        private static Init gated(long limit, int keyVersion) {
            var sale = new Sale(limit, A.LATER, A.LATER.plusSeconds(3600), keyVersion);
            return new Init("init-1", 10, Optional.empty(), Optional.of(sale));
        }

        @Test
        void a_pool_nobody_created_is_unknown() {
            for (StockPoolCommand command :
                    List.of(ADJUST, PAUSE, RESUME, CLOSE, ARCHIVE, new Suspect("why"), new Verify())) {
                TABLE.given().when(command, NOW).thenRefused(StockPoolRefusal.POOL_UNKNOWN);
            }
        }

        @Test
        void an_entity_whose_id_is_no_pool_id_is_never_created() {
            MachineTable.of(MACHINE, "nonsense")
                    .given()
                    .when(INIT, NOW)
                    .thenRefused(StockPoolRefusal.POOL_ID_MALFORMED);
        }

        @Test
        void a_refusal_of_redis_to_create_it_is_suspicious() {
            Decision<StockPoolEvent> decision = MACHINE.decide(
                    state(INITIALIZING), new OperationTurnedDown("init-1", StockPoolRefusal.POOL_CLOSED), NOW);
            assertThat(decision.events()).singleElement().isInstanceOf(SuspicionRaised.class);
            TABLE.given(INITIALIZING)
                    .when(new OperationTurnedDown("other", StockPoolRefusal.POOL_CLOSED), NOW)
                    .thenRepeat();
        }
    }

    @Nested
    class Changed_by_operations {

        @Test
        void lowering_the_total_below_what_is_promised_leaves_a_deficit() {
            Books deficit = Books.expected(1, 5, 6, 4, 5);
            assertThat(deficit.deficit()).isEqualTo(3);
            assertThat(deficit.available()).isZero();
            TABLE.given(OPEN)
                    .when(ADJUST, NOW)
                    .then(new OperationAccepted(ADJUST))
                    .owes(adjust("adjust-1", 6, 2))
                    .verdict(pending());
            TABLE.given(then(OPEN, new OperationAccepted(ADJUST)))
                    .when(new OperationDone("adjust-1", deficit), NOW)
                    .then(new TotalAdjusted("adjust-1", 2, deficit))
                    .thenState(new Open(
                            A.POOL,
                            new Baseline(10, 6, 2),
                            false,
                            deficit,
                            state(then(OPEN, new OperationAccepted(ADJUST), new TotalAdjusted("adjust-1", 2, deficit)))
                                    .trusted()
                                    .orElseThrow()
                                    .work()))
                    .owesNothing();
        }

        @Test
        void a_doubled_adjustment_happens_once() {
            TABLE.given(then(OPEN, new OperationAccepted(ADJUST)))
                    .when(ADJUST, NOW)
                    .thenRepeat()
                    .verdict(pending());
            StockPoolEvent[] adjusted = then(
                    OPEN,
                    new OperationAccepted(ADJUST),
                    new TotalAdjusted("adjust-1", 2, Books.expected(1, 2, 6, 0, 0)));
            TABLE.given(adjusted).when(ADJUST, NOW).thenRepeat().verdict(done());
            Adjust other = new Adjust("adjust-1", 7, OptionalLong.empty());
            TABLE.given(adjusted)
                    .when(other, NOW)
                    .thenRefused(StockPoolRefusal.OPERATION_ID_REUSED)
                    .verdict(refused(StockPoolRefusal.OPERATION_ID_REUSED));
        }

        @Test
        void an_adjustment_of_an_older_baseline_is_refused() {
            // Case "saving a form writes back an old stock number".
            TABLE.given(OPEN)
                    .when(new Adjust("a", 7, OptionalLong.of(1)), NOW)
                    .then(new OperationAccepted(new Adjust("a", 7, OptionalLong.of(1))));
            StockPoolEvent[] adjusted = then(
                    OPEN,
                    new OperationAccepted(ADJUST),
                    new TotalAdjusted("adjust-1", 2, Books.expected(1, 2, 6, 0, 0)));
            TABLE.given(adjusted)
                    .when(new Adjust("a", 7, OptionalLong.of(1)), NOW)
                    .thenRefused(
                            StockPoolRefusal.BASELINE_CHANGED,
                            new OperationAccepted(new Adjust("a", 7, OptionalLong.of(1))),
                            new OperationRefused("a", StockPoolRefusal.BASELINE_CHANGED))
                    .owesNothing()
                    .verdict(refused(StockPoolRefusal.BASELINE_CHANGED));
        }

        @Test
        void an_adjustment_of_a_baseline_yet_to_come_stays_refused_when_that_has_come() {
            Adjust early = new Adjust("early", 7, OptionalLong.of(2));
            StockPoolEvent[] told = {
                new OperationAccepted(early), new OperationRefused("early", StockPoolRefusal.BASELINE_CHANGED)
            };
            TABLE.given(OPEN).when(early, NOW).thenRefused(StockPoolRefusal.BASELINE_CHANGED, told);
            TABLE.given(VERIFYING).when(early, NOW).thenRefused(StockPoolRefusal.BASELINE_CHANGED, told);
            StockPoolEvent[] adjusted = then(
                    then(OPEN, told),
                    new OperationAccepted(ADJUST),
                    new TotalAdjusted("adjust-1", 2, Books.expected(1, 2, 6, 0, 0)));
            TABLE.given(adjusted).when(early, NOW).thenRepeat().verdict(refused(StockPoolRefusal.BASELINE_CHANGED));
        }

        @Test
        void one_with_an_id_that_redis_would_not_take_is_refused_before_it_is_queued() {
            for (StockPoolEvent[] past : List.of(FRESH, INITIALIZING, OPEN, CLOSED, VERIFYING)) {
                for (String id : List.of("", "any thing", "a:b:c:d", "x".repeat(65))) {
                    TABLE.given(past).when(new Pause(id), NOW).thenRefused(StockPoolRefusal.OPERATION_MALFORMED);
                    TABLE.given(past).when(new Init(id, 10), NOW).thenRefused(StockPoolRefusal.OPERATION_MALFORMED);
                }
            }
            TABLE.given(OPEN).when(new Pause("a:b:c"), NOW).then(new OperationAccepted(new Pause("a:b:c")));
        }

        @Test
        void one_that_redis_calls_malformed_is_refused_for_the_record_and_the_next_goes_on() {
            TABLE.given(then(OPEN, new OperationAccepted(ADJUST), new OperationAccepted(PAUSE)))
                    .when(new OperationTurnedDown("adjust-1", StockPoolRefusal.OPERATION_MALFORMED), NOW)
                    .then(new OperationRefused("adjust-1", StockPoolRefusal.OPERATION_MALFORMED))
                    .owes(status("pause-1", Target.PAUSED));
        }

        @Test
        void a_creation_that_redis_calls_malformed_leaves_no_pool_and_is_remembered() {
            OperationRefused refusedInit = new OperationRefused("init-1", StockPoolRefusal.OPERATION_MALFORMED);
            TABLE.given(then(INITIALIZING, new OperationAccepted(ADJUST), new OperationAccepted(PAUSE)))
                    .when(new OperationTurnedDown("init-1", StockPoolRefusal.OPERATION_MALFORMED), NOW)
                    .then(
                            refusedInit,
                            new OperationRefused("adjust-1", StockPoolRefusal.POOL_UNKNOWN),
                            new OperationRefused("pause-1", StockPoolRefusal.POOL_UNKNOWN))
                    .owesNothing();
            TABLE.given(ASKED, refusedInit)
                    .when(INIT, NOW)
                    .thenRepeat()
                    .verdict(refused(StockPoolRefusal.OPERATION_MALFORMED));
            TABLE.given(ASKED, refusedInit)
                    .when(new Init("init-1", 6), NOW)
                    .thenRefused(StockPoolRefusal.OPERATION_ID_REUSED);
            TABLE.given(ASKED, refusedInit).when(ADJUST, NOW).thenRefused(StockPoolRefusal.POOL_UNKNOWN);
            Init another = new Init("init-2", 6);
            TABLE.given(ASKED, refusedInit)
                    .when(another, NOW)
                    .then(new OperationAccepted(another))
                    .owes(new InitPool(A.POOL, 1, new Init("init-2", 6), 0, A.POLICIES.script()));
        }

        @Test
        void what_is_refused_without_a_trace_and_may_be_taken_later_says_so() {
            for (StockPoolRefusal reason : List.of(
                    StockPoolRefusal.POOL_UNKNOWN,
                    StockPoolRefusal.NOT_SUSPECT,
                    StockPoolRefusal.TOO_MANY_OPERATIONS)) {
                assertThat(reason.retryable()).as(reason.code()).isTrue();
            }
        }

        @Test
        void it_pauses_and_resumes() {
            TABLE.given(OPEN)
                    .when(PAUSE, NOW)
                    .then(new OperationAccepted(PAUSE))
                    .owes(status("pause-1", Target.PAUSED));
            StockPoolEvent[] paused = then(OPEN, new OperationAccepted(PAUSE), new PoolPaused("pause-1", FULL));
            TABLE.given(then(OPEN, new OperationAccepted(PAUSE)))
                    .when(new OperationDone("pause-1", FULL), NOW)
                    .then(new PoolPaused("pause-1", FULL))
                    .owesNothing();
            assertThat(state(paused).status()).isEqualTo(StockPool.Status.PAUSED);
            TABLE.given(paused)
                    .when(RESUME, NOW)
                    .then(new OperationAccepted(RESUME))
                    .owes(status("resume-1", Target.OPEN));
            TABLE.given(then(paused, new OperationAccepted(RESUME)))
                    .when(new OperationDone("resume-1", FULL), NOW)
                    .then(new PoolResumed("resume-1", FULL))
                    .owesNothing();
            TABLE.given(OPEN).when(RESUME, NOW).then(new OperationAccepted(RESUME));
        }

        @Test
        void closed_it_stays_closed() {
            TABLE.given(OPEN)
                    .when(CLOSE, NOW)
                    .then(new OperationAccepted(CLOSE))
                    .owes(status("close-1", Target.CLOSED));
            TABLE.given(then(OPEN, new OperationAccepted(CLOSE)))
                    .when(new OperationDone("close-1", FULL), NOW)
                    .then(new PoolClosed("close-1", FULL))
                    .owesNothing();
            assertThat(state(CLOSED)).isInstanceOf(Closed.class);
            for (PoolOperation late : List.of(ADJUST, PAUSE, RESUME)) {
                TABLE.given(CLOSED)
                        .when(late, NOW)
                        .thenRefused(
                                StockPoolRefusal.POOL_CLOSED,
                                new OperationAccepted(late),
                                new OperationRefused(late.operationId(), StockPoolRefusal.POOL_CLOSED));
            }
            TABLE.given(CLOSED).when(CLOSE, NOW).thenRepeat().verdict(done());
            TABLE.given(CLOSED).when(new Close("close-2"), NOW).then(new OperationAccepted(new Close("close-2")));
            TABLE.given(then(CLOSED, new OperationAccepted(new Close("close-2"))))
                    .when(new OperationDone("close-2", FULL), NOW)
                    .then(new PoolClosed("close-2", FULL));
        }

        @Test
        void one_after_the_other_in_order_of_arrival() {
            TABLE.given(INITIALIZING)
                    .when(ADJUST, NOW)
                    .then(new OperationAccepted(ADJUST))
                    .verdict(pending());
            TABLE.given(INITIALIZING).when(PAUSE, NOW).then(new OperationAccepted(PAUSE));
            TABLE.given(INITIALIZING).when(RESUME, NOW).then(new OperationAccepted(RESUME));
            TABLE.given(INITIALIZING).when(CLOSE, NOW).then(new OperationAccepted(CLOSE));
            StockPoolEvent[] queue = then(INITIALIZING, new OperationAccepted(ADJUST), new OperationAccepted(PAUSE));
            TABLE.given(queue)
                    .when(new OperationDone("init-1", FULL), NOW)
                    .then(CREATED)
                    .owes(adjust("adjust-1", 6, 2));
            Books six = Books.expected(1, 2, 6, 0, 0);
            TABLE.given(then(queue, CREATED))
                    .when(new OperationDone("adjust-1", six), NOW)
                    .then(new TotalAdjusted("adjust-1", 2, six))
                    .owes(status("pause-1", Target.PAUSED));
        }

        @Test
        void an_operation_that_waited_too_long_to_be_possible_is_refused_for_the_record() {
            Adjust stale = new Adjust("adjust-2", 7, OptionalLong.of(1));
            StockPoolEvent[] queue = then(
                    OPEN, new OperationAccepted(ADJUST), new OperationAccepted(stale), new OperationAccepted(CLOSE));
            Books six = Books.expected(1, 2, 6, 0, 0);
            TABLE.given(queue)
                    .when(new OperationDone("adjust-1", six), NOW)
                    .then(
                            new TotalAdjusted("adjust-1", 2, six),
                            new OperationRefused("adjust-2", StockPoolRefusal.BASELINE_CHANGED))
                    .owes(status("close-1", Target.CLOSED));
            StockPoolEvent[] closing = then(OPEN, new OperationAccepted(CLOSE), new OperationAccepted(PAUSE));
            TABLE.given(closing)
                    .when(new OperationDone("close-1", FULL), NOW)
                    .then(
                            new PoolClosed("close-1", FULL),
                            new OperationRefused("pause-1", StockPoolRefusal.POOL_CLOSED))
                    .owesNothing();
            TABLE.given(then(
                            closing,
                            new PoolClosed("close-1", FULL),
                            new OperationRefused("pause-1", StockPoolRefusal.POOL_CLOSED)))
                    .when(PAUSE, NOW)
                    .thenRepeat()
                    .verdict(refused(StockPoolRefusal.POOL_CLOSED));
        }

        @Test
        void redis_may_turn_one_down() {
            TABLE.given(then(OPEN, new OperationAccepted(ADJUST)))
                    .when(new OperationTurnedDown("adjust-1", StockPoolRefusal.POOL_CLOSED), NOW)
                    .then(new OperationRefused("adjust-1", StockPoolRefusal.POOL_CLOSED))
                    .owesNothing();
            TABLE.given(OPEN)
                    .when(new OperationTurnedDown("adjust-1", StockPoolRefusal.POOL_CLOSED), NOW)
                    .thenRepeat();
            TABLE.given(CLOSED)
                    .when(new OperationTurnedDown("x", StockPoolRefusal.POOL_CLOSED), NOW)
                    .thenRepeat();
        }

        @Test
        void the_queue_has_an_end() {
            StockPoolEvent[] full = OPEN;
            for (int i = 0; i < StockPoolMachine.LONGEST_QUEUE; i++) {
                full = then(full, new OperationAccepted(new Pause("p-" + i)));
            }
            TABLE.given(full).when(ADJUST, NOW).thenRefused(StockPoolRefusal.TOO_MANY_OPERATIONS);
            assertThat(StockPoolRefusal.TOO_MANY_OPERATIONS.retryable()).isTrue();
        }

        @Test
        void an_outcome_of_nothing_in_flight_is_old_news() {
            for (StockPoolEvent[] past : List.of(FRESH, OPEN, CLOSED, VERIFYING)) {
                TABLE.given(past).when(new OperationDone("adjust-1", FULL), NOW).thenRepeat();
                TABLE.given(past)
                        .when(new OperationTurnedDown("adjust-1", StockPoolRefusal.POOL_CLOSED), NOW)
                        .thenRepeat();
            }
        }

        @Test
        void books_that_can_not_be_make_it_suspect() {
            Books unbalanced = new Books(1, 2, 6, 0, 5, 0, 0);
            Books otherTotal = Books.expected(1, 2, 7, 0, 0);
            for (Books wrong : List.of(unbalanced, otherTotal)) {
                Decision<StockPoolEvent> decision = MACHINE.decide(
                        state(then(OPEN, new OperationAccepted(ADJUST))), new OperationDone("adjust-1", wrong), NOW);
                assertThat(decision.events()).singleElement().isInstanceOf(SuspicionRaised.class);
            }
        }
    }

    @Nested
    class About_to_be_opened {

        @Test
        void it_is_journaled_by_a_pool_that_owes_that_opening_and_changes_nothing() {
            SAMPLES.states().forEach(sample -> {
                StockPool before = sample.value();
                long owed = switch (before) {
                    case StockPool.Suspect suspect -> suspect.nextAt().isEmpty() ? suspect.verification() : -1;
                    case StockPool.Rebuilding rebuilding -> rebuilding.number();
                    case StockPool.New _, StockPool.Trusted _, StockPool.Archived _ -> -1;
                };
                for (long number : List.of(1L, 2L, 7L)) {
                    BeginOpening command = new BeginOpening(number, "REBUILD:" + number + ":7");
                    CELLS.checked(before, command);
                    if (number == owed) {
                        OpeningBegun begun = new OpeningBegun(number, command.attempt());
                        assertThat(MACHINE.decide(before, command, NOW)).isEqualTo(Decision.accept(begun));
                        assertThat(MACHINE.evolve(before, begun)).isEqualTo(before);
                        assertThat(MACHINE.verdict(before, command)).isEqualTo(done());
                    } else {
                        assertThat(MACHINE.decide(before, command, NOW)).isEqualTo(Decision.repeat());
                        assertThat(MACHINE.verdict(before, command)).isEqualTo(refused(StockPoolRefusal.NOT_SUSPECT));
                    }
                }
            });
        }
    }

    @Nested
    class Archived {

        private final ArchivePool archive = new ArchivePool(A.POOL, 1, "archive-1", 0, A.POLICIES.verify());
        private final LetKeysGo letGo = new LetKeysGo(A.POOL, 1, 0, A.POLICIES.verify());
        private final Books end = Books.expected(1, 9, 10, 0, 7);

        /** A pool that is closed and may yet be believed again needs all of its keys. */
        @Test
        void no_pool_lets_its_keys_go_before_the_journal_says_that_it_has_ended() {
            SAMPLES.states().forEach(sample -> {
                StockPool before = sample.value();
                Decision<StockPoolEvent> decision = MACHINE.decide(before, new KeysExpire(NOW), NOW);
                CELLS.checked(before, new KeysExpire(NOW));
                boolean owed = MACHINE.owe(before).effects().stream().anyMatch(LetKeysGo.class::isInstance);
                assertThat(owed)
                        .isEqualTo(before instanceof StockPool.Archived archived
                                && archived.goneBy().isEmpty());
                assertThat(decision.events()).hasSize(owed ? 1 : 0);
            });
        }

        @Test
        void a_closed_pool_owes_the_proof_that_all_has_ended_and_then_only_to_let_its_keys_go() {
            TABLE.given(CLOSED)
                    .when(ARCHIVE, NOW)
                    .then(new OperationAccepted(ARCHIVE))
                    .owes(archive)
                    .verdict(pending());
            TABLE.given(then(CLOSED, new OperationAccepted(ARCHIVE)))
                    .when(new OperationDone("archive-1", end), NOW)
                    .then(new PoolArchived("archive-1", end))
                    .owes(letGo)
                    .verdict(done());
            Instant goneBy = NOW.plusSeconds(86_400);
            TABLE.given(ARCHIVED)
                    .when(new AnsweredUnder(0, new KeysExpire(goneBy)), NOW)
                    .then(new KeysLetGo(goneBy))
                    .owesNothing();
            TABLE.given(then(ARCHIVED, new KeysLetGo(goneBy)))
                    .when(new KeysExpire(goneBy.plusSeconds(1)), NOW)
                    .thenRepeat()
                    .owesNothing();
            assertThat(state(ARCHIVED).status()).isEqualTo(StockPool.Status.ARCHIVED);
            assertThat(state(ARCHIVED).totals()).contains(new Baseline(10, 10, 1));
            assertThat(state(ARCHIVED).latestBooks()).contains(FULL);
        }

        @Test
        void one_that_is_not_drained_stays_closed_and_can_be_asked_again_under_another_id() {
            StockPoolEvent[] refused = then(
                    CLOSED,
                    new OperationAccepted(ARCHIVE),
                    new OperationRefused("archive-1", StockPoolRefusal.NOT_DRAINED));
            TABLE.given(then(CLOSED, new OperationAccepted(ARCHIVE)))
                    .when(new OperationTurnedDown("archive-1", StockPoolRefusal.NOT_DRAINED), NOW)
                    .then(new OperationRefused("archive-1", StockPoolRefusal.NOT_DRAINED))
                    .owesNothing();
            TABLE.given(refused).when(ARCHIVE, NOW).thenRepeat().verdict(refused(StockPoolRefusal.NOT_DRAINED));
            Archive again = new Archive("archive-2");
            TABLE.given(refused).when(again, NOW).then(new OperationAccepted(again));
        }

        @Test
        void one_that_takes_holds_is_not_archived() {
            TABLE.given(OPEN)
                    .when(ARCHIVE, NOW)
                    .thenRefused(
                            StockPoolRefusal.NOT_CLOSED,
                            new OperationAccepted(ARCHIVE),
                            new OperationRefused("archive-1", StockPoolRefusal.NOT_CLOSED));
            TABLE.given(INITIALIZING).when(ARCHIVE, NOW).then(new OperationAccepted(ARCHIVE));
            TABLE.given(then(INITIALIZING, new OperationAccepted(ARCHIVE)))
                    .when(new OperationDone("init-1", FULL), NOW)
                    .then(CREATED, new OperationRefused("archive-1", StockPoolRefusal.NOT_CLOSED));
            TABLE.given(then(OPEN, new OperationAccepted(CLOSE), new OperationAccepted(ARCHIVE)))
                    .when(new OperationDone("close-1", FULL), NOW)
                    .then(new PoolClosed("close-1", FULL))
                    .owes(archive);
        }

        @Test
        void books_with_units_reserved_are_no_end() {
            Decision<StockPoolEvent> decision = MACHINE.decide(
                    state(then(CLOSED, new OperationAccepted(ARCHIVE))),
                    new OperationDone("archive-1", Books.expected(1, 9, 10, 1, 7)),
                    NOW);
            assertThat(decision.events()).singleElement().isInstanceOf(SuspicionRaised.class);
        }

        @Test
        void what_waited_behind_ends_with_it() {
            Archive second = new Archive("archive-2");
            TABLE.given(then(
                            CLOSED,
                            new OperationAccepted(ARCHIVE),
                            new OperationAccepted(new Close("close-2")),
                            new OperationAccepted(second)))
                    .when(new OperationDone("archive-1", end), NOW)
                    .then(
                            new PoolArchived("archive-1", end),
                            new OperationRefused("close-2", StockPoolRefusal.POOL_ARCHIVED),
                            new PoolArchived("archive-2", end))
                    .owes(letGo);
        }

        @Test
        void asked_for_what_is_so_it_is_so_and_anything_else_is_refused_without_a_trace() {
            TABLE.given(ARCHIVED).when(ARCHIVE, NOW).thenRepeat().verdict(done());
            TABLE.given(ARCHIVED)
                    .when(new Archive("archive-2"), NOW)
                    .thenRepeat()
                    .verdict(done());
            TABLE.given(ARCHIVED).when(INIT, NOW).thenRepeat().verdict(done());
            TABLE.given(ARCHIVED).when(new Init("init-2", 10), NOW).thenRepeat().verdict(done());
            TABLE.given(ARCHIVED).when(new Init("init-3", 6), NOW).thenRefused(StockPoolRefusal.ALREADY_INITIALIZED);
            TABLE.given(ARCHIVED).when(CLOSE, NOW).thenRepeat().verdict(done());
            TABLE.given(ARCHIVED).when(new Pause("archive-1"), NOW).thenRefused(StockPoolRefusal.OPERATION_ID_REUSED);
            for (PoolOperation late : List.of(ADJUST, PAUSE, RESUME, new Close("close-2"))) {
                TABLE.given(ARCHIVED).when(late, NOW).thenRefused(StockPoolRefusal.POOL_ARCHIVED);
            }
            StockPoolEvent[] refusedBefore = then(
                    CLOSED,
                    new OperationAccepted(PAUSE),
                    new OperationRefused("pause-1", StockPoolRefusal.POOL_CLOSED),
                    new OperationAccepted(ARCHIVE),
                    new PoolArchived("archive-1", FULL));
            TABLE.given(refusedBefore).when(PAUSE, NOW).thenRepeat().verdict(refused(StockPoolRefusal.POOL_CLOSED));
        }

        @Test
        void redis_is_nothing_to_it_any_more() {
            TABLE.given(ARCHIVED).when(new Suspect("restart"), NOW).thenRepeat();
            TABLE.given(ARCHIVED).when(new Verify(), NOW).thenRefused(StockPoolRefusal.NOT_SUSPECT);
            TABLE.given(ARCHIVED).when(new Rebuild(), NOW).thenRefused(StockPoolRefusal.POOL_ARCHIVED);
            TABLE.given(ARCHIVED)
                    .when(new RebuildAnswered(1, new RebuildResult.Opened(end, 7)), NOW)
                    .thenRepeat();
            TABLE.given(ARCHIVED)
                    .when(new VerificationAnswered(0, new Finding.Equal(FULL)), NOW)
                    .thenRepeat();
            TABLE.given(ARCHIVED).when(new OperationDone("archive-1", end), NOW).thenRepeat();
            TABLE.given(ARCHIVED)
                    .when(new OperationTurnedDown("archive-1", StockPoolRefusal.NOT_DRAINED), NOW)
                    .thenRepeat();
        }

        @Test
        void suspected_while_being_archived_it_is_archived_anew_under_another_id_once_it_is_believed_again() {
            StockPoolEvent[] past = then(CLOSED, new OperationAccepted(ARCHIVE), new SuspicionRaised("restart", 1));
            TABLE.given(then(VERIFYING))
                    .when(ARCHIVE, NOW)
                    .thenRefused(
                            StockPoolRefusal.NOT_CLOSED,
                            new OperationAccepted(ARCHIVE),
                            new OperationRefused("archive-1", StockPoolRefusal.NOT_CLOSED));
            ArchivePool anew = new ArchivePool(A.POOL, 1, "archive-1", 1, A.POLICIES.verify());
            TABLE.given(past)
                    .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                    .then(new PoolReopened(1, Optional.of(FULL)))
                    .owes(anew);
            assertThat(anew.operationId()).isNotEqualTo(archive.operationId());
        }

        @Test
        void loaded_anew_while_being_archived_it_is_archived_anew_under_another_id() {
            StockPoolEvent[] past = then(CLOSED, new RebuildStarted(1, 2, "why"));
            TABLE.given(past)
                    .when(ARCHIVE, NOW)
                    .then(new OperationAccepted(ARCHIVE))
                    .verdict(pending());
            Books loaded = Books.expected(2, 9, 10, 0, 4);
            TABLE.given(then(past, new OperationAccepted(ARCHIVE)))
                    .when(new RebuildAnswered(1, new RebuildResult.Opened(loaded, 7)), NOW)
                    .then(new PoolRebuilt(1, loaded, 7, NOW))
                    .owes(new ArchivePool(A.POOL, 2, "archive-1", 1, A.POLICIES.verify()));
        }
    }

    @Nested
    class Suspected {

        private VerifyPool verify(long number, StockPoolEvent... past) {
            var retry = ((StockPool.Suspect) state(past)).report().isPresent()
                    ? A.POLICIES.verifyAgain()
                    : A.POLICIES.verify();
            return new VerifyPool(A.POOL, 1, number, state(past).trusted().orElseThrow(), retry);
        }

        @Test
        void it_owes_a_comparison_and_nothing_else() {
            for (StockPoolEvent[] past :
                    List.of(INITIALIZING, OPEN, CLOSED, then(OPEN, new OperationAccepted(ADJUST)))) {
                TABLE.given(past)
                        .when(new Suspect("restart"), NOW)
                        .then(new SuspicionRaised("restart", 1))
                        .owes(verify(1, then(past, new SuspicionRaised("restart", 1))));
            }
            TABLE.given(VERIFYING).when(new Suspect("again"), NOW).thenRepeat();
            TABLE.given(DIFFERS).when(new Suspect("again"), NOW).thenRepeat();
        }

        @Test
        void equal_it_goes_on_with_what_was_in_flight() {
            StockPoolEvent[] adjusting = then(OPEN, new OperationAccepted(ADJUST), new SuspicionRaised("restart", 1));
            Books found = Books.expected(1, 7, 6, 2, 1);
            TABLE.given(adjusting)
                    .when(new VerificationAnswered(1, new Finding.Equal(found)), NOW)
                    .then(new PoolReopened(1, Optional.of(found)))
                    .owes(adjust("adjust-1", 6, 2, 1));
            TABLE.given(VERIFYING)
                    .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                    .then(new PoolReopened(1, Optional.of(FULL)))
                    .thenState(state(then(VERIFYING, new PoolReopened(1, Optional.of(FULL)))))
                    .owesNothing();
        }

        @Test
        void different_it_stays_frozen_and_is_compared_again_later() {
            TABLE.given(VERIFYING)
                    .when(new VerificationAnswered(1, new Finding.Different(REPORT)), NOW)
                    .then(new VerificationDiffered(1, REPORT, AGAIN))
                    .owes()
                    .wakesAt(AGAIN);
            assertThat(((StockPool.Suspect) state(DIFFERS)).report()).contains(REPORT);
            TABLE.given(DIFFERS).when(new WakeUp(), AGAIN.minusNanos(1)).thenRepeat();
            TABLE.given(DIFFERS)
                    .when(new WakeUp(), AGAIN)
                    .then(new VerificationStarted(2))
                    .owes(verify(2, then(DIFFERS, new VerificationStarted(2))));
        }

        @Test
        void the_same_differences_again_are_not_journaled_again_and_others_are() {
            StockPoolEvent[] again = then(DIFFERS, new VerificationStarted(2));
            TABLE.given(again)
                    .when(new VerificationAnswered(2, new Finding.Different(REPORT)), NOW)
                    .thenRepeat()
                    .owes(verify(2, again));
            var other = new DifferenceReport(FULL, Optional.empty(), 1, 1, List.of(), "Redis has no such pool");
            TABLE.given(again)
                    .when(new VerificationAnswered(2, new Finding.Different(other)), NOW)
                    .then(new VerificationDiffered(2, other, AGAIN));
            assertThat(A.POLICIES.verifyAgain().backoff().first()).isEqualTo(A.POLICIES.verifyAgainAfter());
            // A person does not wait for the pause.
            TABLE.given(again)
                    .when(new Verify(), NOW)
                    .then(new VerificationStarted(3))
                    .verdict(pending());
        }

        @Test
        void a_person_can_ask_for_a_comparison() {
            TABLE.given(DIFFERS)
                    .when(new Verify(), NOW)
                    .then(new VerificationStarted(2))
                    .verdict(pending());
            TABLE.given(VERIFYING).when(new Verify(), NOW).thenRepeat().verdict(pending());
            for (StockPoolEvent[] past : List.of(INITIALIZING, OPEN, CLOSED)) {
                TABLE.given(past).when(new Verify(), NOW).thenRefused(StockPoolRefusal.NOT_SUSPECT);
            }
        }

        @Test
        void a_person_who_sees_that_redis_does_not_serve_a_trusted_pool_has_it_frozen_and_compared() {
            var verify = new Verify(Optional.of("another Redis process"));
            for (StockPoolEvent[] past : List.of(OPEN, CLOSED)) {
                TABLE.given(past)
                        .when(verify, NOW)
                        .then(new SuspicionRaised("another Redis process", 1))
                        .verdict(pending());
            }
            for (StockPoolEvent[] past : List.of(INITIALIZING, ARCHIVED)) {
                TABLE.given(past).when(verify, NOW).thenRefused(StockPoolRefusal.NOT_SUSPECT);
            }
            TABLE.given(VERIFYING).when(verify, NOW).thenRepeat().verdict(pending());
            TABLE.given().when(verify, NOW).thenRefused(StockPoolRefusal.POOL_UNKNOWN);
        }

        @Test
        void an_answer_of_another_comparison_is_old_news() {
            for (StockPoolEvent[] past : List.of(FRESH, INITIALIZING, OPEN, CLOSED, DIFFERS)) {
                TABLE.given(past)
                        .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                        .thenRepeat();
            }
            TABLE.given(then(DIFFERS, new VerificationStarted(2)))
                    .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                    .thenRepeat();
        }

        @Test
        void the_next_suspicion_has_a_number_of_its_own() {
            TABLE.given(then(DIFFERS, new VerificationStarted(2), new PoolReopened(2, Optional.of(FULL))))
                    .when(new Suspect("again"), NOW)
                    .then(new SuspicionRaised("again", 3));
        }

        @Test
        void operations_wait_in_order() {
            TABLE.given(VERIFYING)
                    .when(ADJUST, NOW)
                    .then(new OperationAccepted(ADJUST))
                    .verdict(pending());
            TABLE.given(VERIFYING).when(PAUSE, NOW).then(new OperationAccepted(PAUSE));
            TABLE.given(VERIFYING).when(RESUME, NOW).then(new OperationAccepted(RESUME));
            TABLE.given(VERIFYING).when(CLOSE, NOW).then(new OperationAccepted(CLOSE));
            TABLE.given(then(VERIFYING, new OperationAccepted(ADJUST), new OperationAccepted(CLOSE)))
                    .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                    .then(new PoolReopened(1, Optional.of(FULL)))
                    .owes(adjust("adjust-1", 6, 2, 1));
        }

        @Test
        void while_it_was_being_created_there_are_two_good_answers() {
            StockPoolEvent[] past = then(INITIALIZING, new SuspicionRaised("restart", 1));
            TABLE.given(past)
                    .when(new VerificationAnswered(1, new Finding.NotCreatedYet()), NOW)
                    .then(new PoolReopened(1, Optional.empty()))
                    .thenState(new Initializing(
                            A.POOL, 10, state(past).trusted().orElseThrow().work()));
            TABLE.given(past)
                    .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                    .then(new PoolReopened(1, Optional.of(FULL)), CREATED)
                    .owesNothing();
        }

        @Test
        void a_created_pool_is_never_taken_for_one_that_is_not() {
            TABLE.given(VERIFYING)
                    .when(new VerificationAnswered(1, new Finding.NotCreatedYet()), NOW)
                    .thenRepeat();
        }
    }

    /** Redis is put right where it was found to differ. */
    @Nested
    class Repaired {

        private static final Books DRIFTED = new Books(1, 4, 10, 0, 10, 0, 0);
        private static final Books RIGHT = Books.expected(1, 5, 10, 2, 0);
        private static final Repair REPAIR = new Repair(
                "repair-1",
                "FENCE_MISSING",
                DRIFTED,
                RIGHT,
                Optional.of(new FenceRepair("r-1", Optional.empty(), Optional.empty())));
        private static final OperationAccepted INTENT = new OperationAccepted(REPAIR);

        @Test
        void the_intent_is_journaled_with_what_was_seen_and_what_is_to_be_and_the_result_after_redis_did_it() {
            for (StockPoolEvent[] past : List.of(OPEN, CLOSED)) {
                TABLE.given(past)
                        .when(REPAIR, NOW)
                        .then(INTENT)
                        .owes(new RepairPool(A.POOL, 1, REPAIR, 0, A.POLICIES.script()))
                        .verdict(pending());
                TABLE.given(then(past, INTENT))
                        .when(new OperationDone("repair-1", RIGHT), NOW)
                        .then(new StockRepaired("repair-1", RIGHT))
                        .owesNothing();
                StockPool after = state(then(past, INTENT, new StockRepaired("repair-1", RIGHT)));
                assertThat(after.status()).isEqualTo(state(past).status());
                assertThat(after.latestBooks()).contains(RIGHT);
                assertThat(after.totals()).isEqualTo(state(past).totals());
            }
        }

        @Test
        void asked_again_it_is_the_same_repair() {
            TABLE.given(then(OPEN, INTENT)).when(REPAIR, NOW).thenRepeat().verdict(pending());
            TABLE.given(then(OPEN, INTENT, new StockRepaired("repair-1", RIGHT)))
                    .when(REPAIR, NOW)
                    .thenRepeat()
                    .verdict(done());
            TABLE.given(then(OPEN, INTENT))
                    .when(new Repair("repair-1", "NUMBERS_DIFFER", DRIFTED, RIGHT, Optional.empty()), NOW)
                    .thenRefused(StockPoolRefusal.OPERATION_ID_REUSED);
        }

        @Test
        void what_moved_since_it_was_looked_at_is_left_alone() {
            TABLE.given(then(OPEN, INTENT))
                    .when(new OperationTurnedDown("repair-1", StockPoolRefusal.REPAIR_OVERTAKEN), NOW)
                    .then(new OperationRefused("repair-1", StockPoolRefusal.REPAIR_OVERTAKEN))
                    .owesNothing();
            TABLE.given(then(OPEN, INTENT, new OperationRefused("repair-1", StockPoolRefusal.REPAIR_OVERTAKEN)))
                    .when(REPAIR, NOW)
                    .thenRepeat()
                    .verdict(refused(StockPoolRefusal.REPAIR_OVERTAKEN));
        }

        @Test
        void a_rebuild_or_an_adjustment_that_came_between_has_overtaken_it() {
            Books adjusted = Books.expected(1, 2, 6, 0, 0);
            StockPoolEvent[] lowered =
                    then(OPEN, new OperationAccepted(ADJUST), new TotalAdjusted("adjust-1", 2, adjusted));
            StockPoolEvent[] rebuilt = then(
                    OPEN, new RebuildStarted(1, 2, "why"), new PoolRebuilt(1, Books.expected(2, 9, 10, 0, 0), 0, NOW));
            for (StockPoolEvent[] past : List.of(lowered, rebuilt)) {
                TABLE.given(past)
                        .when(REPAIR, NOW)
                        .thenRefused(
                                StockPoolRefusal.REPAIR_OVERTAKEN,
                                INTENT,
                                new OperationRefused("repair-1", StockPoolRefusal.REPAIR_OVERTAKEN));
            }
            TABLE.given(then(OPEN, new OperationAccepted(ADJUST), INTENT))
                    .when(new OperationDone("adjust-1", adjusted), NOW)
                    .then(
                            new TotalAdjusted("adjust-1", 2, adjusted),
                            new OperationRefused("repair-1", StockPoolRefusal.REPAIR_OVERTAKEN));
        }

        @Test
        void it_waits_for_its_turn_like_every_operation_and_an_unknown_pool_has_nothing_to_repair() {
            TABLE.given().when(REPAIR, NOW).thenRefused(StockPoolRefusal.POOL_UNKNOWN);
            TABLE.given(ARCHIVED).when(REPAIR, NOW).thenRefused(StockPoolRefusal.POOL_ARCHIVED);
            TABLE.given(INITIALIZING).when(REPAIR, NOW).then(INTENT).verdict(pending());
            TABLE.given(VERIFYING).when(REPAIR, NOW).then(INTENT).verdict(pending());
            TABLE.given(then(OPEN, new RebuildStarted(1, 2, "why")))
                    .when(REPAIR, NOW)
                    .then(INTENT)
                    .verdict(pending());
        }

        @Test
        void a_target_that_no_pool_can_have_is_no_repair() {
            for (Books wrong : List.of(
                    Books.expected(1, 6, 10, 2, 0), Books.expected(2, 5, 10, 2, 0), new Books(1, 5, 10, 0, 9, 2, 0))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> new Repair("repair-1", "NUMBERS_DIFFER", DRIFTED, wrong, Optional.empty()));
            }
        }
    }

    /** Redis is loaded anew from the journals. */
    @Nested
    class Rebuilt {

        private static final Books LOADED = Books.expected(2, 9, 10, 3, 4);
        private static final RebuildStarted STARTED = new RebuildStarted(2, 2, "restart; Redis has no such pool");
        private static final StockPoolEvent[] LOADING = then(DIFFERS, STARTED);
        private static final PoolRebuilt DONE = new PoolRebuilt(2, LOADED, 7, NOW);

        private static RebuildAnswered opened(long number, Books books) {
            return new RebuildAnswered(number, new RebuildResult.Opened(books, 7));
        }

        private static RebuildPool rebuild(long number, long epoch, StockPoolEvent... past) {
            return new RebuildPool(A.POOL, epoch, number, state(past).trusted().orElseThrow(), A.POLICIES.verify());
        }

        @Test
        void as_soon_as_it_differs_under_the_next_epoch_which_is_journaled_before_redis_hears_of_it() {
            BY_ITSELF
                    .given(VERIFYING)
                    .when(new VerificationAnswered(1, new Finding.Different(REPORT)), NOW)
                    .then(new VerificationDiffered(1, REPORT, AGAIN), STARTED)
                    .owes(rebuild(2, 2, LOADING));
            assertThat(rebuild(2, 2, LOADING).operationId()).isEqualTo("REBUILD:2");
            assertThat(state(LOADING))
                    .isInstanceOfSatisfying(
                            Rebuilding.class,
                            rebuilding -> assertThat(rebuilding.report()).contains(REPORT));
            assertThat(state(LOADING).status()).isEqualTo(StockPool.Status.REBUILDING);
        }

        @Test
        void by_itself_also_where_the_difference_was_journaled_before() {
            BY_ITSELF
                    .given(then(DIFFERS, new VerificationStarted(2)))
                    .when(new VerificationAnswered(2, new Finding.Different(REPORT)), NOW)
                    .then(new RebuildStarted(3, 2, "restart; Redis has no such pool"));
        }

        @Test
        void not_by_itself_where_a_person_decides() {
            TABLE.given(VERIFYING)
                    .when(new VerificationAnswered(1, new Finding.Different(REPORT)), NOW)
                    .then(new VerificationDiffered(1, REPORT, AGAIN));
        }

        @Test
        void not_by_itself_twice_within_a_while_but_when_that_is_over() {
            StockPoolEvent[] again = then(LOADING, DONE, new SuspicionRaised("MISSING", 3));
            BY_ITSELF
                    .given(again)
                    .when(new VerificationAnswered(3, new Finding.Different(REPORT)), AGAIN.minusNanos(1))
                    .then(new VerificationDiffered(
                            3, REPORT, AGAIN.minusNanos(1).plusSeconds(60)));
            BY_ITSELF
                    .given(again)
                    .when(new VerificationAnswered(3, new Finding.Different(REPORT)), AGAIN)
                    .then(
                            new VerificationDiffered(3, REPORT, AGAIN.plusSeconds(60)),
                            new RebuildStarted(4, 3, "MISSING; Redis has no such pool"));
        }

        @Test
        void a_person_can_ask_for_it_whatever_the_pool_is_at() {
            String asked = "a rebuild was asked for";
            for (StockPoolEvent[] past : List.of(INITIALIZING, OPEN, CLOSED)) {
                TABLE.given(past)
                        .when(new Rebuild(), NOW)
                        .then(new RebuildStarted(1, 2, asked))
                        .verdict(pending());
            }
            for (StockPoolEvent[] past : List.of(VERIFYING, DIFFERS)) {
                TABLE.given(past)
                        .when(new Rebuild(), NOW)
                        .then(new RebuildStarted(2, 2, "restart; " + asked))
                        .verdict(pending());
            }
            TABLE.given(LOADING).when(new Rebuild(), NOW).thenRepeat().verdict(pending());
            TABLE.given().when(new Rebuild(), NOW).thenRefused(StockPoolRefusal.POOL_UNKNOWN);
            TABLE.given(then(LOADING, DONE))
                    .when(new Rebuild(), NOW)
                    .then(new RebuildStarted(3, 3, asked))
                    .owes(new RebuildPool(
                            A.POOL,
                            3,
                            3,
                            state(then(LOADING, DONE, new RebuildStarted(3, 3, asked)))
                                    .trusted()
                                    .orElseThrow(),
                            A.POLICIES.verify()));
        }

        @Test
        void loaded_it_goes_on_under_its_epoch_with_what_was_in_flight() {
            TABLE.given(LOADING).when(opened(2, LOADED), NOW).then(DONE).owesNothing();
            assertThat(state(then(LOADING, DONE))).isInstanceOfSatisfying(Open.class, open -> {
                assertThat(open.books()).isEqualTo(LOADED);
                assertThat(open.work().rebuiltAt()).contains(NOW);
            });
            StockPoolEvent[] adjusting = then(OPEN, new OperationAccepted(ADJUST), new RebuildStarted(1, 2, "why"));
            TABLE.given(adjusting)
                    .when(opened(1, LOADED), NOW)
                    .then(new PoolRebuilt(1, LOADED, 7, NOW))
                    .owes(new AdjustPool(A.POOL, 2, "adjust-1", 6, 2, 1, A.POLICIES.script()));
            StockPoolEvent[] closed = then(CLOSED, new RebuildStarted(1, 2, "why"));
            TABLE.given(closed).when(opened(1, LOADED), NOW).then(new PoolRebuilt(1, LOADED, 7, NOW));
            assertThat(state(then(closed, new PoolRebuilt(1, LOADED, 7, NOW)))).isInstanceOf(Closed.class);
        }

        @Test
        void a_pool_that_was_being_created_has_been_created_by_it() {
            Books fresh = Books.expected(2, 1, 10, 0, 0);
            StockPoolEvent[] past = then(INITIALIZING, new RebuildStarted(1, 2, "why"));
            TABLE.given(past)
                    .when(opened(1, fresh), NOW)
                    .then(new PoolRebuilt(1, fresh, 7, NOW), new PoolInitialized("init-1", fresh))
                    .owesNothing();
        }

        @Test
        void where_redis_has_a_later_epoch_it_starts_over_with_one_later_still() {
            TABLE.given(LOADING)
                    .when(new RebuildAnswered(2, new RebuildResult.Overtaken(7)), NOW)
                    .then(new RebuildStarted(3, 8, "Redis was at epoch 7 already"))
                    .owes(new RebuildPool(
                            A.POOL,
                            8,
                            3,
                            state(then(LOADING, new RebuildStarted(3, 8, "Redis was at epoch 7 already")))
                                    .trusted()
                                    .orElseThrow(),
                            A.POLICIES.verify()));
            TABLE.given(LOADING)
                    .when(new RebuildAnswered(2, new RebuildResult.Overtaken(1)), NOW)
                    .then(new RebuildStarted(3, 3, "Redis was at epoch 1 already"));
        }

        @Test
        void books_that_can_not_be_are_not_believed_and_it_starts_over() {
            for (Books wrong : List.of(
                    Books.expected(1, 9, 10, 3, 4), Books.expected(2, 9, 11, 3, 4), new Books(2, 9, 10, 0, 1, 3, 4))) {
                TABLE.given(LOADING)
                        .when(opened(2, wrong), NOW)
                        .then(new RebuildStarted(3, 3, "it left books that can't be: " + wrong));
            }
        }

        @Test
        void an_answer_of_another_one_or_of_none_is_old_news() {
            for (StockPoolEvent[] past : List.of(FRESH, INITIALIZING, OPEN, CLOSED, VERIFYING, then(LOADING, DONE))) {
                TABLE.given(past).when(opened(2, LOADED), NOW).thenRepeat();
            }
            TABLE.given(LOADING).when(opened(1, LOADED), NOW).thenRepeat();
            TABLE.given(LOADING)
                    .when(new RebuildAnswered(1, new RebuildResult.Overtaken(7)), NOW)
                    .thenRepeat();
        }

        @Test
        void nothing_disturbs_it_and_operations_wait_in_order() {
            TABLE.given(LOADING).when(new Suspect("again"), NOW).thenRepeat();
            TABLE.given(LOADING).when(new Verify(), NOW).thenRepeat().verdict(pending());
            TABLE.given(LOADING)
                    .when(new VerificationAnswered(1, new Finding.Equal(FULL)), NOW)
                    .thenRepeat();
            TABLE.given(LOADING)
                    .when(new VerificationAnswered(2, new Finding.Equal(FULL)), NOW)
                    .thenRepeat();
            TABLE.given(LOADING).when(new WakeUp(), NOW).thenRepeat();
            TABLE.given(LOADING)
                    .when(new Contradicted("m-1"), NOW)
                    .then(new ContradictionNoticed("m-1"))
                    .thenState(state(LOADING));
            TABLE.given(LOADING).when(new OperationDone("adjust-1", FULL), NOW).thenRepeat();
            TABLE.given(LOADING)
                    .when(new OperationTurnedDown("adjust-1", StockPoolRefusal.POOL_CLOSED), NOW)
                    .thenRepeat();
            TABLE.given(LOADING)
                    .when(ADJUST, NOW)
                    .then(new OperationAccepted(ADJUST))
                    .verdict(pending());
            TABLE.given(LOADING).when(PAUSE, NOW).then(new OperationAccepted(PAUSE));
            TABLE.given(LOADING).when(RESUME, NOW).then(new OperationAccepted(RESUME));
            TABLE.given(LOADING).when(CLOSE, NOW).then(new OperationAccepted(CLOSE));
            TABLE.given(LOADING).when(INIT, NOW).thenRepeat().verdict(done());
            Adjust early = new Adjust("early", 7, OptionalLong.of(2));
            TABLE.given(LOADING)
                    .when(early, NOW)
                    .thenRefused(
                            StockPoolRefusal.BASELINE_CHANGED,
                            new OperationAccepted(early),
                            new OperationRefused("early", StockPoolRefusal.BASELINE_CHANGED));
            TABLE.given(then(LOADING, new OperationAccepted(PAUSE)))
                    .when(opened(2, LOADED), NOW)
                    .then(DONE)
                    .owes(new SetPoolStatus(A.POOL, 2, "pause-1", Target.PAUSED, 2, A.POLICIES.script()));
        }

        @Test
        void what_redis_answered_before_it_is_not_recorded_after_it() {
            StockPoolEvent[] adjusting = then(OPEN, new OperationAccepted(ADJUST), new RebuildStarted(1, 2, "why"));
            TABLE.given(then(adjusting, new PoolRebuilt(1, LOADED, 7, NOW)))
                    .when(new AnsweredUnder(0, new OperationDone("adjust-1", Books.expected(1, 2, 6, 0, 0))), NOW)
                    .thenRepeat();
        }

        @Test
        void what_was_seen_of_an_earlier_epoch_does_not_make_it_suspect_again() {
            TABLE.given(then(LOADING, DONE))
                    .when(new Suspect("MISSING", OptionalLong.of(1)), NOW)
                    .thenRepeat();
            TABLE.given(then(LOADING, DONE))
                    .when(new Suspect("MISSING", OptionalLong.of(2)), NOW)
                    .then(new SuspicionRaised("MISSING", 3));
            TABLE.given(then(LOADING, DONE))
                    .when(new Suspect("STALE_EPOCH: the pool is at epoch 3", OptionalLong.of(3)), NOW)
                    .then(new SuspicionRaised("STALE_EPOCH: the pool is at epoch 3", 3));
            TABLE.given()
                    .when(new Suspect("MISSING", OptionalLong.of(1)), NOW)
                    .thenRefused(StockPoolRefusal.POOL_UNKNOWN);
        }
    }

    /** The first and the third of a sale of 31 units in three pools: they begin with 11 and 10. */
    @Nested
    class Buckets_of_a_sale {

        private static final PoolId FIRST = PoolId.parse("spring:shoes");
        private static final PoolId THIRD = PoolId.parse("spring:shoes:b2");
        private static final Sale SALE =
                new Sale(1, A.LATER, A.LATER.plusSeconds(3600), 1, Optional.of(new Buckets(3, 0)));
        private static final Init SPLIT = new Init("init-1", 31, Optional.empty(), Optional.of(SALE));
        private static final Init OF_THE_THIRD = SPLIT.at(new Buckets(3, 2));
        private static final StockPoolEvent[] OPEN_FIRST = {
            new OperationAccepted(SPLIT), new PoolInitialized("init-1", Books.expected(1, 1, 11, 0, 0))
        };
        private static final StockPoolEvent[] OPEN_THIRD = {
            new OperationAccepted(OF_THE_THIRD), new PoolInitialized("init-1", Books.expected(1, 1, 10, 0, 0))
        };
        private static final Give GIVE = new Give("move-1", THIRD, 4, OptionalLong.of(1));
        private static final Books GIVEN = Books.expected(1, 2, 7, 0, 0);
        private static final TotalAdjusted LEFT = new TotalAdjusted("move-1", 2, GIVEN);
        private static final StockPoolEvent[] LEAVING = then(OPEN_FIRST, new OperationAccepted(GIVE), LEFT);
        private static final Receive RECEIVE = new Receive("move-1", FIRST, 4, OptionalLong.of(2));

        private final MachineTable<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> first =
                MachineTable.of(MACHINE, FIRST.value()).recordingIn(CELLS);
        private final MachineTable<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> third =
                MachineTable.of(MACHINE, THIRD.value()).recordingIn(CELLS);
        private final DeliverUnits deliver = new DeliverUnits(FIRST, 1, GIVE, 2, 0, A.POLICIES.script());

        private static StockPool of(PoolId pool, StockPoolEvent... past) {
            StockPool state = MACHINE.initial(pool.value());
            for (StockPoolEvent event : past) {
                state = MACHINE.evolve(state, event);
            }
            return state;
        }

        private AdjustPool change(
                PoolId pool, String key, long total, long version, AdjustPool.Bound bound, OptionalLong finalStock) {
            return new AdjustPool(pool, 1, key, total, version, bound, finalStock, 0, A.POLICIES.script());
        }

        @Test
        void each_begins_with_its_share_and_the_first_knows_the_total() {
            var init = new InitPool(FIRST, 1, SPLIT, 0, A.POLICIES.script());
            first.given().when(SPLIT, NOW).then(new OperationAccepted(SPLIT)).owes(init);
            assertThat(init.finalStock()).isEqualTo(OptionalLong.of(31));
            var other = new InitPool(THIRD, 1, OF_THE_THIRD, 0, A.POLICIES.script());
            third.given()
                    .when(OF_THE_THIRD, NOW)
                    .then(new OperationAccepted(OF_THE_THIRD))
                    .owes(other);
            assertThat(other.finalStock()).isEmpty();
            assertThat(((StockPool.Trusted) of(FIRST, OPEN_FIRST)).total()).isEqualTo(11);
            assertThat(((StockPool.Trusted) of(FIRST, OPEN_FIRST)).saleTotal()).isEqualTo(31);
            assertThat(((StockPool.Trusted) of(THIRD, OPEN_THIRD)).total()).isEqualTo(10);
            for (Init same : List.of(SPLIT, new Init("init-2", 31, Optional.empty(), Optional.of(SALE)))) {
                first.given(OPEN_FIRST).when(same, NOW).thenRepeat().verdict(done());
            }
            first.given(OPEN_FIRST)
                    .when(new Init("init-2", 31, Optional.empty(), Optional.of(SALE.at(new Buckets(4, 0)))), NOW)
                    .thenRefused(StockPoolRefusal.ALREADY_INITIALIZED);
        }

        @Test
        void a_sale_whose_bucket_is_anothers_is_not_created_and_may_be_under_another_key() {
            var no = new OperationTurnedDown("init-1", StockPoolRefusal.BUCKET_TAKEN);
            first.given(new OperationAccepted(SPLIT))
                    .when(no, NOW)
                    .then(new OperationRefused("init-1", StockPoolRefusal.BUCKET_TAKEN))
                    .owesNothing();
        }

        @Test
        void units_leave_first_and_are_then_owed_to_the_other_pool_until_its_journal_has_them() {
            first.given(OPEN_FIRST)
                    .when(GIVE, NOW)
                    .then(new OperationAccepted(GIVE))
                    .owes(change(FIRST, "move-1", 7, 2, AdjustPool.Bound.GIVEN, OptionalLong.empty()))
                    .verdict(pending());
            first.given(then(OPEN_FIRST, new OperationAccepted(GIVE)))
                    .when(new OperationDone("move-1", GIVEN), NOW)
                    .then(LEFT)
                    .owes(deliver);
            assertThat(deliver.receipt()).isEqualTo(RECEIVE);
            first.given(LEAVING).when(GIVE, NOW).thenRepeat().owes(deliver).verdict(pending());
            first.given(LEAVING)
                    .when(new UnitsTaken("move-1"), NOW)
                    .then(new UnitsDelivered("move-1"))
                    .owesNothing();
            first.given(then(LEAVING, new UnitsDelivered("move-1")))
                    .when(GIVE, NOW)
                    .thenRepeat()
                    .owesNothing()
                    .verdict(done());
        }

        @Test
        void what_is_on_its_way_comes_before_all_else_and_outlasts_a_comparison_and_a_rebuild() {
            first.given(LEAVING)
                    .when(PAUSE, NOW)
                    .then(new OperationAccepted(PAUSE))
                    .owes(deliver);
            var later = new DeliverUnits(FIRST, 1, GIVE, 2, 1, A.POLICIES.script());
            first.given(then(LEAVING, new SuspicionRaised("restart", 1)))
                    .when(new VerificationAnswered(1, new Finding.Equal(GIVEN)), NOW)
                    .then(new PoolReopened(1, Optional.of(GIVEN)))
                    .owes(later);
            Books loaded = Books.expected(2, 3, 7, 0, 0);
            first.given(then(LEAVING, new RebuildStarted(1, 2, "asked for")))
                    .when(new RebuildAnswered(1, new RebuildResult.Opened(loaded, 0)), NOW)
                    .then(new PoolRebuilt(1, loaded, 0, NOW))
                    .owes(new DeliverUnits(FIRST, 2, GIVE, 2, 1, A.POLICIES.script()));
        }

        @Test
        void what_another_pool_has_given_is_taken_in_any_state_that_knows_the_sale_and_however_many_wait() {
            third.given(OPEN_THIRD)
                    .when(RECEIVE, NOW)
                    .then(new OperationAccepted(RECEIVE))
                    .owes(change(THIRD, "move-1", 14, 2, AdjustPool.Bound.RECEIVED, OptionalLong.empty()))
                    .verdict(pending());
            StockPoolEvent[] closed = then(
                    OPEN_THIRD,
                    new OperationAccepted(CLOSE),
                    new PoolClosed("close-1", Books.expected(1, 1, 10, 0, 0)));
            Books after = Books.expected(1, 2, 14, 0, 0);
            third.given(closed).when(RECEIVE, NOW).then(new OperationAccepted(RECEIVE));
            third.given(then(closed, new OperationAccepted(RECEIVE)))
                    .when(new OperationDone("move-1", after), NOW)
                    .then(new TotalAdjusted("move-1", 2, after))
                    .owesNothing();
            for (StockPoolEvent since :
                    List.of(new SuspicionRaised("restart", 1), new RebuildStarted(1, 2, "asked for"))) {
                third.given(then(OPEN_THIRD, since)).when(RECEIVE, NOW).then(new OperationAccepted(RECEIVE));
                Give back = new Give("move-2", FIRST, 1, OptionalLong.of(1));
                third.given(then(OPEN_THIRD, since)).when(back, NOW).then(new OperationAccepted(back));
                third.given(then(OPEN_THIRD, since))
                        .when(new UnitsTaken("move-1"), NOW)
                        .thenRepeat();
            }
            StockPoolEvent[] busy = OPEN_THIRD;
            for (int i = 0; i < StockPoolMachine.LONGEST_QUEUE; i++) {
                busy = then(busy, new OperationAccepted(new Pause("pause-" + i)));
            }
            third.given(busy)
                    .when(new Give("move-2", FIRST, 1, OptionalLong.of(1)), NOW)
                    .thenRefused(StockPoolRefusal.TOO_MANY_OPERATIONS);
            third.given(busy).when(RECEIVE, NOW).then(new OperationAccepted(RECEIVE));
            third.given(new OperationAccepted(OF_THE_THIRD)).when(RECEIVE, NOW).then(new OperationAccepted(RECEIVE));
            third.given(new OperationAccepted(OF_THE_THIRD)).when(GIVE, NOW).then(new OperationAccepted(GIVE));
        }

        @Test
        void units_move_only_between_pools_of_a_sale_and_not_from_one_that_is_closed() {
            Give away = new Give("move-1", PoolId.parse("spring:shoes:b3"), 1, OptionalLong.of(1));
            for (Give wrong : List.of(
                    away,
                    new Give("move-1", FIRST, 1, OptionalLong.of(1)),
                    new Give("move-1", A.POOL, 1, OptionalLong.of(1)))) {
                first.given(OPEN_FIRST)
                        .when(wrong, NOW)
                        .thenRefused(
                                StockPoolRefusal.OPERATION_MALFORMED,
                                new OperationAccepted(wrong),
                                new OperationRefused("move-1", StockPoolRefusal.OPERATION_MALFORMED));
            }
            TABLE.given(OPEN)
                    .when(GIVE, NOW)
                    .thenRefused(
                            StockPoolRefusal.OPERATION_MALFORMED,
                            new OperationAccepted(GIVE),
                            new OperationRefused("move-1", StockPoolRefusal.OPERATION_MALFORMED));
            Give all = new Give("move-1", THIRD, 12, OptionalLong.of(1));
            first.given(OPEN_FIRST)
                    .when(all, NOW)
                    .thenRefused(
                            StockPoolRefusal.UNITS_SHORT,
                            new OperationAccepted(all),
                            new OperationRefused("move-1", StockPoolRefusal.UNITS_SHORT));
            TABLE.given(CLOSED)
                    .when(GIVE, NOW)
                    .thenRefused(
                            StockPoolRefusal.POOL_CLOSED,
                            new OperationAccepted(GIVE),
                            new OperationRefused("move-1", StockPoolRefusal.POOL_CLOSED));
            for (PoolOperation move : List.of(GIVE, RECEIVE)) {
                TABLE.given().when(move, NOW).thenRefused(StockPoolRefusal.POOL_UNKNOWN);
                TABLE.given(ARCHIVED)
                        .when(move, NOW)
                        .thenRefused(StockPoolRefusal.POOL_ARCHIVED)
                        .verdict(refused(StockPoolRefusal.POOL_ARCHIVED));
            }
            first.given(then(OPEN_FIRST, new OperationAccepted(GIVE)))
                    .when(new OperationTurnedDown("move-1", StockPoolRefusal.UNITS_SHORT), NOW)
                    .then(new OperationRefused("move-1", StockPoolRefusal.UNITS_SHORT))
                    .owesNothing();
            for (StockPoolEvent[] past : List.of(FRESH, INITIALIZING, OPEN, CLOSED, ARCHIVED)) {
                TABLE.given(past).when(new UnitsTaken("move-1"), NOW).thenRepeat();
            }
        }

        /** Units go to and fro: the odd moves are given by the first, the even ones come back. */
        private static final class Traffic {
            private static final int MOVES = 150;
            private final List<Give> given = new ArrayList<>();
            private final List<Receive> received = new ArrayList<>();
            private StockPool state = of(FIRST, OPEN_FIRST);
            private long version = 1;

            void next() {
                long total = ((StockPool.Trusted) state).total();
                if (given.size() == received.size()) {
                    var give = new Give("give-" + given.size(), THIRD, 1, OptionalLong.of(version));
                    given.add(give);
                    happens(give, total - 1);
                    state = MACHINE.evolve(state, new UnitsDelivered(give.operationId()));
                } else {
                    var receive = new Receive("back-" + received.size(), THIRD, 1, OptionalLong.of(version + 7));
                    received.add(receive);
                    happens(receive, total + 1);
                }
            }

            private void happens(PoolOperation operation, long total) {
                assertThat(MACHINE.decide(state, operation, NOW))
                        .isEqualTo(Decision.accept(new OperationAccepted(operation)));
                version++;
                state = MACHINE.evolve(state, new OperationAccepted(operation));
                state = MACHINE.evolve(
                        state,
                        new TotalAdjusted(operation.operationId(), version, Books.expected(1, version, total, 0, 0)));
            }

            StockPool.Work work() {
                return ((StockPool.Trusted) state).work();
            }
        }

        @Test
        void a_move_is_made_once_however_late_it_is_asked_for_again_and_few_of_them_are_kept() {
            var traffic = new Traffic();
            for (int i = 0; i < Traffic.MOVES; i++) {
                traffic.next();
                for (Give before : traffic.given) {
                    Decision<StockPoolEvent> again = MACHINE.decide(traffic.state, before, NOW);
                    assertThat(again)
                            .as("%s at version %d", before, traffic.version)
                            .isIn(Decision.repeat(), Decision.refuse(StockPoolRefusal.BASELINE_CHANGED));
                    if (again.equals(Decision.repeat())) {
                        assertThat(MACHINE.verdict(traffic.state, before)).isEqualTo(done());
                    }
                }
                for (Receive before : traffic.received) {
                    assertThat(MACHINE.decide(traffic.state, before, NOW)).isEqualTo(Decision.repeat());
                    assertThat(MACHINE.verdict(traffic.state, before)).isEqualTo(done());
                }
            }
            assertThat(traffic.work().settled()).containsOnlyKeys("init-1");
            assertThat(traffic.work().moves().given()).hasSizeLessThanOrEqualTo((int) RecentMoves.VERSIONS);
            assertThat(traffic.work().moves().received()).containsOnlyKeys(THIRD.value());
            assertThat(MACHINE.decide(traffic.state, traffic.given.getLast(), NOW))
                    .as("the latest is known")
                    .isEqualTo(Decision.repeat());
        }

        @Test
        void a_move_that_is_refused_is_answered_again_for_a_while_and_many_of_them_leave_little_behind() {
            StockPoolEvent[] past = then(OPEN_FIRST, new OperationAccepted(PAUSE));
            for (int i = 0; i < 200; i++) {
                var give = new Give("short-" + i, THIRD, 12, OptionalLong.of(1));
                past = then(
                        past,
                        new OperationAccepted(give),
                        new OperationRefused(give.operationId(), StockPoolRefusal.UNITS_SHORT));
            }
            var work = ((StockPool.Trusted) of(FIRST, past)).work();
            assertThat(work.moves().given()).hasSizeLessThanOrEqualTo((int) RecentMoves.VERSIONS + 1);
            assertThat(work.settled()).containsOnlyKeys("init-1");
            first.given(past)
                    .when(new Give("short-199", THIRD, 12, OptionalLong.of(1)), NOW)
                    .thenRepeat()
                    .verdict(refused(StockPoolRefusal.UNITS_SHORT));
            first.given(past)
                    .when(new Give("short-199", THIRD, 11, OptionalLong.of(1)), NOW)
                    .thenRefused(StockPoolRefusal.OPERATION_ID_REUSED);
        }

        @Test
        void a_move_of_a_version_that_no_pool_has_had_is_refused_and_one_that_redis_has_already_is_not() {
            first.given(OPEN_FIRST)
                    .when(new Give("move-1", THIRD, 1, OptionalLong.of(3)), NOW)
                    .thenRefused(StockPoolRefusal.BASELINE_CHANGED);
            Give ahead = new Give("move-1", THIRD, 1, OptionalLong.of(2));
            first.given(OPEN_FIRST).when(ahead, NOW).then(new OperationAccepted(ahead));
        }

        @Test
        void moves_of_journals_from_before_they_named_a_version_are_known_for_ever() {
            var give = new Give("move-1", THIRD, 4, OptionalLong.empty());
            var left = then(OPEN_FIRST, new OperationAccepted(give), LEFT, new UnitsDelivered("move-1"));
            first.given(left).when(GIVE, NOW).thenRepeat().verdict(done());
            assertThat(((StockPool.Trusted) of(FIRST, left)).work().settled()).containsKey("move-1");
            var receive = new Receive("move-1", FIRST, 4, OptionalLong.empty());
            Books after = Books.expected(1, 2, 14, 0, 0);
            var come = then(OPEN_THIRD, new OperationAccepted(receive), new TotalAdjusted("move-1", 2, after));
            third.given(come).when(RECEIVE, NOW).thenRepeat().verdict(done());
        }

        @Test
        void the_total_of_the_sale_is_changed_at_its_first_pool_and_only_there() {
            first.given(then(LEAVING, new UnitsDelivered("move-1")))
                    .when(new Adjust("adjust-1", 40, OptionalLong.empty()), NOW)
                    .then(new OperationAccepted(new Adjust("adjust-1", 40, OptionalLong.empty())))
                    .owes(change(FIRST, "adjust-1", 16, 3, AdjustPool.Bound.AVAILABLE, OptionalLong.of(40)));
            Adjust least = new Adjust("adjust-1", 20, OptionalLong.empty());
            first.given(OPEN_FIRST).when(least, NOW).then(new OperationAccepted(least));
            Adjust less = new Adjust("adjust-1", 19, OptionalLong.empty());
            first.given(OPEN_FIRST)
                    .when(less, NOW)
                    .thenRefused(
                            StockPoolRefusal.UNITS_SHORT,
                            new OperationAccepted(less),
                            new OperationRefused("adjust-1", StockPoolRefusal.UNITS_SHORT));
            third.given(OPEN_THIRD)
                    .when(ADJUST, NOW)
                    .thenRefused(
                            StockPoolRefusal.PART_OF_SALE,
                            new OperationAccepted(ADJUST),
                            new OperationRefused("adjust-1", StockPoolRefusal.PART_OF_SALE));
        }

        @Test
        void the_first_has_the_others_do_what_it_does() {
            List<PoolId> others = List.of(PoolId.parse("spring:shoes:b1"), THIRD);
            first.given(OPEN_FIRST)
                    .when(PAUSE, NOW)
                    .then(new OperationAccepted(PAUSE))
                    .owes(new SetPoolStatus(FIRST, 1, "pause-1", Target.PAUSED, others, 0, A.POLICIES.script()));
            third.given(OPEN_THIRD)
                    .when(PAUSE, NOW)
                    .then(new OperationAccepted(PAUSE))
                    .owes(new SetPoolStatus(THIRD, 1, "pause-1", Target.PAUSED, 0, A.POLICIES.script()));
        }
    }

    @Test
    void what_does_not_concern_a_state_leaves_it_alone() {
        for (StockPoolEvent[] past : List.of(FRESH, INITIALIZING, OPEN, CLOSED, ARCHIVED, VERIFYING)) {
            TABLE.given(past).when(new WakeUp(), NOW).thenRepeat();
            TABLE.given(past)
                    .when(new Contradicted("m-1"), NOW)
                    .then(new ContradictionNoticed("m-1"))
                    .thenState(state(past));
        }
    }

    @Test
    void a_journal_this_code_did_not_write_stops_the_entity() {
        assertThatIllegalStateException()
                .isThrownBy(() -> MACHINE.evolve(MACHINE.initial(A.POOL.value()), CREATED))
                .withMessageContaining("NEW");
        assertThatIllegalStateException().isThrownBy(() -> state(then(OPEN, new PoolPaused("never-asked", FULL))));
    }
}
