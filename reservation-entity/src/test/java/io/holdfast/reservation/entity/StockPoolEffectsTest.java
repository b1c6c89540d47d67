package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Books;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.PoolAdjustReply;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.OperationDone;
import io.holdfast.reservation.domain.StockPoolCommand.OperationTurnedDown;
import io.holdfast.reservation.domain.StockPoolCommand.Suspect;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StockPoolEffectsTest {

    private static final Books BOOKS = new Books(1, 1, 10, 0, 10, 0, 0);
    private static final io.holdfast.reservation.domain.Books SAME = ScriptAnswers.books(BOOKS);
    private static final PoolOperation.Init INIT = new PoolOperation.Init("init-1", 10);
    private static final PoolOperation.Adjust ADJUST = new PoolOperation.Adjust("adjust-1", 6, OptionalLong.empty());
    private static final PoolOperation.Pause PAUSE = new PoolOperation.Pause("pause-1");

    private static Outcome<StockPoolCommand> answer(PoolOperation operation, Object reply) {
        try (Shop shop = new Shop(new FixedScripts(Outcome.known(reply)))) {
            if (!(operation instanceof PoolOperation.Init)) {
                shop.give(INIT);
                shop.give(new OperationDone("init-1", SAME));
            }
            shop.give(operation);
            return shop.attemptPool().orElseThrow();
        }
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(
                        INIT, new PoolInitReply.Created(BOOKS, Shop.NOW, false), new OperationDone("init-1", SAME)),
                Arguments.of(
                        ADJUST,
                        new PoolAdjustReply.Adjusted(BOOKS, Shop.NOW, true),
                        new OperationDone("adjust-1", SAME)),
                Arguments.of(
                        ADJUST,
                        new PoolAdjustReply.WrongStatus(PoolStatus.CLOSED, BOOKS),
                        new OperationTurnedDown("adjust-1", StockPoolRefusal.POOL_CLOSED)),
                Arguments.of(
                        ADJUST,
                        new PoolAdjustReply.TooFewAvailable(2, BOOKS),
                        new OperationTurnedDown("adjust-1", StockPoolRefusal.UNITS_SHORT)),
                Arguments.of(
                        PAUSE,
                        new PoolStatusReply.Changed(PoolStatus.PAUSED, BOOKS, Shop.NOW, false, ""),
                        new OperationDone("pause-1", SAME)),
                Arguments.of(
                        PAUSE,
                        new PoolStatusReply.WrongStatus(PoolStatus.ARCHIVED, BOOKS),
                        new OperationTurnedDown("pause-1", StockPoolRefusal.POOL_CLOSED)));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void an_answer_is_an_outcome(PoolOperation operation, Object reply, StockPoolCommand expected) {
        assertThat(answer(operation, reply)).isEqualTo(Outcome.known(expected));
    }

    static Stream<Arguments> impossible_answers() {
        return Stream.of(
                Arguments.of(INIT, new PoolInitReply.Exists(PoolStatus.OPEN, BOOKS), "EXISTS"),
                Arguments.of(INIT, new PoolInitReply.Conflict(BOOKS), "CONFLICT"),
                Arguments.of(INIT, new GuardRefusal.PoolSuspect(PoolStatus.OPEN, true), "POOL_SUSPECT"),
                Arguments.of(ADJUST, new PoolAdjustReply.Conflict(BOOKS), "CONFLICT"),
                Arguments.of(ADJUST, new PoolAdjustReply.Outdated(7, BOOKS), "OUTDATED"),
                Arguments.of(ADJUST, new PoolAdjustReply.WrongStatus(PoolStatus.SUSPECT, BOOKS), "WRONG_STATUS"),
                Arguments.of(ADJUST, new GuardRefusal.PoolMissing(), "POOL_MISSING"),
                Arguments.of(ADJUST, new GuardRefusal.StaleEpoch(2), "STALE_EPOCH"),
                Arguments.of(PAUSE, new PoolStatusReply.Conflict(BOOKS), "CONFLICT"),
                Arguments.of(PAUSE, new PoolStatusReply.StillReserved(BOOKS), "STILL_RESERVED"),
                Arguments.of(PAUSE, new GuardRefusal.BrokenBooks("sold"), "BROKEN_BOOKS"));
    }

    @ParameterizedTest
    @MethodSource("impossible_answers")
    void an_answer_that_must_not_be_makes_the_pool_suspect(PoolOperation operation, Object reply, String code) {
        assertThat(answer(operation, reply))
                .isInstanceOfSatisfying(
                        Outcome.Known.class,
                        known -> assertThat(known.value())
                                .isInstanceOfSatisfying(
                                        Suspect.class,
                                        suspect ->
                                                assertThat(suspect.evidence()).startsWith(code)));
    }

    @Test
    void a_malformed_call_is_turned_down_for_it_would_hold_up_all_that_come_after_it() {
        for (PoolOperation operation : new PoolOperation[] {INIT, ADJUST, PAUSE}) {
            assertThat(answer(operation, new GuardRefusal.Malformed("operation_id")))
                    .isEqualTo(Outcome.known(
                            new OperationTurnedDown(operation.operationId(), StockPoolRefusal.OPERATION_MALFORMED)));
        }
    }

    @Test
    void over_the_real_scripts_every_operation_happens_once() {
        try (Shop shop = Shop.open(10)) {
            shop.hold("a", 4);
            shop.give(ADJUST);
            shop.attemptPool();
            shop.attemptPool();
            shop.runPool();
            assertThat(shop.pool.latestBooks().orElseThrow())
                    .isEqualTo(new io.holdfast.reservation.domain.Books(1, 3, 6, 0, 2, 4, 0));
            shop.give(new PoolOperation.Adjust("adjust-2", 3, OptionalLong.of(2)));
            shop.runPool();
            assertThat(shop.pool.latestBooks().orElseThrow())
                    .isEqualTo(new io.holdfast.reservation.domain.Books(1, 4, 3, 1, 0, 4, 0));
        }
    }
}
