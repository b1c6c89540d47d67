package io.holdfast.simulation.store;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.OrderTryRequest;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolRepairRequest;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolTags;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.testkit.simulation.Timeline;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation.Movement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Redis as the fleet sees it: the real scripts behind a bad network, a process that can be restarted with its data, with older ones or with
 * none, or flushed as it runs. A call
 * reaches the process it was sent to or none; what that process answered can still arrive when it is gone.
 */
public final class SimulatedRedis implements AutoCloseable {

    private static final String NOBODY = "none";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration STILL_AT_MOST = Duration.ofSeconds(60);
    private static final double STANDS_STILL = 0.01;

    private final RedisModel model;
    private final World world;
    private final StockScripts scripts;
    private final List<String> pools;
    private final List<Movement> movements = new ArrayList<>();
    private final Map<String, Integer> timesLost = new HashMap<>();
    private final Map<String, Set<String>> operations = new HashMap<>();
    /** Read from the model once after every change: claims look at them after every step. */
    private @Nullable Map<String, Numbers> numbers;

    private @Nullable Map<String, Long> versions;
    private RedisModel.@Nullable Snapshot snapshot;
    private Instant outUntil = Instant.MIN;
    private int writesUntilFailover;
    private int movementsInSnapshot;
    private int losses;
    private int daysPassed;

    /** With the scripts as they are. */
    public SimulatedRedis(World world, Faults faults, List<String> pools) {
        this(world, faults, pools, (_, text) -> text);
    }

