package io.holdfast.compensation.entity;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.compensation.domain.CompensationRefusal;
import io.holdfast.compensation.port.Owing;
import io.holdfast.engine.runtime.MachineDefinition;

/** The compensation machine with what performs its effects, ready for the runtime. */
public final class CompensationEntities {

    private CompensationEntities() {}

    /**
     * The definition to start on every node.
     *
     * @param policies how scripts are attempted, and who decides
     * @param scripts what is asked of Redis
     * @param owing whether the reservation still owes it
     */
    public static MachineDefinition<Compensation, CompensationCommand, CompensationEvent, CompensationEffect>
            definition(CompensationPolicies policies, CompensationScripts scripts, Owing owing) {
        return MachineDefinition.of(
                new CompensationMachine(policies),
                new CompensationEffects(scripts, owing),
                Compensation.class,
                CompensationCommand.class,
                CompensationEvent.class,
                CompensationRefusal.class);
    }
}
