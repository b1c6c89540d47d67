package io.holdfast.testkit.entities;

import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.TicketMachine;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** The simulated fleet keeps the contract, as long as no fault strikes. */
class SimulatedEntitiesTest extends EntitiesConformance {

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Simulation simulation = Simulation.of(1, Storm.none());
    private final Timeline timeline = simulation.world().timeline();
    private SimulatedEntities<Ticket, Command, Event, Call> tickets;

    @Override
    protected Entities<Ticket, Command> over(EffectPerformer<Call, Command> outside) {
        tickets = simulation
                .fleet()
                .host(MachineDefinition.of(
                        new TicketMachine(), outside, Ticket.class, Command.class, Event.class, Ticket.No.class));
        return tickets;
    }

    @Override
    protected <T> T when(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        until(future::isDone);
        return future.join();
    }

    @Override
    protected void until(BooleanSupplier so) {
        Instant end = timeline.now().plus(LONGEST);
        while (!so.getAsBoolean()) {
            if (!timeline.step() || timeline.now().isAfter(end)) {
                throw new AssertionError("it was never so");
            }
        }
    }

    @Override
    protected Instant now() {
        return timeline.now();
    }

    @Override
    protected void lose(String entityId) {
        tickets.lose(entityId);
    }
}
