package io.holdfast.compensation.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.testkit.simulation.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The simulated day is tested by faults put into it: each must be caught, by the claim that names it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each day is a world of its own
class SaleDayCatchesFaultsTest {

    private static final Duration STORM = Duration.ofMinutes(2);
    private static final Duration REST = Duration.ofMinutes(10);
    private static final Books NONE = new Books(1, 1, 0, 0, 0, 0, 0);

    @Test
    void an_adapter_that_takes_unknown_for_turned_down_leaves_units_held_for_nobody() {
        caught("JournalAgreesWithFence", seed -> new SaleDay(seed) {
            @Override
            EffectPerformer<ReservationEffect, ReservationCommand> outside(
                    EffectPerformer<ReservationEffect, ReservationCommand> performer) {
                return (id, effect) -> performer
                        .perform(id, effect)
                        .thenApply(outcome ->
                                outcome instanceof Outcome.Unknown<ReservationCommand> && effect instanceof TryHold
                                        ? Outcome.known(new AnsweredUnder(
                                                effect.generation(),
                                                new HoldAnswered(new HoldAnswer.Turned(DenialReason.SHORT, NONE))))
                                        : outcome);
            }
        });
    }

    @Test
    void a_compensation_that_says_done_before_it_is_keeps_units_from_being_sold() {
        caught("JournalAgreesWithFence", seed -> new SaleDay(seed) {
            @Override
            EffectPerformer<ReservationEffect, ReservationCommand> outside(
                    EffectPerformer<ReservationEffect, ReservationCommand> performer) {
                return (id, effect) -> effect instanceof ReleaseHold release
                        ? CompletableFuture.completedFuture(Outcome.known(new AnsweredUnder(
                                effect.generation(), new ReleaseAnswered(release.expectHeld(), NONE))))
                        : performer.perform(id, effect);
            }
        });
    }

    @Test
    void a_hold_that_is_called_granted_without_asking_redis_oversells() {
        caught("NeverOversold", seed -> new SaleDay(seed) {
            @Override
            EffectPerformer<ReservationEffect, ReservationCommand> outside(
                    EffectPerformer<ReservationEffect, ReservationCommand> performer) {
                return (id, effect) -> effect instanceof TryHold
                        ? CompletableFuture.completedFuture(Outcome.known(
                                new AnsweredUnder(effect.generation(), new HoldAnswered(new HoldAnswer.Granted(NONE)))))
                        : performer.perform(id, effect);
            }
        });
    }

    @Test
    void stock_that_appears_from_nowhere_is_seen_at_once() {
        caught("BooksBalance", seed -> {
            SaleDay day = new SaleDay(seed);
            day.simulation.nowAndThen(STORM.dividedBy(4), "", day.redis::addAUnitFromNowhere);
            return day;
        });
    }

    @Test
    void fences_that_are_lost_again_and_again_keep_their_pool_from_coming_to_rest() {
        List<SaleDay> days = new ArrayList<>();
        assertThatThrownBy(() -> Seeds.untilCaught(1, seed -> {
                    SaleDay day = new SaleDay(seed) {
                        @Override
                        EffectPerformer<ReservationEffect, ReservationCommand> outside(
                                EffectPerformer<ReservationEffect, ReservationCommand> performer) {
                            return (id, effect) -> performer.perform(id, effect).thenApply(outcome -> {
                                redis.forgetFence(effect.pool().value(), id);
                                return outcome;
                            });
                        }
                    };
                    days.add(day);
                    return prepared(day);
                }))
                .hasMessageContaining("NothingPendingForever:");
        var pools = days.getLast().pools;
        assertThat(pools.entityIds())
                .as("the pools know what they were suspected for")
                .anySatisfy(pool -> assertThat(pools.journal().read(pool))
                        .anyMatch(entry -> entry
                                        instanceof
                                        Entry.Happened<StockPoolEvent>(
                                                StockPoolEvent.SuspicionRaised(String evidence, long _),
                                                var _)
                                && evidence.startsWith("MISSING")));
    }

    private static Seeds.Prepared prepared(SaleDay day) {
        day.redisForgetsNothing();
        return new Seeds.Prepared(day.simulation, () -> day.run(STORM, REST));
    }

    private static void caught(String claim, LongFunction<SaleDay> broken) {
        assertThatThrownBy(() -> Seeds.untilCaught(3, seed -> prepared(broken.apply(seed))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(claim + ":");
    }
}
