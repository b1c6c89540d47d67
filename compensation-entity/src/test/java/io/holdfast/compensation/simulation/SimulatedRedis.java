package io.holdfast.compensation.simulation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation.Movement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Redis as the fleet sees it: the real scripts behind a bad network, a process that can be restarted with its data or with older ones. A call
 * reaches the process it was sent to or none; what that process answered can still arrive when it is gone.
 */
final class SimulatedRedis implements AutoCloseable {

    private static final String NOBODY = "none";

    private final RedisModel model = new RedisModel();
    private final World world;
    private final StockScripts scripts;
    private final List<String> pools;
    private final List<Movement> movements = new ArrayList<>();
    private final Map<String, Integer> timesLost = new HashMap<>();
    private RedisModel.@Nullable Snapshot snapshot;
    private int movementsInSnapshot;
    private int rollbacks;

    SimulatedRedis(World world, Faults faults, List<String> pools) {
        this.world = world;
        this.pools = pools;
        this.scripts = (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    Object request = arguments[0];
                    String process = model.processId();
                    return faults.pass(
                            request.toString(),
                            () -> model.processId().equals(process)
                                    ? watched(method, request)
                                    : CompletableFuture.completedFuture(
                                            Outcome.unknown("the connection ended with its process")));
                });
    }

    /** The port. */
    StockScripts scripts() {
        return scripts;
    }

    private CompletionStage<Outcome<Object>> watched(Method method, Object request) {
        Map<String, Numbers> before = numbers();
        CompletionStage<Outcome<Object>> stage = invoke(method, request);
        numbers().forEach((pool, after) -> {
            Numbers was = before.get(pool);
            if (was != null && !was.equals(after)) {
                String operation = operation(request);
                movements.add(new Movement(
                        operation + " (lost " + timesLost.getOrDefault(operation, 0) + " times)",
                        "in " + pool + " from " + was + " to " + after + " at "
                                + world.timeline().now()));
            }
        });
        return stage;
    }

    @SuppressWarnings(
            "unchecked") // Every method of the port returns a stage of an outcome; the caller of the proxy casts it
    // back.
    private CompletionStage<Outcome<Object>> invoke(Method method, Object request) {
        try {
            return (CompletionStage<Outcome<Object>>) method.invoke(model, request);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new AssertionError("the model must answer, not throw", e);
        }
    }

    private static String operation(Object request) {
        return switch (request) {
            case TryRequest attempt -> "TRY:" + attempt.reservation();
            case ConfirmRequest confirm -> "CONFIRM:" + confirm.reservation();
            case CancelRequest cancel -> cancel.operationId();
            case RefundRequest refund -> refund.operationId();
            case PoolInitRequest init -> init.operationId();
            case PoolAdjustRequest adjust -> adjust.operationId();
            case PoolStatusRequest _, PoolVerifyRequest _, LookRequest _, InspectRequest _ ->
                throw new AssertionError("moved stock, though it must not: " + request);
            default -> throw new AssertionError("unknown request: " + request);
        };
    }

    /** A pool's numbers as stored. */
    record Numbers(long version, long total, long deficit, long available, long reserved, long sold) {}

    /** Every pool that exists. */
    Map<String, Numbers> numbers() {
        Map<String, Numbers> all = new HashMap<>();
        for (String pool : pools) {
            Map<String, String> hash = model.hash("hf:{" + pool + "}:stock");
            if (!hash.isEmpty()) {
                all.put(
                        pool,
                        new Numbers(
                                number(hash, "version"),
                                number(hash, "total"),
                                number(hash, "deficit"),
                                number(hash, "available"),
                                number(hash, "reserved"),
                                number(hash, "sold")));
            }
        }
        return all;
    }

    private static long number(Map<String, String> hash, String field) {
        return Long.parseLong(hash.getOrDefault(field, "-1"));
    }

    /** Every movement, oldest first. One that a rollback lost may happen again and is named anew. */
    List<Movement> movements() {
        return movements;
    }

    /** Versions by pool; a rollback starts new ones. */
    Map<String, Long> versions() {
        Map<String, Long> versions = new HashMap<>();
        numbers()
                .forEach((pool, numbers) ->
                        versions.put(pool + " after " + rollbacks + " rollbacks", numbers.version()));
        return versions;
    }

    /** What is stored of a pool and a reservation, read at once and without faults. */
    LookReply.Seen see(String pool, Optional<String> reservation) {
        var outcome = model.look(new LookRequest(pool, reservation.orElse(NOBODY)))
                .toCompletableFuture()
                .join();
        if (outcome instanceof Outcome.Known<LookReply>(LookReply.Seen seen)) {
            return seen;
        }
        throw new AssertionError("could not look at " + pool + ": " + outcome);
    }

    /** Whether a script that moves stock of this pool would get past the guards. */
    boolean serves(String pool) {
        return numbers().containsKey(pool) && see(pool, Optional.empty()).trusted();
    }

    /** The numbers with their names, for messages. */
    Books books(String pool) {
        return see(pool, Optional.empty()).books();
    }

    /** The process dies and another one comes up with all its data. */
    void restart() {
        world.timeline().note("Redis restarts with its data");
        model.restart();
    }

    /** From here on a rollback comes back to this moment. */
    void keepSnapshot() {
        snapshot = model.snapshot();
        movementsInSnapshot = movements.size();
    }

    /** The process dies and another one comes up with the data of the snapshot. */
    void rollBack() {
        if (snapshot == null) {
            throw new IllegalStateException("no snapshot to roll back to");
        }
        world.timeline().note("Redis comes back with an older state");
        model.restore(snapshot);
        model.restart();
        rollbacks++;
        for (Movement lost : movements.subList(movementsInSnapshot, movements.size())) {
            timesLost.merge(lost.operationId().substring(0, lost.operationId().indexOf(' ')), 1, Integer::sum);
        }
        movementsInSnapshot = movements.size();
    }

    /** Behind every script's back. */
    void addAUnitFromNowhere() {
        String key = "hf:{" + pools.getFirst() + "}:stock";
        long available = number(model.hash(key), "available");
        model.put(key, "available", Long.toString(available + 1));
    }

    /** Behind every script's back. */
    void forgetFence(String pool, String reservation) {
        model.remove("hf:{" + pool + "}:r:" + reservation);
    }

    @Override
    public void close() {
        model.close();
    }
}