    /**
     * With other scripts.
     *
     * @param pools ids of those there will be
     * @param edit what is run of a script, given its name and its text
     */
    public SimulatedRedis(World world, Faults faults, List<String> pools, BinaryOperator<String> edit) {
        this.world = world;
        this.pools = pools;
        this.model = new RedisModel(PoolTags.none(), edit);
        this.scripts = (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    Object request = arguments[0];
                    String process = model.processId();
                    int day = daysPassed;
                    return world.chance()
                            .apart(() -> inTime(faults.pass(request, () -> reached(process, day, method, request))));
                });
    }

    /** A client waits so long for an answer and no longer, unless it stands still: then it reads what came meanwhile when it goes on. */
    private CompletionStage<Outcome<Object>> inTime(CompletionStage<Outcome<Object>> answer) {
        CompletableFuture<Outcome<Object>> heard = new CompletableFuture<>();
        if (world.mishaps().strike("CallerStandsStill", STANDS_STILL)) {
            CompletableFuture<Outcome<Object>> came = answer.toCompletableFuture();
            world.timeline()
                    .after(
                            world.chance().between(TIMEOUT, STILL_AT_MOST),
                            "a caller that stood still goes on",
                            () -> heard.complete(
                                    came.isDone() ? came.join() : Outcome.unknown("no answer came meanwhile")));
            return heard;
        }
        Timeline.Event overdue = world.timeline()
                .after(
                        TIMEOUT,
                        "a call timed out",
                        () -> heard.complete(Outcome.unknown("no answer within " + TIMEOUT)));
        answer.whenComplete((outcome, _) -> {
            overdue.cancel();
            heard.complete(outcome);
        });
        return heard;
    }

    private CompletionStage<Outcome<Object>> reached(String process, int day, Method method, Object request) {
        if (!model.processId().equals(process)) {
            return CompletableFuture.completedFuture(Outcome.unknown("the connection ended with its process"));
        }
        if (day != daysPassed) {
            return CompletableFuture.completedFuture(Outcome.unknown("no connection lives as long as keys let go"));
        }
        if (world.timeline().now().isBefore(outUntil) && !world.mishaps().isCalm()) {
            return CompletableFuture.completedFuture(Outcome.unavailable("Redis is out of reach"));
        }
        return watched(method, request);
    }

    /** The port. */
    public StockScripts scripts() {
        return scripts;
    }

    private CompletionStage<Outcome<Object>> watched(Method method, Object request) {
        Map<String, Numbers> before = numbers();
        CompletionStage<Outcome<Object>> stage = invoke(method, request);
        if (numbers() == before) {
            return stage;
        }
        if (request instanceof PoolRebuildOpenRequest open && !before.equals(numbers())) {
            loaded(open.pool());
        }
        boolean[] wrote = {false};
        numbers().forEach((pool, after) -> {
            wrote[0] |= !after.equals(before.get(pool));
            Numbers was = before.get(pool);
            if (was != null && !was.equals(after)) {
                String operation = request instanceof OrderTryRequest group
                        ? operation(group, pool, was, after)
                        : operation(request);
                operations.computeIfAbsent(pool, _ -> new HashSet<>()).add(operation);
                movements.add(new Movement(
                        operation + " (lost " + timesLost.getOrDefault(operation, 0) + " times)",
                        "in " + pool + " from " + was + " to " + after + " at "
                                + world.timeline().now()));
            }
        });
        if (wrote[0] && writesUntilFailover > 0 && --writesUntilFailover == 0) {
            rollBack();
            return CompletableFuture.completedFuture(Outcome.unknown("the process died before it answered"));
        }
        return stage;
    }

    /** What a rebuild did not load has not happened: it may happen again. */
    private void loaded(String pool) {
        String epoch = model.field(stock(pool), "epoch").orElse("");
        for (String operation : operations.getOrDefault(pool, Set.of())) {
            String[] parts = operation.split(":");
            Map<String, String> fence = model.hash("hf:{" + pool + "}:r:" + (parts.length > 1 ? parts[1] : ""));
            boolean loaded = Objects.equals(epoch, fence.get("epoch"))
                    && fence.containsKey(
                            switch (parts[0]) {
                                case "TRY", "ADMIT" -> "try";
                                case "CONFIRM" -> "confirm";
                                case "REFUND" -> "refund:" + parts[2];
                                default -> "of no fence";
                            });
            if (!loaded) {
                timesLost.merge(operation, 1, Integer::sum);
            }
        }
    }

    private static String stock(String pool) {
        return "hf:{" + pool + "}:stock";
    }

    @SuppressWarnings(
            "unchecked") // Every method of the port returns a stage of an outcome; the caller of the proxy casts it
    // back.
    private CompletionStage<Outcome<Object>> invoke(Method method, Object request) {
        try {
            return (CompletionStage<Outcome<Object>>) method.invoke(model, request);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new AssertionError("the model must answer, not throw", e);
        } finally {
            if (model.wrote()) {
                changed();
            }
        }
    }

    private void changed() {
        numbers = null;
        versions = null;
    }

    /** A group is held once in each of its pools; where a rebuild took a part of that, what is left is given back once. */
    private static String operation(OrderTryRequest group, String pool, Numbers was, Numbers after) {
        String what = after.reserved() > was.reserved()
                ? "GROUP"
                : after.reserved() < was.reserved() ? "GROUP-BACK" : "GROUP-TOLD";
        String whose = group.fate() == OrderTryRequest.Fate.OPEN ? group.group() : group.reservation();
        return what + ":" + whose + ":" + pool.replace(':', '.');
    }

    private static String operation(Object request) {
        return switch (request) {
            case TryRequest attempt -> "TRY:" + attempt.reservation();
            case AdmitRequest admit -> "ADMIT:" + admit.reservation();
            case ConfirmRequest confirm -> "CONFIRM:" + confirm.reservation();
            case CancelRequest cancel -> cancel.operationId();
            case RefundRequest refund -> refund.operationId();
            case PoolInitRequest init -> init.operationId();
            case PoolAdjustRequest adjust -> adjust.operationId();
            case PoolRepairRequest repair -> repair.operationId();
            case PoolRebuildOpenRequest open -> open.operationId();
            case PoolRebuildBeginRequest _,
                    PoolRebuildLoadRequest _,
                    PoolStatusRequest _,
                    PoolVerifyRequest _,
                    LookRequest _,
                    SoldOutRequest _,
                    ClaimDueRequest _,
                    HandedOffRequest _,
                    InspectRequest _ -> throw new AssertionError("moved stock, though it must not: " + request);
            default -> throw new AssertionError("unknown request: " + request);
        };
    }

    /** A pool's numbers as stored. */
    public record Numbers(long version, long total, long deficit, long available, long reserved, long sold) {}

    /** Every pool that exists. */
    public Map<String, Numbers> numbers() {
        if (numbers == null) {
            numbers = read();
        }
        return numbers;
    }

    private Map<String, Numbers> read() {
        Map<String, Numbers> all = new HashMap<>();
        for (String pool : pools) {
            String key = stock(pool);
            if (model.field(key, "status").isPresent()) {
                all.put(
                        pool,
                        new Numbers(
                                number(key, "version"),
                                number(key, "total"),
                                number(key, "deficit"),
                                number(key, "available"),
                                number(key, "reserved"),
                                number(key, "sold")));
            }
        }
        return all;
    }

    private long number(String key, String field) {
        return model.field(key, field).map(Long::parseLong).orElse(-1L);
    }

    /** Every movement, oldest first. One that a rollback lost may happen again and is named anew. */
    public List<Movement> movements() {
        return movements;
    }

    /** Versions by pool and epoch; a loss starts new ones. */
    public Map<String, Long> versions() {
        if (versions == null) {
            Map<String, Long> all = new HashMap<>();
            numbers()
                    .forEach((pool, stored) -> all.put(
                            pool + " in epoch "
                                    + model.field(stock(pool), "epoch").orElse("") + " after " + losses + " losses",
                            stored.version()));
            versions = all;
        }
        return versions;
    }

    /** What is stored of a pool and a reservation, read at once and without faults. */
    public LookReply.Seen see(String pool, Optional<String> reservation) {
        var outcome = model.look(new LookRequest(pool, reservation.orElse(NOBODY)))
                .toCompletableFuture()
                .join();
        if (outcome instanceof Outcome.Known<LookReply>(LookReply.Seen seen)) {
            return seen;
        }
        throw new AssertionError("could not look at " + pool + ": " + outcome);
    }

    /** How many admitted holds are listed in all, for somebody to hand over. */
    public int listed() {
        return pools.stream()
                .mapToInt(pool -> model.scores("hf:{" + pool + "}:due").size())
                .sum();
    }

    /** Whether a script that moves stock of this pool would get past the guards. */
    public boolean serves(String pool) {
        return numbers().containsKey(pool) && see(pool, Optional.empty()).trusted();
    }

    /** The numbers with their names, for messages. */
    public Books books(String pool) {
        return see(pool, Optional.empty()).books();
    }

    /** The process dies and another one comes up with all its data. */
    public void restart() {
        world.timeline().note("Redis restarts with its data");
        model.restart();
    }

    /** From here on a rollback comes back to this moment. */
    public void keepSnapshot() {
        snapshot = model.snapshot();
        movementsInSnapshot = movements.size();
    }

    /** The process dies and another one comes up with the data of the snapshot. */
    public void rollBack() {
        if (snapshot == null) {
            throw new IllegalStateException("no snapshot to roll back to");
        }
        writesUntilFailover = 0;
        world.timeline().note("Redis comes back with an older state");
        model.restore(snapshot);
        model.restart();
        changed();
        lost(movementsInSnapshot);
        movementsInSnapshot = movements.size();
    }

    /** Somebody empties the running process, or it dies and comes up with nothing. */
    public void flush(boolean restarts) {
        world.timeline().note("Redis has lost everything" + (restarts ? " with its process" : ""));
        writesUntilFailover = 0;
        model.wipe();
        if (restarts) {
            model.restart();
        }
        changed();
        lost(0);
        snapshot = model.snapshot();
        movementsInSnapshot = movements.size();
    }

    /**
     * The process dies when it has written so many times more, and the one that comes up has none of that: a replica that was promoted and
     * lagged. The last of these writes is not answered.
     */
    public void failOverAfter(int writes) {
        if (writesUntilFailover == 0) {
            keepSnapshot();
            writesUntilFailover = writes;
        }
    }

    /** Nobody reaches it for so long. */
    public void goesOutFor(Duration time) {
        world.timeline().note("Redis is out of reach for " + time);
        outUntil = world.timeline().now().plus(time);
    }

    /** How often it has lost something. */
    public int losses() {
        return losses;
    }

    private void lost(int from) {
        losses++;
        movements.subList(from, movements.size()).stream()
                .map(Movement::operationId)
                .map(name -> name.substring(0, name.indexOf(' ')))
                .distinct()
                .forEach(operation -> timesLost.merge(operation, 1, Integer::sum));
    }

    /**
     * So long a time passes for Redis that it drops every key that it was told to let go. What was asked before and did not reach it yet
     * never will.
     */
    public void expire() {
        world.timeline().note("Redis drops what it was told to let go");
        daysPassed++;
        model.expire();
        changed();
    }

    /** Behind every script's back. */
    public void addAUnitFromNowhere() {
        String key = "hf:{" + pools.getFirst() + "}:stock";
        long available = number(key, "available");
        model.put(key, "available", Long.toString(available + 1));
        changed();
    }

    /** Behind every script's back. What the fence remembers to have been done may be done again. */
    public void forgetFence(String pool, String reservation) {
        model.remove("hf:{" + pool + "}:r:" + reservation);
        // That of a line of a group is one of the group's, under whose id all of them were held.
        operations.getOrDefault(pool, Set.of()).stream()
                .filter(operation -> operation.contains(":" + reservation) || operation.startsWith("GROUP"))
                .forEach(operation -> timesLost.merge(operation, 1, Integer::sum));
    }

    @Override
    public void close() {
        model.close();
    }
}
