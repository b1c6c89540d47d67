package io.holdfast.compensation.simulation;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.entity.CompensationEntities;
import io.holdfast.compensation.entity.CompensationScripts;
import io.holdfast.compensation.entity.DirectCompensations;
import io.holdfast.compensation.entity.EntityCompensations;
import io.holdfast.compensation.entity.EntityOwing;
import io.holdfast.compensation.port.Owing;
import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.PoolOperation.Adjust;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.entity.EntityGroupCall;
import io.holdfast.reservation.entity.EntityOpeningNotice;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.ReservationEntities;
import io.holdfast.reservation.entity.StockPoolEntities;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.AnswersStay;
import io.holdfast.testkit.simulation.invariant.EveryoneIsAnswered;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation;
import io.holdfast.testkit.simulation.invariant.NothingPendingForever;
import io.holdfast.testkit.simulation.invariant.OnlyRises;
import io.holdfast.testkit.simulation.invariant.TerminalStays;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** A day of selling: few pools, many orders, pools that are adjusted, paused and closed meanwhile. */
class SaleDay {

    private static final Duration STORM = Duration.ofMinutes(4);
    private static final Duration REST = Duration.ofMinutes(40);

    private static final Duration ORDER_EVERY = Duration.ofSeconds(4);
    private static final Duration GROUP_EVERY = Duration.ofSeconds(9);
    private static final Duration CHANGE_EVERY = Duration.ofSeconds(25);
    private static final Duration TROUBLE_EVERY = Duration.ofSeconds(45);
    private static final Duration CLOCK_ERROR = Duration.ofMinutes(10);
    private static final int NODES_THAT_REMEMBER_POOLS = 3;
    private static final double FAULT = 0.03;
    private static final List<String> POOLS =
            List.of("m-1:soup:2026-03-01", "m-1:bread:2026-03-01", "m-2:soup:2026-03-01");

    final Simulation simulation;
    final World world;
    final SimulatedRedis redis;
    final SimulatedEntities<Reservation, ReservationCommand, ReservationEvent, ReservationEffect> reservations;
    final SimulatedEntities<StockPool, StockPoolCommand, StockPoolEvent, StockPoolEffect> pools;
    final SimulatedEntities<Compensation, CompensationCommand, CompensationEvent, CompensationEffect> compensations;
    final Client<Reservation, ReservationCommand> buyers;
    final Client<Reservation, ReservationCommand> operators;
    final Client<StockPool, StockPoolCommand> stockKeeper;
    private final Map<String, Long> highestTotal = new HashMap<>();

    SaleDay(long seed) {
        simulation = Simulation.of(seed, Storm.all());
        world = simulation.world();
        redis = new SimulatedRedis(world, Faults.all(world, FAULT), POOLS);
        InstantSource clock = world.timeline()::now;
        EffectPolicies policies = EffectPolicies.standard();
        SimulatedView view = new SimulatedView(world);

        var pool = StockPoolEntities.definition(
                policies,
                redis.scripts(),
                SaleStock.none(),
                view,
                view,
                this::opening,
                new HandOver(redis.scripts(), new SaleKeys(Map.of()), _ -> noGate(), clock),
                view,
                clock,
                Duration.ofDays(1),
                view::pause,
                () -> world.chance().between(1, 1_000_000_000));
        pools = simulation.fleet().host(pool);

        List<PoolDirectory> directories = new ArrayList<>();
        List<MachineDefinition<Compensation, CompensationCommand, CompensationEvent, CompensationEffect>> desks =
                new ArrayList<>();
        for (int node = 0; node < NODES_THAT_REMEMBER_POOLS; node++) {
            PoolDirectory directory = new EntityPoolDirectory(
                    pools,
                    () -> Duration.between(World.START, world.timeline().now()).toNanos(),
                    () -> world.chance().id("suspicion"));
            directories.add(directory);
            desks.add(CompensationEntities.definition(
                    new CompensationPolicies(policies.script(), false),
                    new CompensationScripts(redis.scripts(), directory, clock),
                    this::owing));
        }
        compensations = simulation.fleet().host(performedBy(onSomeNode(desks), desks.getFirst()));
        List<MachineDefinition<Reservation, ReservationCommand, ReservationEvent, ReservationEffect>> onEachNode =
                new ArrayList<>();
        for (int node = 0; node < NODES_THAT_REMEMBER_POOLS; node++) {
            PoolDirectory directory = directories.get(node);
            onEachNode.add(ReservationEntities.definition(
                    policies,
                    redis.scripts(),
                    directory,
                    compensations(seed, directory, clock),
                    OrderDirectory.none(),
                    OrderRequests.none(),
                    this::callIn,
                    clock));
        }
        var reservation = onEachNode.getFirst();
        reservations = simulation.fleet().host(performedBy(outside(onSomeNode(onEachNode)), reservation));
        view.follow(reservations);

        buyers = new Client<>(world, reservations);
        stockKeeper = new Client<>(world, pools);
        // A person who is told that there is nothing to freeze or to lift does not ask until there is.
        operators = new Client<>(world, reservations, _ -> true);
        Orders orders = new Orders(world, buyers, operators, reservations);
        POOLS.forEach(id -> operate(
                id,
                new Init(
                        "init-" + id.replace(':', '-'), total(id, world.chance().between(5, 15)))));
        simulation.nowAndThen(
                ORDER_EVERY,
                "",
                () -> orders.somebodyOrders(PoolId.parse(world.chance().pick(POOLS))));
        simulation.nowAndThen(
                GROUP_EVERY,
                "",
                () -> orders.somebodyOrdersTogether(
                        POOLS.stream().map(PoolId::parse).toList()));
        simulation.nowAndThen(CHANGE_EVERY, "", this::somebodyChangesAPool);
        simulation.nowAndThen(TROUBLE_EVERY, "", () -> simulation.fleet().crashANode());
        simulation.nowAndThen(TROUBLE_EVERY, "", () -> simulation.fleet().jumpAClock(CLOCK_ERROR));

        simulation.always(
                new BooksBalance(redis),
                new NeverOversold(reservations, highestTotal),
                new GroupsAreWhole(reservations),
                new MovedOncePerOperation(redis::movements),
                new OnlyRises("version", redis::versions),
                new TerminalStays<>(reservations, SaleDay::ended));
    }

