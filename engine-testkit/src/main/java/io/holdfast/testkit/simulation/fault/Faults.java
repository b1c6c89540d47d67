package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;

/** All faults of a port around a performer that answers at once. */
public final class Faults {

    private Faults() {}

    /**
     * The performer behind a network with every fault.
     *
     * @param store performs at once and must be idempotent by operation id
     * @param probability of each fault, per attempt
     */
    public static <X extends Effect, C> EffectPerformer<X, C> around(
            EffectPerformer<X, C> store, World world, double probability) {
        EffectPerformer<X, C> faulty = new DuplicateExecution<>(store, world, probability);
        faulty = new LostReply<>(faulty, world, probability);
        faulty = new LateExecution<>(faulty, world, probability);
        faulty = new SlowStore<>(faulty, world, probability);
        faulty = new RefusedConnection<>(faulty, world, probability);
        return new Network<>(faulty, world);
    }
}
