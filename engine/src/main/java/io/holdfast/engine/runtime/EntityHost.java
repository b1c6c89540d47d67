package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.machine.Machine;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What all actors of one machine on one node share. */
final class EntityHost<S, C, E, X extends Effect> {

    private final MachineDefinition<S, C, E, X> definition;
    private final EngineSettings settings;
    private final EngineListener listener;
    private final InstantSource clock;
    private final PersistencePlugins plugins;
    private final EntryAdapter<E> adapter;
    private final BooleanSupplier doubt;
    private final Consumer<String> waker;
    private final RestingEntities resting;
    private final AtomicLong lives = new AtomicLong();

    EntityHost(
            MachineDefinition<S, C, E, X> definition,
            EngineSettings settings,
            EngineListener listener,
            InstantSource clock,
            PersistencePlugins plugins,
            BooleanSupplier doubt,
            Consumer<String> waker) {
        this.definition = definition;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.plugins = plugins;
        this.adapter = new EntryAdapter<>(definition.machine().name(), definition.journal());
        this.doubt = doubt;
        this.waker = waker;
        this.resting = new RestingEntities(settings.maxResting());
    }

    String name() {
        return definition.machine().name();
    }

    Machine<S, C, E, X> machine() {
        return definition.machine();
    }

    EffectPerformer<X, C> performer() {
        return definition.performer();
    }

    EngineSettings settings() {
        return settings;
    }

    EngineListener listener() {
        return listener;
    }

    InstantSource clock() {
        return clock;
    }

    PersistencePlugins plugins() {
        return plugins;
    }

    EntryAdapter<E> adapter() {
        return adapter;
    }

    RestingEntities resting() {
        return resting;
    }

    /** Whether another node may have taken over what runs here: then nobody is answered from memory. */
    boolean inDoubt() {
        return doubt.getAsBoolean();
    }

    /** A number no other life of an actor on this node has. */
    long nextLife() {
        return lives.incrementAndGet();
    }

    /** Has the entity started again, wherever its shard lives. */
    void wake(String entityId) {
        waker.accept(entityId);
    }
}
