package io.holdfast.reservation.entity;

import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.GroupCall;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.InstantSource;

/** The reservation machine with what performs its effects, ready for the runtime. */
public final class ReservationEntities {

    private ReservationEntities() {}

    /**
     * The definition to start on every node.
     *
     * @param policies how effects are attempted
     * @param scripts the stock scripts
     * @param pools where pools stand
     * @param compensations who gives stock back
     * @param orders who is asked for news of an overdue hold
     * @param requests who asks for the orders of admitted holds
     * @param groups brings the other lines of a group in
     * @param clock time that goes into Redis as the time of an operation
     */
    public static MachineDefinition<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> definition(
            EffectPolicies policies,
            StockScripts scripts,
            PoolDirectory pools,
            Compensations compensations,
            OrderDirectory orders,
            OrderRequests requests,
            GroupCall groups,
            InstantSource clock) {
        return MachineDefinition.of(
                new ReservationMachine(policies),
                new WithGeneration<>(
                        new ReservationEffects(scripts, pools, compensations, orders, requests, groups, clock),
                        (effect, answer) -> new ReservationCommand.AnsweredUnder(effect.generation(), answer)),
                Reservation.class,
                ReservationCommand.class,
                ReservationEvent.class,
                ReservationRefusal.class);
    }
}
