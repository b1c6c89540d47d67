package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AdmissionReturnAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ConfirmAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ContradictionFound;
import io.holdfast.reservation.domain.ReservationCommand.HandOffAnswered;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.ConfirmHold;
import io.holdfast.reservation.domain.ReservationEffect.HandOff;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.ReturnAdmission;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.GroupCall;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolStanding;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservationEffectsTest {

    private static final PoolId POOL = Shop.POOL;
    private static final Books BOOKS = new Books(3, 7, 10, 0, 5, 5, 0);
    private static final io.holdfast.reservation.domain.Books SAME = ScriptAnswers.books(BOOKS);
    private static final TryHold TRY =
            new TryHold("r-1", POOL, 5, 0, 3, EffectPolicies.standard().script());
    private static final ConfirmHold CONFIRM =
            new ConfirmHold("r-1", POOL, 3, 0, 3, EffectPolicies.standard().script());

    private static final HandOff HAND_OFF =
            new HandOff("r-1", POOL, 0, 3, EffectPolicies.standard().script());
    private static final ReturnAdmission GOES_BACK =
            new ReturnAdmission("r-1", POOL, 3, 0, 3, EffectPolicies.standard().script());

    private final KnownPools directory = KnownPools.of(POOL, new PoolStanding.Serving(3));

    private static Outcome<ReservationCommand> perform(
            FixedScripts scripts, KnownPools directory, CompensationAnswer compensated, ReservationEffect effect) {
        Compensations compensations = new Compensations() {
            @Override
            public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold release) {
                return CompletableFuture.completedFuture(Outcome.known(compensated));
            }

            @Override
            public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold refund) {
                return CompletableFuture.completedFuture(Outcome.known(compensated));
            }

            @Override
            public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
                return CompletableFuture.completedFuture(Outcome.known(compensated));
            }
        };
        return new ReservationEffects(
                        scripts,
                        directory,
                        compensations,
                        OrderDirectory.none(),
                        OrderRequests.none(),
                        NO_GROUPS,
                        InstantSource.fixed(Shop.NOW))
                .perform("r-1", effect)
                .toCompletableFuture()
                .join();
    }

    private static final GroupCall NO_GROUPS = (_, _, _, _, _) -> {
        throw new AssertionError("there is no group here");
    };

    private Outcome<ReservationCommand> perform(Object reply, ReservationEffect effect) {
        return perform(
                new FixedScripts(Outcome.known(reply)), directory, new CompensationAnswer.Refunded(SAME), effect);
    }

    static Stream<Arguments> known_answers() {
        String tryId = TRY.operationId();
        String confirmId = CONFIRM.operationId();
        return Stream.of(
                Arguments.of(
                        HAND_OFF,
                        new HandedOffReply.HandedOff(Phase.RESERVED, BOOKS, Shop.NOW, false),
                        new HandOffAnswered()),
                Arguments.of(
                        HAND_OFF,
                        new HandedOffReply.HandedOff(Phase.RESERVED, BOOKS, Shop.NOW, true),
                        new HandOffAnswered()),
                Arguments.of(
                        HAND_OFF,
                        new HandedOffReply.HandedOff(Phase.CONFIRMED, BOOKS, Shop.NOW, false),
                        new ContradictionFound(HAND_OFF.operationId(), "HANDED_OFF", Map.of("phase", "CONFIRMED"))),
                Arguments.of(
                        GOES_BACK, new CancelReply.Released(BOOKS, Shop.NOW), new AdmissionReturnAnswered(3, SAME)),
                Arguments.of(
                        GOES_BACK,
                        new CancelReply.AlreadyReleased(BOOKS, Shop.NOW),
                        new AdmissionReturnAnswered(3, SAME)),
                Arguments.of(
                        GOES_BACK,
                        new CancelReply.FencedEmpty(BOOKS, Shop.NOW, false),
                        new AdmissionReturnAnswered(0, SAME)),
                Arguments.of(GOES_BACK, new CancelReply.Missing(BOOKS), new AdmissionReturnAnswered(0, SAME)),
                Arguments.of(
                        TRY, new TryReply.Held(BOOKS, Shop.NOW, false), new HoldAnswered(new HoldAnswer.Granted(SAME))),
                Arguments.of(
                        TRY, new TryReply.Held(BOOKS, Shop.NOW, true), new HoldAnswered(new HoldAnswer.Granted(SAME))),
                Arguments.of(TRY, new TryReply.InsufficientStock(BOOKS, Shop.NOW, false), turned(DenialReason.SHORT)),
                Arguments.of(TRY, new TryReply.Closed(BOOKS, Shop.NOW, false), turned(DenialReason.CLOSED)),
                Arguments.of(TRY, new TryReply.Paused(BOOKS, Shop.NOW, false), turned(DenialReason.PAUSED)),
                Arguments.of(TRY, new TryReply.Fenced(Phase.CANCELED, BOOKS), turned(DenialReason.FENCED)),
                Arguments.of(
                        TRY,
                        new TryReply.Conflict(4, BOOKS),
                        new ContradictionFound(tryId, "CONFLICT", Map.of("tried_quantity", "4"))),
                Arguments.of(
                        CONFIRM,
                        new ConfirmReply.Confirmed(BOOKS, 2, Shop.NOW, false),
                        new ConfirmAnswered(3, 2, SAME)),
                Arguments.of(
                        CONFIRM,
                        new ConfirmReply.Conflict(4, BOOKS),
                        new ContradictionFound(confirmId, "CONFLICT", Map.of("confirmed_quantity", "4"))),
                Arguments.of(
                        CONFIRM,
                        new ConfirmReply.Exceeds(1, BOOKS),
                        new ContradictionFound(confirmId, "EXCEEDS", Map.of("left", "1"))),
                Arguments.of(
                        CONFIRM,
                        new ConfirmReply.Contradiction(Phase.CANCELED, BOOKS),
                        new ContradictionFound(confirmId, "CONTRADICTION", Map.of("phase", "CANCELED"))));
    }

    private static ReservationCommand turned(DenialReason reason) {
        return new HoldAnswered(new HoldAnswer.Turned(reason, SAME));
    }

    @ParameterizedTest
    @MethodSource("known_answers")
    void an_answer_is_an_outcome(ReservationEffect effect, Object reply, ReservationCommand expected) {
        assertThat(perform(reply, effect)).isEqualTo(Outcome.known(expected));
        assertThat(directory.told(POOL)).isEmpty();
    }

    static Stream<Arguments> refusals_of_the_guards() {
        return Stream.of(TRY, CONFIRM, HAND_OFF, GOES_BACK)
                .flatMap(effect -> Stream.of(
                        Arguments.of(effect, new GuardRefusal.PoolMissing(), "POOL_MISSING"),
                        Arguments.of(effect, new GuardRefusal.PoolSuspect(PoolStatus.OPEN, true), "POOL_SUSPECT"),
                        Arguments.of(effect, new GuardRefusal.StaleEpoch(4), "STALE_EPOCH"),
                        Arguments.of(effect, new GuardRefusal.BrokenBooks("reserved"), "BROKEN_BOOKS")));
    }

    @ParameterizedTest
    @MethodSource("refusals_of_the_guards")
    void a_refusal_of_the_guards_is_no_outcome_and_makes_the_pool_suspect(
            ReservationEffect effect, Object reply, String code) {
        Outcome<ReservationCommand> outcome = perform(reply, effect);
        assertThat(outcome).isInstanceOf(Outcome.Unavailable.class);
        assertThat(((Outcome.Unavailable<ReservationCommand>) outcome).why()).startsWith(code);
        assertThat(directory.told(POOL)).hasSize(1).allMatch(evidence -> evidence.startsWith(code));
    }

    @Test
    void a_malformed_call_is_our_own_fault_and_is_looked_at_rather_than_repeated_for_ever() {
        for (ReservationEffect effect : new ReservationEffect[] {TRY, CONFIRM, HAND_OFF, GOES_BACK}) {
            assertThat(perform(new GuardRefusal.Malformed("quantity"), effect))
                    .isEqualTo(Outcome.known(
                            new ContradictionFound(effect.operationId(), "MALFORMED", Map.of("what", "quantity"))));
        }
        assertThat(directory.told(POOL)).isEmpty();
    }

    @Test
    void a_fence_that_must_be_there_and_is_not_makes_the_pool_suspect() {
        assertThat(perform(new ConfirmReply.Missing(BOOKS), CONFIRM)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(directory.told(POOL))
                .singleElement()
                .asString()
                .startsWith("MISSING")
                .contains("r-1");
    }

    @Test
    void so_does_the_missing_fence_of_an_admitted_hold() {
        assertThat(perform(new HandedOffReply.Missing(BOOKS), HAND_OFF)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(directory.told(POOL)).singleElement().asString().startsWith("MISSING");
    }

    @ParameterizedTest
    @MethodSource("what_an_ended_reservation_can_not_have")
    void an_admission_that_goes_back_and_has_moved_on_in_redis_makes_the_pool_suspect(CancelReply reply) {
        assertThat(perform(reply, GOES_BACK)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(directory.told(POOL)).singleElement().asString().contains("r-1");
    }

    static Stream<CancelReply> what_an_ended_reservation_can_not_have() {
        return Stream.of(
                new CancelReply.ConfirmedAlready(BOOKS),
                new CancelReply.OtherCompensation(Phase.REFUNDED, "REFUND:r-1:f", BOOKS),
                new CancelReply.Mismatch("quantity", Phase.RESERVED, BOOKS));
    }

    @Test
    void unknown_stays_unknown() {
        for (ReservationEffect effect : new ReservationEffect[] {TRY, CONFIRM, HAND_OFF, GOES_BACK}) {
            assertThat(perform(
                            new FixedScripts(Outcome.unknown("time-out")),
                            directory,
                            new CompensationAnswer.Refunded(SAME),
                            effect))
                    .isEqualTo(Outcome.unknown("time-out"));
        }
    }

    @Test
    void the_script_is_asked_with_the_pools_epoch_and_the_reservations_content() {
        FixedScripts scripts = new FixedScripts(Outcome.unknown("x"));
        perform(scripts, directory, new CompensationAnswer.Refunded(SAME), TRY);
        perform(scripts, directory, new CompensationAnswer.Refunded(SAME), CONFIRM);
        assertThat(scripts.asked)
                .containsExactly(
                        new TryRequest(POOL.value(), 3, "r-1", 5, Shop.NOW),
                        new ConfirmRequest(POOL.value(), 3, "r-1", 3, Shop.NOW));
    }

    @Test
    void redis_is_not_asked_under_an_epoch_the_journal_does_not_have_and_the_journal_is_told_it() {
        FixedScripts scripts = new FixedScripts(Outcome.unknown("x"));
        directory.stands(POOL, new PoolStanding.Serving(4));
        for (ReservationEffect effect : new ReservationEffect[] {TRY, CONFIRM, HAND_OFF, GOES_BACK}) {
            assertThat(perform(scripts, directory, new CompensationAnswer.Refunded(SAME), effect))
                    .isEqualTo(Outcome.known(new SeeEpoch(0, new PoolEpoch(POOL, 4))));
        }
        assertThat(perform(
                        scripts,
                        directory,
                        new CompensationAnswer.LoadedAnew(new PoolEpoch(POOL, 4)),
                        new ReleaseHold(
                                "r-1", POOL, 5, 7, 3, EffectPolicies.standard().script())))
                .isEqualTo(Outcome.known(new SeeEpoch(7, new PoolEpoch(POOL, 4))));
        assertThat(scripts.asked).isEmpty();
        assertThat(directory.told(POOL)).isEmpty();
    }

    @Test
    void redis_is_not_asked_by_a_node_that_has_not_heard_of_the_epoch_in_the_journal() {
        FixedScripts scripts = new FixedScripts(Outcome.unknown("x"));
        directory.stands(POOL, new PoolStanding.Serving(2));
        for (ReservationEffect effect : new ReservationEffect[] {TRY, CONFIRM, HAND_OFF, GOES_BACK}) {
            assertThat(perform(scripts, directory, new CompensationAnswer.Refunded(SAME), effect))
                    .isInstanceOf(Outcome.Unavailable.class);
        }
        assertThat(scripts.asked).isEmpty();
        assertThat(directory.forgotten(POOL)).isEqualTo(4);
        assertThat(directory.told(POOL)).isEmpty();
    }

    static Stream<Outcome<PoolStanding>> pools_that_do_not_serve() {
        return Stream.of(
                Outcome.known(new PoolStanding.Unknown()),
                Outcome.known(new PoolStanding.NotReady()),
                Outcome.known(new PoolStanding.Suspect("restart")),
                Outcome.unknown("no answer"),
                Outcome.unavailable("starting"));
    }

    @ParameterizedTest
    @MethodSource("pools_that_do_not_serve")
    void redis_is_not_asked_for_a_pool_that_does_not_serve(Outcome<PoolStanding> standing) {
        FixedScripts scripts = new FixedScripts(Outcome.unknown("x"));
        directory.answers(POOL, standing);
        Outcome<ReservationCommand> outcome = perform(scripts, directory, new CompensationAnswer.Refunded(SAME), TRY);
        assertThat(outcome).isNotInstanceOf(Outcome.Known.class);
        assertThat(scripts.asked).isEmpty();
    }

    @Test
    void what_a_compensation_says_comes_back_as_the_outcome() {
        ReleaseHold release =
                new ReleaseHold("r-1", POOL, 5, 0, 3, EffectPolicies.standard().script());
        RefundHold refund = new RefundHold(
                "r-1",
                POOL,
                new Refund("f-1", 2, true),
                0,
                3,
                EffectPolicies.standard().script());
        FixedScripts none = new FixedScripts(Outcome.unknown("not asked"));
        assertThat(perform(none, directory, new CompensationAnswer.Released(5, SAME), release))
                .isEqualTo(Outcome.known(new ReleaseAnswered(5, SAME)));
        assertThat(perform(none, directory, new CompensationAnswer.Refunded(SAME), refund))
                .isEqualTo(Outcome.known(new RefundAnswered("f-1", SAME)));
        var contradicted = new CompensationAnswer.Contradicted("CONFIRMED_ALREADY", Map.of("a", "b"));
        assertThat(perform(none, directory, contradicted, release))
                .isEqualTo(Outcome.known(
                        new ContradictionFound(release.operationId(), "CONFIRMED_ALREADY", Map.of("a", "b"))));
    }
}
