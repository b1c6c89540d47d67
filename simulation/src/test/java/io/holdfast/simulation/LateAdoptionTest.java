package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.lua.Admission;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.EntityAdoptions;
import io.holdfast.reservation.entity.EntityOpeningNotice;
import io.holdfast.reservation.entity.EntityPoolDirectory;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.entity.ReservationEntities;
import io.holdfast.reservation.entity.StockPoolEntities;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.SaleStock;
import io.holdfast.simulation.claim.BooksBalance;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gate lets somebody in, and the journal takes long. Meanwhile Redis fails over to a copy without that admission, the pool is compared,
 * found equal (no journal knows of it) and opened, and units are given to somebody else. Then the admission is journaled.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class LateAdoptionTest {

    private static final PoolId SALE = PoolId.parse("summer:phone");
    private static final Sale GATE = new Sale(4, World.START, World.START.plusSeconds(3600), 1);
    private static final SaleKeys KEYS = new SaleKeys(Map.of(1, new byte[] {1}));
    private static final long TOTAL = 4;
    private static final long OF_THE_FIRST = 3;

    private final Simulation simulation = Simulation.of(1, Storm.none());
    private final World world = simulation.world();
    private final SimulatedRedis redis = new SimulatedRedis(world, Faults.none(world), List.of(SALE.value()));
    private final InstantSource clock = world.timeline()::now;
    private final List<String> asked = new ArrayList<>();
    private final HandOver handOver = new HandOver(redis.scripts(), KEYS, this::adopt, clock);
    private final SimulatedView view = new SimulatedView(world);
    private final SimulatedEntities<StockPool, StockPoolCommand, ?, ?> pools = simulation
            .fleet()
            .host(StockPoolEntities.definition(
                    EffectPolicies.standard(),
                    redis.scripts(),
                    SaleStock.none(),
                    (_, _, _) -> {
                        throw new AssertionError("there is one pool here");
                    },
                    view,
                    view,
                    this::opening,
                    handOver,
                    view,
                    clock,
                    Duration.ofDays(1),
                    view::pause,
                    () -> world.chance().between(1, 1_000_000_000)));
    private final SimulatedEntities<Reservation, ReservationCommand, ?, ?> reservations = simulation
            .fleet()
            .host(ReservationEntities.definition(
                    EffectPolicies.standard(),
                    redis.scripts(),
                    new EntityPoolDirectory(
                            pools,
                            () -> Duration.between(World.START, world.timeline().now())
                                    .toNanos(),
                            () -> world.chance().id("suspicion")),
                    nothingGoesBack(),
                    OrderDirectory.none(),
                    order -> {
                        asked.add(order.reservationId());
                        return CompletableFuture.completedFuture(Outcome.known(new OrderRequests.Sent()));
                    },
                    (_, _, _, _, _) -> {
                        throw new AssertionError("there is no group here");
                    },
                    clock));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 4})
    void an_admission_that_is_journaled_after_the_pool_was_opened_without_it_holds_only_what_nobody_else_has(
            long ofTheSecond) {
        view.follow(reservations);
        var stockKeeper = new Client<>(world, pools);
        List<Adopt> slow = new ArrayList<>();
        stockKeeper.ask(SALE.value(), cause("init"), new Init("init", TOTAL, Optional.empty(), Optional.of(GATE)));
        at(5, redis::keepSnapshot);
        at(6, () -> letIn("first", OF_THE_FIRST, slow::add));
        at(10, redis::rollBack);
        at(
                11,
                () -> stockKeeper.ask(
                        SALE.value(), cause("suspect"), new StockPoolCommand.Suspect("Redis failed over")));
        at(40, () -> assertThat(pools.journaled(SALE.value()).state()).isInstanceOf(StockPool.Open.class));
        at(41, () -> letIn("second", ofTheSecond, this::adopt));
        at(90, () -> assertThat(slow).hasSize(1));
        at(90, () -> adopt(slow.getFirst()));

        simulation.always(new BooksBalance(redis), new NeverOversold(reservations, Map.of(SALE.value(), TOTAL)));
        simulation.run(Duration.ofMinutes(3), Duration.ofMinutes(10));

        new JournalAgreesWithRedis(reservations, pools, redis).check();
        assertThat(stateOf("second")).isInstanceOf(Reservation.Reserved.class);
        if (OF_THE_FIRST + ofTheSecond <= TOTAL) {
            assertThat(stateOf("first")).isInstanceOf(Reservation.Reserved.class);
            assertThat(asked).containsExactly(idOf("second"), idOf("first"));
        } else {
            assertThat(stateOf("first"))
                    .isInstanceOfSatisfying(
                            Reservation.Canceled.class,
                            lost -> assertThat(lost.cancellation().cause())
                                    .isEqualTo(Cancellation.Cause.ADMISSION_LOST));
            assertThat(asked).containsExactly(idOf("second"));
        }
    }

    private Reservation stateOf(String user) {
        return reservations.journaled(idOf(user)).state();
    }

    private static String idOf(String user) {
        return KEYS.reservation(1, SALE.merchant(), SALE.dish(), user, "q-1");
    }

    private void letIn(String user, long quantity, Consumer<Adopt> then) {
        var now = clock.instant();
        redis.scripts()
                .admit(new AdmitRequest(
                        SALE.value(),
                        1,
                        idOf(user),
                        user,
                        "q-1",
                        quantity,
                        now.plusSeconds(1800),
                        now.plusSeconds(600),
                        now))
                .thenAccept(outcome -> {
                    if (!(outcome instanceof Outcome.Known<AdmitReply>(AdmitReply.Queued queued))) {
                        throw new AssertionError(user + " was answered " + outcome);
                    }
                    then.accept(handOver.adopt(
                            SALE,
                            GATE,
                            idOf(user),
                            new Admission(quantity, user, "q-1", queued.deadline(), queued.at(), queued.books())));
                });
    }

    private CompletionStage<Outcome<Reservation>> adopt(Adopt adopt) {
        return new EntityAdoptions(reservations).adopt(adopt);
    }

    private CompletionStage<Outcome<Boolean>> opening(PoolId pool, long number, String attempt) {
        return new EntityOpeningNotice(pools).tell(pool, number, attempt);
    }

    private void at(int second, Runnable run) {
        world.timeline().after(Duration.ofSeconds(second), "", run);
    }

    private static Cause cause(String id) {
        return new Cause(id, "hash of " + id, Cause.Kind.REQUEST, "test", Optional.empty());
    }

    private static Compensations nothingGoesBack() {
        return new Compensations() {
            @Override
            public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
                throw new AssertionError("nothing goes back here");
            }

            @Override
            public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
                throw new AssertionError("nothing goes back here");
            }

            @Override
            public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
                throw new AssertionError("nothing goes back here");
            }
        };
    }
}
