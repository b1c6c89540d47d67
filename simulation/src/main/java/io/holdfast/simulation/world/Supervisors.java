package io.holdfast.simulation.world;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Resolution;
import io.holdfast.compensation.domain.Statement;
import io.holdfast.engine.machine.Cause;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Persons who stop compensations, and have every one that waits for a person tried again; where two are needed, the second agrees later. */
final class Supervisors {

    private static final Duration LOOK_EVERY = Duration.ofSeconds(10);
    private static final Statement ANNA = Statement.of("anna", "looked at it", "INC-1");
    private static final Statement BEN = Statement.of("ben", "looked at it, too", "INC-1");

    private final World world;
    private final Client<Compensation, CompensationCommand> client;
    private final SimulatedEntities<Compensation, CompensationCommand, ?, ?> compensations;

    Supervisors(
            World world,
            Client<Compensation, CompensationCommand> client,
            SimulatedEntities<Compensation, CompensationCommand, ?, ?> compensations) {
        this.world = world;
        this.client = client;
        this.compensations = compensations;
        world.timeline().after(LOOK_EVERY, "", this::look);
    }

    /** Somebody stops one, wherever it is, or says something about it that is not asked. */
    void meddle() {
        List<String> ids = compensations.entityIds();
        if (!ids.isEmpty()) {
            tell(
                    world.chance().pick(ids),
                    switch (world.chance().between(1, 5)) {
                        case 1 -> new CompensationCommand.Decline(BEN);
                        case 2 -> new CompensationCommand.Approve(new Resolution.Again(), BEN);
                        case 3 -> new CompensationCommand.Resolve(new Resolution.Again(), ANNA);
                        default -> new CompensationCommand.Freeze(ANNA);
                    });
        }
    }

    private void look() {
        for (String id : compensations.entityIds()) {
            if (compensations.journaled(id).state() instanceof Compensation.Manual manual) {
                tell(
                        id,
                        manual.proposal().isEmpty()
                                ? new CompensationCommand.Resolve(new Resolution.Again(), ANNA)
                                : new CompensationCommand.Approve(
                                        manual.proposal().get().resolution(), BEN));
            }
        }
        world.timeline().after(LOOK_EVERY, "", this::look);
    }

    private void tell(String id, CompensationCommand command) {
        String key = world.chance().id("supervisor");
        client.ask(
                id, new Cause(key, "hash of " + command, Cause.Kind.OPERATOR, "operator", Optional.empty()), command);
    }
}