    /** Every second day each compensation has a journal of its own; on the others only what is contradicted has. */
    private Compensations compensations(long seed, PoolDirectory directory, InstantSource clock) {
        Compensations journaled = new EntityCompensations(compensations, directory, Duration.ofMillis(1_500));
        return seed % 2 == 0
                ? journaled
                : new DirectCompensations(new CompensationScripts(redis.scripts(), directory, clock), journaled);
    }

    private CompletionStage<Outcome<Owing.Standing>> owing(Content content, Asked asked) {
        return new EntityOwing(reservations).standing(content, asked);
    }

    private CompletionStage<Outcome<Boolean>> opening(PoolId pool, long number, String attempt) {
        return new EntityOpeningNotice(pools).tell(pool, number, attempt);
    }

    private CompletionStage<Outcome<Reservation>> callIn(
            Group group, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience) {
        return new EntityGroupCall(reservations).ask(group, line, attentionAt, epochs, patience);
    }

    /** What the reservations see of the world; a test may put a fault of its own here. */
    EffectPerformer<ReservationEffect, ReservationCommand> outside(
            EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        return performer;
    }

    /** Redis forgets nothing in this day: then fences never contradict and everything comes to rest and agrees. */
    SaleDay redisForgetsNothing() {
        simulation.always(new FencesNeverContradict(reservations));
        simulation.eventually(
                new NothingPendingForever<>(pools, _ -> false),
                new NothingPendingForever<>(reservations, _ -> false),
                new NothingPendingForever<>(compensations, _ -> false),
                new EveryoneIsAnswered(stockKeeper),
                new EveryoneIsAnswered(buyers),
                new EveryoneIsAnswered(operators),
                new EveryHoldEnds(reservations, _ -> false));
        simulation.atRest(
                new AnswersStay<>(reservations, buyers, SaleDay::courseOfAReservation),
                new AnswersStay<>(pools, stockKeeper, (_, _, _) -> false),
                new JournalAgreesWithRedis(reservations, pools, redis));
        return this;
    }

    /**
     * Redis loses what it had in this day, some of it or all. Every pool comes back by itself with what the journals say, and everything of it
     * comes to rest.
     */
    SaleDay redisForgets() {
        simulation.always(new FencesNeverContradict(reservations));
        simulation.eventually(
                new NothingPendingForever<>(pools, _ -> false),
                new NothingPendingForever<>(reservations, _ -> false),
                new NothingPendingForever<>(compensations, _ -> false),
                new EveryoneIsAnswered(stockKeeper),
                new EveryoneIsAnswered(buyers),
                new EveryoneIsAnswered(operators),
                new EveryHoldEnds(reservations, _ -> false),
                new ServesOnlyWhatAgrees(pools, redis, new JournalAgreesWithRedis(reservations, pools, redis)));
        simulation.atRest(
                new AnswersStay<>(reservations, buyers, SaleDay::courseOfAReservation),
                new AnswersStay<>(pools, stockKeeper, (_, _, _) -> false));
        return this;
    }

