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
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.VerificationNotice;
import java.time.Duration;
import java.time.InstantSource;

/** The stock-pool machine with what performs its effects, ready for the runtime. */
public final class StockPoolEntities {

    /** How long one comparison waits for the view to catch up. */
    private static final Duration VIEW_PATIENCE = Duration.ofSeconds(60);

    private StockPoolEntities() {}

    /**
     * The definition to start on every node.
     *
     * @param policies how effects are attempted
     * @param scripts the stock scripts
     * @param reservations the reservations of a pool as journaled
     * @param notice tells reservations of a comparison
     * @param view how far the projection behind {@code reservations} has come
     * @param clock time that goes into Redis as the time of an operation
     */
    public static MachineDefinition<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> definition(
            EffectPolicies policies,
            StockScripts scripts,
            PoolReservations reservations,
            VerificationNotice notice,
            ProjectionProgress view,
            InstantSource clock) {
        var verification = new PoolVerification(scripts, reservations, notice, view, VIEW_PATIENCE, clock);
        return MachineDefinition.of(
                new StockPoolMachine(policies),
                new WithGeneration<>(
                        new StockPoolEffects(scripts, verification, clock),
                        (effect, answer) -> new StockPoolCommand.AnsweredUnder(effect.generation(), answer)),
                StockPool.class,
                StockPoolCommand.class,
                StockPoolEvent.class,
                StockPoolRefusal.class);
    }
}
