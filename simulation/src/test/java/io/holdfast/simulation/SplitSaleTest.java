package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.compensation.entity.CompensationScripts;
import io.holdfast.compensation.entity.DirectCompensations;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import io.holdfast.reservation.entity.AdmissionListener;
import io.holdfast.reservation.entity.AdmissionSettings;
import io.holdfast.reservation.entity.EntityAdoptions;
import io.holdfast.reservation.entity.EntityOpeningNotice;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.entity.EntitySiblingPools;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.MoveListener;
import io.holdfast.reservation.entity.ReservationEntities;
import io.holdfast.reservation.entity.SaleBuckets;
import io.holdfast.reservation.entity.StockPoolEntities;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.GatePressure;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.simulation.claim.BooksBalance;
import io.holdfast.simulation.claim.FencesNeverContradict;
import io.holdfast.simulation.claim.JournalAgreesWithRedis;
import io.holdfast.simulation.claim.NeverOversold;
import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.simulation.store.SimulatedView;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import io.holdfast.testkit.simulation.invariant.EveryoneIsAnswered;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation;
import io.holdfast.testkit.simulation.invariant.NothingPendingForever;
import io.holdfast.testkit.simulation.invariant.OnlyRises;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A sale in four buckets, by the real machines and scripts, while nodes die at every step, calls and answers are lost or come twice, pools
 * are loaded anew and Redis comes back under another process: a crowd asks for more than there is, holds go back and are wanted again.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SplitSaleTest {

    private static final long SEEDS = 4;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void what_is_sold_is_exactly_what_there_is_whatever_happens_between_the_buckets(long seed) {
        new Day(seed, false).run();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_redis_that_loses_what_it_was_told_never_makes_a_unit_nor_loses_one_for_good(long seed) {
        new Day(seed, true).run();
    }

    /** One day of one seed. */
    private static final class Day {

        private static final PoolId FIRST = PoolId.parse("summer:phone");
        private static final Buckets BUCKETS = new Buckets(4, 0);
        private static final List<PoolId> POOLS = BUCKETS.pools(FIRST);
        private static final long LIMIT = 2;
        private static final Sale SALE =
                new Sale(LIMIT, World.START, World.START.plus(Duration.ofDays(1)), 1, Optional.of(BUCKETS));
        private static final SaleKeys KEYS = new SaleKeys(Map.of(1, new byte[] {1}));
        private static final Duration STORM = Duration.ofMinutes(4);
        private static final Duration REST = Duration.ofMinutes(90);
        private static final Duration REMEMBERED = Duration.ofMillis(500);
        private static final int NODES = 3;

        private final Simulation simulation;
        private final World world;
        private final long total;
        private final boolean forgets;
        private final SimulatedRedis redis;
        private final SimulatedView view;
        private final SimulatedEntities<StockPool, StockPoolCommand, ?, ?> pools;
        private final SimulatedEntities<Reservation, ReservationCommand, ReservationEvent, ReservationEffect>
                reservations;
        private final List<AdmissionDesk> desks = new ArrayList<>();
        private final List<PoolDirectory> directories = new ArrayList<>();
        private final HandOver handOver;
        private final Client<Reservation, ReservationCommand> orders;
        private final Client<StockPool, StockPoolCommand> stockKeeper;
        private final Map<String, String> ownerOf = new HashMap<>();
        private final Deque<Stock> stock = new ArrayDeque<>();
        private final List<String> told = new ArrayList<>();
        private int looked = -1;
        private int asking;
        private int queued;
        private int soldOut;

        /** How many units could still be sold, from this moment on. */
        private record Stock(Instant since, long units) {}

        Day(long seed, boolean forgets) {
            this.forgets = forgets;
            simulation = Simulation.of(seed, Storm.all());
            world = simulation.world();
            total = world.chance().between(3, 17);
            redis = new SimulatedRedis(
                    world,
                    Faults.all(world, 0.05),
                    POOLS.stream().map(PoolId::value).toList());
            view = new SimulatedView(world);
            InstantSource clock = world.timeline()::now;
            handOver = new HandOver(redis.scripts(), KEYS, this::adopt, clock);
            pools = simulation
                    .fleet()
                    .host(StockPoolEntities.definition(
                            EffectPolicies.standard(),
                            redis.scripts(),
                            SaleStock.none(),
                            this::ofTheSale,
                            view,
                            view,
                            this::opening,
                            handOver,
                            view,
                            clock,
                            Duration.ofDays(1),
                            view::pause,
                            () -> world.chance().between(1, 1_000_000_000)));
            for (int node = 0; node < NODES; node++) {
                directories.add(new EntityPoolDirectory(
                        pools, this::nanos, () -> world.chance().id("suspicion")));
            }
            PoolDirectory directory = directories.getFirst();
            reservations = simulation
                    .fleet()
                    .host(ReservationEntities.definition(
                            EffectPolicies.standard(),
                            redis.scripts(),
                            directory,
                            new DirectCompensations(
                                    new CompensationScripts(redis.scripts(), directory, clock),
                                    nothingIsContradicted()),
                            OrderDirectory.none(),
                            order -> CompletableFuture.completedFuture(Outcome.known(new OrderRequests.Sent())),
                            (_, _, _, _, _) -> {
                                throw new AssertionError("there is no group here");
                            },
                            clock));
            directories.forEach(each -> desks.add(new AdmissionDesk(
                    each,
                    KEYS,
                    redis.scripts(),
                    handOver,
                    GatePressure.none(),
                    new AdmissionSettings(
                            Duration.ofHours(20),
                            Duration.ofSeconds(3),
                            AdmissionSettings.AnswerAfter.ADMIT,
                            REMEMBERED,
                            50,
                            Duration.ZERO),
                    AdmissionListener.none(),
                    clock,
                    this::nanos,
                    new SaleBuckets(
                            redis.scripts(),
                            pools,
                            each,
                            view::pause,
                            () -> world.chance().id("move"),
                            MoveListener.none()))));
            orders = new Client<>(world, reservations, _ -> true);
            stockKeeper = new Client<>(world, pools);
        }

        void run() {
            view.follow(reservations);
            world.mishaps().hold();
            stockKeeper.ask(FIRST.value(), cause("init"), new Init("init", total, Optional.empty(), Optional.of(SALE)));
            world.timeline().after(Duration.ofSeconds(20), "", world.mishaps()::go);
            simulation.nowAndThen(Duration.ofSeconds(2), "", this::somebodyAsks);
            simulation.nowAndThen(Duration.ofSeconds(6), "", this::anOrderFails);
            simulation.nowAndThen(
                    Duration.ofSeconds(20), "", () -> simulation.fleet().crashANode());
            world.timeline().after(Duration.ofSeconds(20), "", this::troubleBegins);
            world.timeline().after(Duration.ofSeconds(4), "", this::handOverWhatIsDue);
            world.timeline().after(STORM.plus(Duration.ofMinutes(30)), "", () -> theLastOnesAsk(0));

            simulation.always(
                    new BooksBalance(redis),
                    this::isNeverOversold,
                    this::noteStock,
                    new MovedOncePerOperation(redis::movements),
                    new OnlyRises("version", redis::versions),
                    new FencesNeverContradict(reservations));
            simulation.eventually(
                    new NothingPendingForever<>(pools, _ -> false),
                    new NothingPendingForever<>(
                            reservations, state -> state instanceof Reservation.Reserved && !state.isProvisional()),
                    new EveryoneIsAnswered(orders),
                    new EveryoneIsAnswered(stockKeeper),
                    this::nobodyWaits);
            simulation.atRest(new JournalAgreesWithRedis(reservations, pools, redis), this::everyUnitIsSomewhere);
            try (redis) {
                simulation.run(STORM, REST);
            }
            assertThat(queued).as("some were let in").isPositive();
            assertThat(soldOut).as("some came too late").isPositive();
        }

        private void troubleBegins() {
            simulation.nowAndThen(Duration.ofSeconds(60), "", redis::restart);
            simulation.nowAndThen(Duration.ofSeconds(45), "", this::somebodyRebuildsABucket);
            if (forgets) {
                simulation.nowAndThen(
                        Duration.ofSeconds(60),
                        "",
                        () -> redis.failOverAfter(world.chance().between(1, 6)));
                simulation.nowAndThen(Duration.ofSeconds(120), "", () -> redis.flush(true));
            }
        }

        // ---- what happens

        private void somebodyAsks() {
            for (int i = world.chance().between(1, 3); i > 0; i--) {
                ask("u-" + world.chance().between(1, 25), world.chance().between(1, 2), 20);
            }
        }

        private void ask(String user, long quantity, int times) {
            ask(
                    new Wish("summer", "phone", user, world.chance().id("q"), quantity),
                    times,
                    world.timeline().now());
        }

        private void ask(Wish wish, int times, Instant from) {
            asking++;
            world.chance().pick(desks).admit(wish, Duration.ofDays(1)).whenComplete((answer, failure) -> {
                asking--;
                if (failure != null) {
                    throw new AssertionError("a desk must not fail", failure);
                }
                answered(wish, times, from, answer);
            });
        }

        private void answered(Wish wish, int times, Instant from, Answer answer) {
            world.timeline().note(wish + " is answered " + answer);
            switch (answer) {
                case Answer.Queued in -> {
                    queued++;
                    ownerOf.put(in.reservation(), wish.user());
                    if (world.chance().strikes(0.2) && times > 1) {
                        ask(wish, 1, world.timeline().now());
                    }
                }
                case Answer.SoldOut() -> {
                    soldOut++;
                    wasSoldOut(wish, from);
                }
                case Answer.Unsure _, Answer.Unreached _, Answer.HeldBack _, Answer.TurnedAway _ -> {
                    if (times > 1 && !world.mishaps().isCalm()) {
                        world.timeline()
                                .after(
                                        Duration.ofMillis(world.chance().between(50, 3_000)),
                                        "",
                                        () -> ask(
                                                wish,
                                                times - 1,
                                                world.timeline().now()));
                    }
                }
                case Answer.LimitReached _, Answer.Ended _ -> {}
                case Answer.RequestReused _, Answer.NotStarted _, Answer.Closed _, Answer.Paused _, Answer.NoSale _ ->
                    throw new AssertionError(wish + " was answered " + answer);
            }
        }

        /** Units that go back are sold again. */
        private void anOrderFails() {
            List<String> held = new TreeSet<>(reservations.entityIds())
                    .stream()
                            .filter(id -> reservations.journaled(id).state() instanceof Reservation.Reserved)
                            .toList();
            if (!held.isEmpty()) {
                String id = world.chance().pick(held);
                orders.ask(
                        id,
                        cause(world.chance().id("failed")),
                        world.chance().strikes(0.6)
                                ? new Fact.OrderCreatedFailed(id, "payment refused")
                                : new Fact.OrderCreated(id, OptionalLong.empty()));
            }
        }

        private void somebodyRebuildsABucket() {
            stockKeeper.ask(
                    world.chance().pick(POOLS).value(),
                    cause(world.chance().id("rebuild")),
                    new StockPoolCommand.Rebuild());
        }

        private void handOverWhatIsDue() {
            POOLS.forEach(pool -> directories.getFirst().standing(pool).thenAccept(outcome -> {
                if (outcome instanceof Outcome.Known<PoolStanding>(PoolStanding.Serving serving)
                        && serving.sale().isPresent()) {
                    handOver.due(pool, serving.epoch(), serving.sale().get());
                }
            }));
            world.timeline().after(Duration.ofSeconds(4), "", this::handOverWhatIsDue);
        }

        /** When all is calm, whatever is left is sold to whoever comes, to the last unit, wherever it lies. */
        private void theLastOnesAsk(int before) {
            if (before > total) {
                return;
            }
            theLastOneAsks(
                    new Wish("summer", "phone", "late-" + before, world.chance().id("q"), 1), before);
        }

        private void theLastOneAsks(Wish wish, int before) {
            long left = sellable();
            asking++;
            Instant from = world.timeline().now();
            world.chance().pick(desks).admit(wish, Duration.ofDays(1)).whenComplete((answer, failure) -> {
                asking--;
                boolean told = answer instanceof Answer.Queued || answer instanceof Answer.SoldOut;
                if (told) {
                    this.told.add(left + " " + answer.getClass().getSimpleName());
                }
                answered(wish, 1, from, answer);
                world.timeline().after(Duration.ofSeconds(2), "", () -> {
                    if (told) {
                        theLastOnesAsk(before + 1);
                    } else {
                        theLastOneAsks(wish, before);
                    }
                });
            });
        }

        // ---- what must hold

        /** By the journals, of all buckets together; and nobody has more than may be had. */
        private void isNeverOversold() {
            if (reservations.journal().size() == looked) {
                return;
            }
            looked = reservations.journal().size();
            long promised = 0;
            Map<String, Long> users = new HashMap<>();
            for (String id : reservations.entityIds()) {
                Reservation state = reservations.journaled(id).state();
                long units = NeverOversold.units(state);
                promised += units;
                if (units > 0) {
                    String user = state.asked()
                            .flatMap(claim -> claim.terms().line().userId())
                            .orElseThrow();
                    users.merge(user, units, Long::sum);
                }
            }
            if (promised > total) {
                throw new AssertionError("the sale has promised " + promised + " of " + total + " units");
            }
            users.forEach((user, units) -> {
                if (units > LIMIT) {
                    throw new AssertionError(user + " holds " + units + " units");
                }
            });
        }

        /** Available somewhere, or on its way. */
        private long sellable() {
            long available = 0;
            long totals = 0;
            for (SimulatedRedis.Numbers numbers : redis.numbers().values()) {
                available += numbers.available();
                totals += numbers.total();
            }
            return available + total - totals;
        }

        private void noteStock() {
            if (redis.numbers().size() < POOLS.size()) {
                return;
            }
            long units = sellable();
            if (stock.isEmpty() || stock.getLast().units() != units) {
                stock.addLast(new Stock(world.timeline().now(), units));
            }
            while (stock.size() > 400) {
                stock.removeFirst();
            }
        }

        /** There was an instant, no earlier than a node may remember one, at which there were too few in all buckets and between them. */
        private void wasSoldOut(Wish wish, Instant from) {
            if (forgets) {
                return; // of what Redis has forgotten its numbers say nothing
            }
            noteStock();
            Instant earliest = from.minus(REMEMBERED);
            long least = Long.MAX_VALUE;
            Stock running = stock.getFirst();
            for (Stock next : stock) {
                if (!next.since().isBefore(earliest)) {
                    least = Math.min(least, next.units());
                } else {
                    running = next;
                }
            }
            least = Math.min(least, running.units());
            if (least >= wish.quantity()) {
                throw new AssertionError(wish + " was told SOLD_OUT, and there were never fewer than " + least
                        + " since " + earliest + ": " + stock);
            }
        }

        private void nobodyWaits() {
            if (asking > 0 || redis.listed() > 0 || told.size() <= total) {
                throw new AssertionError(asking + " wait, " + redis.listed() + " are listed, " + told);
            }
        }

        /** At rest: nothing is on its way, the totals are the sale's, and the last ones were told what was so. */
        private void everyUnitIsSomewhere() {
            long totals = 0;
            for (PoolId pool : POOLS) {
                StockPool.Trusted state =
                        (StockPool.Trusted) pools.journaled(pool.value()).state();
                totals += state.total();
                assertThat(state.work().leaving()).isEmpty();
                assertThat(state.work().queue()).isEmpty();
                assertThat(state.work().settled().values())
                        .as("moves are not kept for ever")
                        .noneMatch(settled -> settled.operation() instanceof PoolOperation.Give
                                || settled.operation() instanceof PoolOperation.Receive);
            }
            assertThat(totals).isEqualTo(total);
            assertThat(redis.numbers().values().stream()
                            .mapToLong(SimulatedRedis.Numbers::total)
                            .sum())
                    .isEqualTo(total);
            assertThat(((StockPool.Trusted) pools.journaled(FIRST.value()).state()).saleTotal())
                    .isEqualTo(total);
            assertThat(told).allMatch(line -> line.startsWith("0 ") == line.endsWith("SoldOut"));
            assertThat(sellable()).isZero();
        }

        // ---- wiring

        private long nanos() {
            return Duration.between(World.START, world.timeline().now()).toNanos();
        }

        private CompletionStage<Outcome<Reservation>> adopt(Adopt adopt) {
            return new EntityAdoptions(reservations).adopt(adopt);
        }

        private CompletionStage<Outcome<Boolean>> opening(PoolId pool, long number, String attempt) {
            return new EntityOpeningNotice(pools).tell(pool, number, attempt);
        }

        private CompletionStage<Outcome<Verdict>> ofTheSale(PoolId pool, PoolOperation operation, Duration patience) {
            return new EntitySiblingPools(pools).operate(pool, operation, patience);
        }

        private static Cause cause(String id) {
            return new Cause(id, "hash of " + id, Cause.Kind.REQUEST, "test", Optional.empty());
        }

        private static Compensations nothingIsContradicted() {
            return new Compensations() {
                @Override
                public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
                    throw new AssertionError("contradicted: " + effect);
                }

                @Override
                public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
                    throw new AssertionError("contradicted: " + effect);
                }

                @Override
                public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
                    throw new AssertionError("contradicted: " + effect);
                }
            };
        }
    }
}
