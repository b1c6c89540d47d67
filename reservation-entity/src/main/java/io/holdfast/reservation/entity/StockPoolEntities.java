package io.holdfast.reservation.entity;

import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.port.OpeningNotice;
import io.holdfast.reservation.port.Pause;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.reservation.port.SiblingPools;
import io.holdfast.reservation.port.VerificationNotice;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The stock-pool machine with what performs its effects, ready for the runtime. */
public final class StockPoolEntities {

    /** How long one comparison or rebuild waits for the view to catch up. */
    private static final Duration VIEW_PATIENCE = Duration.ofSeconds(60);

    /** Numbers of attempts go into the journal as JSON, where greater ones would not be exact everywhere. */
    private static final long PAST_LARGEST_EXACT = 1L << 53;

    private StockPoolEntities() {}

    /**
     * The definition to start on every node.
     *
     * @param policies how effects are attempted
     * @param scripts the stock scripts
     * @param sales what sales can truly sell
     * @param siblings the other pools of a sale
     * @param reservations the reservations of a pool as journaled
     * @param notice tells reservations of a comparison or a rebuild
     * @param opening has a pool journal that it is about to be opened
     * @param handOver brings what a gate has let in into the journals first
     * @param view how far the projection behind {@code reservations} has come
     * @param clock time that goes into Redis as the time of an operation
     * @param keepArchived how long the keys of an archived pool stay in Redis
     */
    public static MachineDefinition<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> definition(
            EffectPolicies policies,
            StockScripts scripts,
            SaleStock sales,
            SiblingPools siblings,
            PoolReservations reservations,
            VerificationNotice notice,
            OpeningNotice opening,
            HandOver handOver,
            ProjectionProgress view,
            InstantSource clock,
            Duration keepArchived) {
        return definition(
                policies,
                scripts,
                sales,
                siblings,
                reservations,
                notice,
                opening,
                handOver,
                view,
                clock,
                keepArchived,
                Pause.real(),
                () -> ThreadLocalRandom.current().nextLong(1, PAST_LARGEST_EXACT));
    }

    /**
     * The definition with time and chance of the caller's making.
     *
     * @param pause waits before a call of Redis that failed is repeated
     * @param attempts a new number for every attempt of a comparison or a rebuild, from 1 to 2^53-1, never given twice in this fleet
     */
    public static MachineDefinition<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> definition(
            EffectPolicies policies,
            StockScripts scripts,
            SaleStock sales,
            SiblingPools siblings,
            PoolReservations reservations,
            VerificationNotice notice,
            OpeningNotice opening,
            HandOver handOver,
            ProjectionProgress view,
            InstantSource clock,
            Duration keepArchived,
            Pause pause,
            LongSupplier attempts) {
        var told = new FreezeNotice(notice);
        var whole = new WholeView(reservations, view, VIEW_PATIENCE);
        var verification =
                new PoolVerification(scripts, reservations, told, opening, handOver, whole, clock, pause, attempts);
        var rebuild = new PoolRebuild(scripts, reservations, told, opening, handOver, whole, clock, pause, attempts);
        var archiving = new PoolArchiving(scripts, reservations, whole, clock, keepArchived);
        return MachineDefinition.of(
                new StockPoolMachine(policies),
                new WithGeneration<>(
                        new StockPoolEffects(scripts, sales, siblings, verification, rebuild, archiving, clock),
                        (effect, answer) -> new StockPoolCommand.AnsweredUnder(effect.generation(), answer)),
                StockPool.class,
                StockPoolCommand.class,
                StockPoolEvent.class,
                StockPoolRefusal.class);
    }
}
