package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.MachineDefinition;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.Terms;
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
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.Storm;
import io.holdfast.testkit.simulation.World;
import io.holdfast.testkit.simulation.fault.Faults;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * A node stands still with the reply to a Try unread. Meanwhile Redis fails over to a copy without that hold, the pool is compared, found
 * equal (the journal does not know of the hold either) and opened, and the unit is sold to somebody else. Then the node reads the reply.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class LateReplyOfADeadRedisTest {

    private static final String POOL = "m-1:soup:2026-03-01";
    private static final Duration STANDS_STILL = Duration.ofSeconds(90);

    private final Simulation simulation = Simulation.of(1, Storm.none());
    private final World world = simulation.world();
    private final SimulatedRedis redis = new SimulatedRedis(world, Faults.none(world), List.of(POOL));

    @Test
    void what_a_dead_process_answered_is_not_recorded_once_the_pool_was_opened_without_it() {
        InstantSource clock = world.timeline()::now;
        EffectPolicies policies = EffectPolicies.standard();
        SimulatedView view = new SimulatedView(world);
        var pool = StockPoolEntities.definition(
                policies,
                redis.scripts(),
                SaleStock.none(),
                (_, _, _) -> {
                    throw new AssertionError("there is one pool here");
                },
                view,
                view,
                (_, _, _) -> CompletableFuture.completedFuture(Outcome.known(true)),
                new HandOver(redis.scripts(), new SaleKeys(Map.of()), _ -> noGate(), clock),
                view,
                clock,
                Duration.ofDays(1),
                view::pause,
                () -> world.chance().between(1, 1_000_000_000));
        var pools = simulation.fleet().host(pool);
        var directory = new EntityPoolDirectory(
                pools,
                () -> Duration.between(World.START, world.timeline().now()).toNanos(),
                () -> world.chance().id("suspicion"));
        var reservation = ReservationEntities.definition(
                policies,
                redis.scripts(),
                directory,
                new Compensations() {
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
                },
                OrderDirectory.none(),
                OrderRequests.none(),
                (_, _, _, _, _) -> {
                    throw new AssertionError("there is no group here");
                },
                clock);
        var reservations = simulation
                .fleet()
                .host(new MachineDefinition<>(
                        reservation.machine(),
                        standingStill(reservation.performer()),
                        reservation.journal(),
                        reservation.states(),
                        reservation.commands(),
                        reservation.refusals()));
        view.follow(reservations);
        var buyers = new Client<>(world, reservations);
        var stockKeeper = new Client<>(world, pools);
        String first = reservationOf("first").reservationId();
        String second = reservationOf("second").reservationId();

        stockKeeper.ask(POOL, cause("init"), new Init("init", 1));
        at(5, redis::keepSnapshot);
        at(6, () -> buyers.ask(first, cause("first"), reserve("first")));
        at(10, redis::rollBack);
        at(11, () -> stockKeeper.ask(POOL, cause("suspect"), new StockPoolCommand.Suspect("Redis failed over")));
        at(30, () -> assertThat(pools.journaled(POOL).state()).isInstanceOf(StockPool.Open.class));
        at(31, () -> buyers.ask(second, cause("second"), reserve("second")));

        simulation.always(new BooksBalance(redis), new NeverOversold(reservations, Map.of(POOL, 1L)));
        simulation.run(Duration.ofMinutes(3), Duration.ofMinutes(10));
        new JournalAgreesWithRedis(reservations, pools, redis).check();
        assertThat(List.of(first, second))
                .filteredOn(id -> reservations.journaled(id).state() instanceof Reservation.Reserved)
                .as("the only unit has one owner")
                .hasSize(1);
    }

    /** The first Try of the first buyer is executed at once, and its reply is read much later; until then nothing of that node is. */
    private EffectPerformer<ReservationEffect, ReservationCommand> standingStill(
            EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        String first = reservationOf("first").reservationId();
        boolean[] stoodStill = {false};
        return (id, effect) -> {
            if (!(effect instanceof TryHold) || !id.equals(first)) {
                return performer.perform(id, effect);
            }
            if (stoodStill[0]) {
                return CompletableFuture.completedFuture(Outcome.unavailable("this node stands still"));
            }
            stoodStill[0] = true;
            CompletableFuture<Outcome<ReservationCommand>> read = new CompletableFuture<>();
            performer
                    .perform(id, effect)
                    .whenComplete((outcome, _) -> world.timeline()
                            .after(STANDS_STILL, "the node reads " + outcome, () -> read.complete(outcome)));
            return read;
        };
    }

    private void at(int second, Runnable run) {
        world.timeline().after(Duration.ofSeconds(second), "", run);
    }

    private static Line reservationOf(String buyer) {
        return new Line("m-1", "soup", "order-" + buyer, "item-" + buyer, Optional.of(buyer));
    }

    private static Reserve reserve(String buyer) {
        return new Reserve(
                new Terms(reservationOf(buyer), 1, new OrderType.InstantOrder()),
                new PoolChoice.Named(PoolId.parse(POOL)),
                World.START.plusSeconds(3600));
    }

    private static Cause cause(String id) {
        return new Cause(id, "hash of " + id, Cause.Kind.REQUEST, "test", Optional.empty());
    }

    private static CompletionStage<Outcome<Reservation>> noGate() {
        throw new AssertionError("no pool has a gate here");
    }
}
