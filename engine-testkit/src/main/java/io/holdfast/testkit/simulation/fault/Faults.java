package io.holdfast.testkit.simulation.fault;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.simulation.World;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A network with every fault in front of a port that itself answers at once. */
public final class Faults {

    private final World world;
    private final List<Fault> outermostFirst;

    private Faults(World world, List<Fault> outermostFirst) {
        this.world = world;
        this.outermostFirst = outermostFirst;
    }

    /**
     * Every fault.
     *
     * @param probability of each of them, per call
     */
    public static Faults all(World world, double probability) {
        return new Faults(
                world,
                List.of(
                        new Network(world),
                        new RefusedConnection(world, probability),
                        new SlowStore(world, probability),
                        new LateExecution(world, probability),
                        new LostReply(world, probability),
                        new DuplicateExecution(world, probability)));
    }

    /** Distance alone. */
    public static Faults none(World world) {
        return new Faults(world, List.of(new Network(world)));
    }

    /** The performer behind the network. */
    public <X extends Effect, C> EffectPerformer<X, C> around(EffectPerformer<X, C> performer) {
        return (entityId, effect) -> pass(effect.operationId(), () -> performer.perform(entityId, effect));
    }

    /**
     * Any port behind the network.
     *
     * @param port its interface; every method returns {@code CompletionStage<Outcome<...>>}
     */
    public <P> P around(Class<P> port, P inner) {
        InvocationHandler handler = (_, method, arguments) -> {
            if (method.getReturnType() != CompletionStage.class) {
                throw new IllegalArgumentException(method + " does not return a stage of an outcome");
            }
            return pass(new Named(method, arguments), () -> invoke(() -> method.invoke(inner, arguments)));
        };
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
    }

    /** A call of a method, printed only where somebody reads it. */
    private record Named(Method method, Object @Nullable [] arguments) {
        @Override
        public String toString() {
            return method.getName() + (arguments == null ? "" : Arrays.toString(arguments));
        }
    }

    private interface Invocation {
        Object invoke() throws IllegalAccessException, InvocationTargetException;
    }

    @SuppressWarnings(
            "unchecked") // Every method of the port returns a stage of an outcome; the caller casts it to its own type.
    private static CompletionStage<Outcome<Object>> invoke(Invocation invocation) {
        try {
            return (CompletionStage<Outcome<Object>>) invocation.invoke();
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new AssertionError("a port must answer with a stage, not throw", e);
        }
    }

    /**
     * A call behind the network.
     *
     * @param what the call; printed where there is a trace
     * @param call executes it and answers at once; may be run later, twice or never
     */
    public <T> CompletionStage<Outcome<T>> pass(Object what, Supplier<CompletionStage<Outcome<T>>> call) {
        Fault.Call<T> behind = call::get;
        for (Fault fault : outermostFirst.reversed()) {
            Fault.Call<T> next = behind;
            behind = () -> fault.pass(what, next);
        }
        Fault.Call<T> all = behind;
        return world.chance().apart(all::execute);
    }
}
