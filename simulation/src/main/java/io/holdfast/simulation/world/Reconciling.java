package io.holdfast.simulation.world;

import io.holdfast.engine.machine.Cause;
import io.holdfast.lua.Fence;
import io.holdfast.lua.LookReply;
import io.holdfast.reconciliation.FenceRule;
import io.holdfast.reconciliation.FenceRule.Judgement;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.PoolOperation.Repair;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.JournaledFences;
import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What reconciliation does while pools serve, without its runs and their tables: it looks at fences and journals, judges them by the rule that
 * it has, and has the pool put a fence right that may be.
 */
final class Reconciling {

    private static final Duration EVERY = Duration.ofSeconds(8);

    private final World world;
    private final SimulatedRedis redis;
    private final SimulatedEntities<Reservation, ?, ?, ?> reservations;
    private final SimulatedEntities<StockPool, StockPoolCommand, ?, ?> pools;

    Reconciling(
            World world,
            SimulatedRedis redis,
            SimulatedEntities<Reservation, ?, ?, ?> reservations,
            SimulatedEntities<StockPool, StockPoolCommand, ?, ?> pools) {
        this.world = world;
        this.redis = redis;
        this.reservations = reservations;
        this.pools = pools;
    }

    /** Looks at everything now and then, for as long as the run lasts. */
    void begin() {
        world.timeline().after(EVERY, "", () -> {
            pools.entityIds().stream()
                    .filter(pool -> pools.journaled(pool).state() instanceof StockPool.Trusted && redis.serves(pool))
                    .forEach(this::look);
            begin();
        });
    }

    /** One fence at a time: the next has to be looked at beside the numbers after that. Where all agree, the numbers are their sum. */
    private void look(String pool) {
        List<Reservation> all = reservations.entityIds().stream()
                .map(id -> reservations.journaled(id).state())
                .filter(reservation -> reservation
                        .asked()
                        .filter(claim -> claim.pool().value().equals(pool))
                        .isPresent())
                .toList();
        all.stream()
                .flatMap(reservation -> repair(pool, reservation).stream())
                .findFirst()
                .or(() -> numbers(pool, all))
                .ifPresent(repair -> tell(pool, repair));
    }

    /** Of a pool without a gate: what a gate lets in is in Redis before it is in a journal. */
    private Optional<Repair> numbers(String pool, List<Reservation> all) {
        if (pools.journaled(pool).state().sale().isPresent()) {
            return Optional.empty();
        }
        LookReply.Seen seen = redis.see(pool, Optional.empty());
        long reserved = 0;
        long sold = 0;
        for (Reservation reservation : all) {
            Judgement judgement = FenceRule.judge(
                    reservation, redis.see(pool, Optional.of(reservation.id())).fence());
            if (!(judgement instanceof Judgement.Agrees)) {
                return Optional.empty();
            }
            reserved += judgement.reserved();
            sold += judgement.sold();
        }
        Books now = books(seen, 0);
        Books target = Books.expected(now.epoch(), now.version() + 1, now.total(), reserved, sold);
        return target.sameNumbers(now)
                ? Optional.empty()
                : Optional.of(new Repair(
                        world.chance().id("repair"), FindingType.NUMBERS_DIFFER.name(), now, target, Optional.empty()));
    }

    private Optional<Repair> repair(String pool, Reservation reservation) {
        LookReply.Seen seen = redis.see(pool, Optional.of(reservation.id()));
        return FenceRule.judge(reservation, seen.fence()) instanceof Judgement.Differs differs
                        && differs.kind() == FindingClass.REPAIR
                ? Optional.of(new Repair(
                        world.chance().id("repair"),
                        differs.type().name(),
                        books(seen, 0),
                        books(seen, 1),
                        Optional.of(new FenceRepair(
                                reservation.id(),
                                seen.fence().map(Reconciling::seen),
                                JournaledFences.of(reservation)))))
                : Optional.empty();
    }

    private static Books books(LookReply.Seen seen, int later) {
        var now = seen.books();
        return new Books(
                now.epoch(),
                now.version() + later,
                now.total(),
                now.deficit(),
                now.available(),
                now.reserved(),
                now.sold());
    }

    private static FenceRepair.Seen seen(Fence fence) {
        return new FenceRepair.Seen(
                FenceRepair.Phase.valueOf(fence.phase().name()),
                fence.quantity(),
                fence.confirmed(),
                fence.released(),
                fence.refunded());
    }

    private void tell(String pool, Repair repair) {
        var cause = new Cause(
                "reconcile-" + repair.operationId(),
                "hash of " + repair,
                Cause.Kind.OPERATOR,
                "reconciliation",
                Optional.empty());
        pools.ask(pool, cause, repair, Duration.ZERO)
                .thenAccept(outcome -> world.timeline().note("repair " + repair + ": " + outcome));
    }
}
