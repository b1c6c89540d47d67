package io.holdfast.compensation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.domain.Resolution.Ending;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.CompensationAnswer.Contradicted;
import io.holdfast.reservation.port.CompensationAnswer.Decided;
import io.holdfast.reservation.port.CompensationAnswer.Refunded;
import io.holdfast.reservation.port.CompensationAnswer.Released;
import io.holdfast.reservation.port.CompensationAnswer.TooLate;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolStanding;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
class DirectCompensationsTest {

    private static final Outcome<CompensationAnswer> HANDED_ON =
            Outcome.known(new Decided(Ending.CONFIRMED, "handed on"));
    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final Books BOOKS = new Books(1, 3, 10, 0, 10, 0, 0);
    private static final io.holdfast.reservation.domain.Books SAME =
            new io.holdfast.reservation.domain.Books(1, 3, 10, 0, 10, 0, 0);

    /** 5 units, held and to be released. */
    private static final ReleaseHold RELEASE = owed(ReleaseHold.class);
    /** Refund refund-1 of 2 of the 5 units. */
    private static final RefundHold REFUND = owed(RefundHold.class);

    private final KnownPools directory = KnownPools.of(RELEASE.pool(), new PoolStanding.Serving(1));

    private static <X> X owed(Class<X> effect) {
        ReservationSamples samples = new ReservationSamples();
        return samples.states().stream()
                .map(sample -> (Reservation) sample.value())
                .flatMap(state -> samples.machine().owe(state).effects().stream())
                .filter(effect::isInstance)
                .map(effect::cast)
                .findFirst()
                .orElseThrow();
    }

    private final List<Object> asked = new ArrayList<>();
    /** What was handed on to compensations with journals of their own. */
    private final List<Object> handedOn = new ArrayList<>();

    private final Compensations contradictions = new Compensations() {
        @Override
        public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
            return answered(effect);
        }