    /** Somebody has a pool loaded anew, though nothing is wrong with it. */
    void somebodyRebuildsAPool() {
        tell(world.chance().pick(POOLS), new StockPoolCommand.Rebuild());
    }

    /** A fence of a hold or a sale vanishes from a pool that serves, and somebody notices. */
    void aFenceVanishes() {
        List<Reservation> live = reservations.entityIds().stream()
                .map(id -> reservations.journaled(id).state())
                .filter(state -> state instanceof Reservation.Reserved || state instanceof Reservation.Confirmed)
                .filter(state ->
                        pools.journaled(state.asked().orElseThrow().pool().value())
                                        .state()
                                instanceof StockPool.Trusted)
                .toList();
        if (!live.isEmpty()) {
            Reservation unlucky = world.chance().pick(live);
            String pool = unlucky.asked().orElseThrow().pool().value();
            world.timeline().note("the fence of " + unlucky.id() + " vanishes");
            redis.forgetFence(pool, unlucky.id());
            // Told once, it may be told to a copy of the pool that does not know yet that it is none any more.
            for (Duration later : List.of(Duration.ZERO, Duration.ofSeconds(40), Duration.ofSeconds(90))) {
                world.timeline().after(later, "", () -> tell(pool, new StockPoolCommand.Suspect("a fence vanished")));
            }
        }
    }

    private void tell(String pool, StockPoolCommand command) {
        String key = world.chance().id("told");
        stockKeeper.ask(
                pool, new Cause(key, "hash of " + command, Cause.Kind.OPERATOR, "operator", Optional.empty()), command);
    }

    /** Runs the day. */
    Map<String, Integer> run() {
        return run(STORM, REST);
    }

    /** Runs a day of another length. */
    Map<String, Integer> run(Duration storm, Duration rest) {
        try (redis) {
            return simulation.run(storm, rest);
        }
    }

    private <S, C, E, X extends Effect> EffectPerformer<X, C> onSomeNode(List<MachineDefinition<S, C, E, X>> nodes) {
        return (id, effect) -> world.chance().pick(nodes).performer().perform(id, effect);
    }

    static <S, C, E, X extends Effect> MachineDefinition<S, C, E, X> performedBy(
            EffectPerformer<X, C> performer, MachineDefinition<S, C, E, X> like) {
        return new MachineDefinition<>(
                like.machine(), performer, like.journal(), like.states(), like.commands(), like.refusals());
    }

    private void somebodyChangesAPool() {
        String pool = world.chance().pick(POOLS);
        String id = world.chance().id("change");
        switch (world.chance().between(1, 10)) {
            case 1, 2, 3 ->
                operate(pool, new Adjust(id, total(pool, world.chance().between(1, 20)), OptionalLong.empty()));
            case 4 ->
                operate(
                        pool,
                        new Adjust(
                                id,
                                total(pool, 10),
                                OptionalLong.of(world.chance().between(1, 3))));
            case 5, 6, 7, 8 -> {
                operate(pool, new Pause("pause-" + id));
                world.timeline()
                        .after(
                                world.chance().between(Duration.ofMillis(100), Duration.ofSeconds(30)),
                                "",
                                () -> operate(pool, new Resume("resume-" + id)));
            }
            case 9 -> operate(pool, new Close(id));
            default -> operate(pool, new Resume(id));
        }
    }

    private void operate(String pool, PoolOperation operation) {
        String key = operation.operationId();
        stockKeeper.ask(
                pool,
                new Cause(key, "hash of " + operation, Cause.Kind.REQUEST, "stock-keeper", Optional.empty()),
                operation);
    }

    /** Notes a total before it is asked for, so that a claim about the highest one allows it from then on. */
    private long total(String pool, long units) {
        highestTotal.merge(pool, units, Math::max);
        return units;
    }

    private static boolean ended(Reservation state) {
        return state instanceof Reservation.Canceled
                || state instanceof Reservation.Refunded
                || state instanceof Reservation.Rejected;
    }

    /** A hold that was granted may have been given back since; then it is never called granted any more. */
    private static boolean courseOfAReservation(Verdict told, Verdict now, Reservation state) {
        return told instanceof Verdict.Done
                && now instanceof Verdict.Refused(ReservationRefusal reason)
                && (reason == ReservationRefusal.WAS_CANCELED || reason == ReservationRefusal.WAS_REFUNDED);
    }

    private static CompletionStage<Outcome<Reservation>> noGate() {
        throw new AssertionError("no pool has a gate here");
    }
}