        @Override
        public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
            return answered(effect);
        }

        @Override
        public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
            return answered(effect);
        }

        private CompletionStage<Outcome<CompensationAnswer>> answered(Object effect) {
            handedOn.add(effect);
            return CompletableFuture.completedFuture(HANDED_ON);
        }
    };

    /** Scripts that give this answer to whatever they are asked. */
    private StockScripts answering(Outcome<?> answer) {
        return (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, _, arguments) -> {
                    asked.add(arguments[0]);
                    return CompletableFuture.completedFuture(answer);
                });
    }

    private DirectCompensations over(StockScripts scripts) {
        return new DirectCompensations(
                new CompensationScripts(scripts, directory, InstantSource.fixed(NOW)), contradictions);
    }

    private Outcome<CompensationAnswer> release(Object reply) {
        return over(answering(Outcome.known(reply)))
                .release(RELEASE)
                .toCompletableFuture()
                .join();
    }

    private Outcome<CompensationAnswer> refund(Object reply) {
        return over(answering(Outcome.known(reply)))
                .refund(REFUND)
                .toCompletableFuture()
                .join();
    }

    static Stream<Arguments> answers_to_a_release() {
        return Stream.of(
                Arguments.of(new CancelReply.Released(BOOKS, NOW), new Released(5, SAME)),
                Arguments.of(new CancelReply.AlreadyReleased(BOOKS, NOW), new Released(5, SAME)),
                Arguments.of(
                        new CancelReply.FencedEmpty(BOOKS, NOW, false),
                        new Contradicted("FENCED_EMPTY", Map.of("expected_held", "5"))),
                Arguments.of(new CancelReply.ConfirmedAlready(BOOKS), new Contradicted("CONFIRMED_ALREADY", Map.of())),
                Arguments.of(
                        new CancelReply.OtherCompensation(Phase.REFUNDED, "REFUND:x:y", BOOKS),
                        new Contradicted(
                                "OTHER_COMPENSATION", Map.of("phase", "REFUNDED", "operation_id", "REFUND:x:y"))),
                Arguments.of(
                        new CancelReply.Mismatch("quantity", Phase.RESERVED, BOOKS),
                        new Contradicted("MISMATCH", Map.of("what", "quantity", "phase", "RESERVED"))));
    }

    @ParameterizedTest
    @MethodSource("answers_to_a_release")
    void an_answer_to_a_release_is_an_outcome(CancelReply reply, CompensationAnswer expected) {
        hears(release(reply), expected, RELEASE);
        assertThat(directory.told(RELEASE.pool())).isEmpty();
    }

    /** What contradicts the journal is handed on, and nothing else. */
    private void hears(Outcome<CompensationAnswer> heard, CompensationAnswer expected, Object effect) {
        if (expected instanceof Contradicted) {
            assertThat(heard).isEqualTo(HANDED_ON);
            assertThat(handedOn).containsExactly(effect);
        } else {
            assertThat(heard).isEqualTo(Outcome.known(expected));
            assertThat(handedOn).isEmpty();
        }
    }

    @Test
    void what_waits_for_a_person_is_not_asked_of_redis() {
        AwaitCompensation waiting =
                new AwaitCompensation(RELEASE, EffectPolicies.standard().await());
        assertThat(over(answering(Outcome.known(new CancelReply.Released(BOOKS, NOW))))
                        .await(waiting)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(HANDED_ON);
        assertThat(handedOn).containsExactly(waiting);
        assertThat(asked).isEmpty();
    }

    static Stream<Arguments> answers_to_a_refund() {
        return Stream.of(
                Arguments.of(new RefundReply.Refunded(Phase.CONFIRMED, 3, BOOKS, NOW, false), new Refunded(SAME)),
                Arguments.of(new RefundReply.Refunded(Phase.CONFIRMED, 3, BOOKS, NOW, true), new Refunded(SAME)),
                Arguments.of(
                        new RefundReply.Conflict(1, false, "REFUND:x:y", BOOKS),
                        new Contradicted(
                                "CONFLICT", Map.of("quantity", "1", "restock", "false", "operation_id", "REFUND:x:y"))),
                Arguments.of(new RefundReply.Exceeds(1, BOOKS), new Contradicted("EXCEEDS", Map.of("left", "1"))),
                Arguments.of(
                        new RefundReply.Contradiction(Phase.CANCELED, BOOKS),
                        new Contradicted("CONTRADICTION", Map.of("phase", "CANCELED"))));
    }

    @Test
    void a_pool_that_redis_has_archived_before_its_journal_says_so_is_waited_for() {
        assertThat(refund(new RefundReply.Archived(BOOKS))).isInstanceOf(Outcome.Unavailable.class);
        assertThat(directory.told(RELEASE.pool())).isEmpty();
    }

    @Test
    void of_an_archived_pool_redis_is_asked_nothing() {
        directory.stands(REFUND.pool(), new PoolStanding.Archived(SAME));
        assertThat(refund(new RefundReply.Archived(BOOKS))).isEqualTo(Outcome.known(new TooLate()));
        assertThat(release(new CancelReply.Released(BOOKS, NOW)))
                .as("whatever was held went back before")
                .isEqualTo(HANDED_ON);
        assertThat(handedOn).containsExactly(RELEASE);
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("answers_to_a_refund")
    void an_answer_to_a_refund_is_an_outcome(RefundReply reply, CompensationAnswer expected) {
        hears(refund(reply), expected, REFUND);
        assertThat(directory.told(RELEASE.pool())).isEmpty();
    }

    static Stream<Arguments> answers_that_redis_must_not_give() {
        return Stream.of(
                Arguments.of(new GuardRefusal.PoolMissing(), "POOL_MISSING"),
                Arguments.of(new GuardRefusal.PoolSuspect(PoolStatus.SUSPECT, false), "POOL_SUSPECT"),
                Arguments.of(new GuardRefusal.StaleEpoch(2), "STALE_EPOCH"),
                Arguments.of(new GuardRefusal.BrokenBooks("reserved"), "BROKEN_BOOKS"));
    }

    @ParameterizedTest
    @MethodSource("answers_that_redis_must_not_give")
    void they_are_no_outcome_and_make_the_pool_suspect(GuardRefusal reply, String code) {
        assertThat(release(reply)).isInstanceOf(Outcome.Unavailable.class);
        directory.stands(REFUND.pool(), new PoolStanding.Serving(1));
        assertThat(refund(reply)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(directory.told(RELEASE.pool())).hasSize(2).allMatch(evidence -> evidence.startsWith(code));
    }

    @Test
    void a_malformed_call_is_our_own_fault_and_not_the_pools_and_is_looked_at_rather_than_repeated() {
        assertThat(release(new GuardRefusal.Malformed("quantity"))).isEqualTo(HANDED_ON);
        assertThat(refund(new GuardRefusal.Malformed("quantity"))).isEqualTo(HANDED_ON);
        assertThat(handedOn).containsExactly(RELEASE, REFUND);
        assertThat(directory.told(RELEASE.pool())).isEmpty();
    }

    @Test
    void the_script_is_asked_under_the_effects_operation_id_and_always_expects_the_hold() {
        release(new CancelReply.Released(BOOKS, NOW));
        refund(new RefundReply.Refunded(Phase.CONFIRMED, 3, BOOKS, NOW, false));
        String id = RELEASE.reservationId();
        String pool = RELEASE.pool().value();
        assertThat(asked)
                .containsExactly(
                        new CancelRequest(pool, 1, id, "RELEASE:" + id, 5, true, NOW),
                        new RefundRequest(pool, 1, id, "REFUND:" + id + ":refund-1", "refund-1", 2, true, NOW));
    }

    @Test
    void redis_is_not_asked_for_a_pool_that_does_not_serve() {
        directory.stands(RELEASE.pool(), new PoolStanding.Suspect("restart"));
        assertThat(release(new CancelReply.Released(BOOKS, NOW)))
                .isEqualTo(Outcome.unavailable("POOL_SUSPECT: restart"));
        assertThat(asked).isEmpty();
    }
}
