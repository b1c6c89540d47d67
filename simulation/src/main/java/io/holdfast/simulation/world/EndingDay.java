package io.holdfast.simulation.world;

import io.holdfast.engine.machine.Cause;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation.Adjust;
import io.holdfast.reservation.domain.PoolOperation.Archive;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.PoolOperation.Pause;
import io.holdfast.reservation.domain.PoolOperation.Resume;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.simulation.store.SimulatedRedis;
import io.holdfast.testkit.simulation.Chance;
import io.holdfast.testkit.simulation.Client;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.Simulation;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A day that ends: its pool is sold from, closed when the day is over, and archived as soon as nothing in it is under way, as the scheduler of
 * days has it done; then Redis drops its keys. People go on ordering from it and giving back what it sold, and operators go on asking for
 * what is too late.
 */
final class EndingDay {

    /** Its pool. */
    static final PoolId POOL = PoolId.parse("m-3:stew:2026-02-28");

    private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final Duration LATE = Duration.ofSeconds(20);
    private static final int TOO_LATE_AT_MOST = 6;

    private final Simulation simulation;
    private final World world;
    private final Chance chance;
    private final Pace pace;
    private final SimulatedRedis redis;
    private final Client<Reservation, ReservationCommand> buyers;
    private final Client<StockPool, StockPoolCommand> stockKeeper;
    private final SimulatedEntities<StockPool, StockPoolCommand, ?, ?> pools;
    private boolean over;

    EndingDay(
            Simulation simulation,
            Pace pace,
            SimulatedRedis redis,
            Client<Reservation, ReservationCommand> buyers,
            Client<StockPool, StockPoolCommand> stockKeeper,
            SimulatedEntities<StockPool, StockPoolCommand, ?, ?> pools) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.chance = world.chance();
        this.pace = pace;
        this.redis = redis;
        this.buyers = buyers;
        this.stockKeeper = stockKeeper;
        this.pools = pools;
    }

    /** Begins, once its pool is asked for. */
    void begin() {
        simulation.nowAndThen(pace.order().dividedBy(2), "somebody orders of a day that ends", this::somebodyOrders);
        world.timeline().after(pace.storm().dividedBy(4), "", () -> {
            stockKeeper.ask(POOL.value(), cause("close-of-day", Cause.Kind.REQUEST), new Close("close-of-day"));
            archive();
        });
    }

    /** Whether all of it is over, and its keys are gone. */
    boolean isOver() {
        return over;
    }

    /** Asks for the end again and again, each time anew: what was not drained may be by now. */
    private void archive() {
        if (pools.journaled(POOL.value()).state() instanceof StockPool.Archived) {
            for (int i = chance.between(2, TOO_LATE_AT_MOST); i > 0; i--) {
                later(LATE, "somebody comes too late", this::somebodyComesTooLate);
            }
            letKeysGo();
            return;
        }
        told(chance.id("archive"), new Archive(chance.id("archive")));
        world.timeline().after(LOOKS_EVERY, "", this::archive);
    }

    private void letKeysGo() {
        if (pools.journaled(POOL.value()).state() instanceof StockPool.Archived archived
                && archived.goneBy().isPresent()) {
            world.timeline().after(chance.between(Duration.ZERO, LATE.multipliedBy(2)), "", () -> {
                redis.expire();
                over = true;
            });
            return;
        }
        world.timeline().after(LOOKS_EVERY, "", this::letKeysGo);
    }

    private void somebodyOrders() {
        String item = chance.id("stew");
        String order = "order-of-" + item;
        Line line = new Line(POOL.merchant(), POOL.dish(), order, item, Optional.empty());
        int quantity = chance.between(1, 2);
        var reserve = new Reserve(
                new Terms(line, quantity, new OrderType.InstantOrder()),
                new PoolChoice.Named(POOL),
                world.timeline().now().plus(pace.late()));
        String id = line.reservationId();
        ask(id, "try-" + item, Cause.Kind.REQUEST, reserve);
        boolean created = chance.strikes(0.7);
        Fact fate = created ? OrderCreated.whole(order) : new OrderCreatedFailed(order, "payment refused");
        // Nobody leaves this undone: a hold without an end would keep the day from ending.
        world.timeline()
                .after(
                        chance.between(Duration.ZERO, SOON),
                        "",
                        () -> ask(id, "fate-of-" + item, Cause.Kind.EVENT, fate));
        for (int refund = chance.between(0, 2); created && refund > 0; refund--) {
            var back = new RefundRequested(
                    Optional.of(order), "refund-" + refund, chance.between(1, quantity), chance.strikes(0.7));
            String cause = "refund-" + refund + "-of-" + item;
            later(LATE, "somebody gives back", () -> ask(id, cause, Cause.Kind.EVENT, back));
        }
    }

    private void somebodyComesTooLate() {
        String id = chance.id("too-late");
        switch (chance.between(1, 13)) {
            case 1, 2 -> somebodyOrders();
            case 3 ->
                told(id, new Init("init-" + POOL.value().replace(':', '-'), 5, Optional.empty(), Optional.empty()));
            case 4 -> told(id, new Init(id, 5, Optional.empty(), Optional.empty()));
            case 5 -> told(id, new Adjust(id, 5, OptionalLong.empty()));
            case 6 -> told(id, new Pause(id));
            case 7 -> told(id, new Resume(id));
            case 8 -> told(id, new Close(id));
            case 9 -> told(id, new Archive(id));
            case 10 -> told(id, new StockPoolCommand.Verify());
            case 11 -> told(id, new StockPoolCommand.Suspect("somebody doubts it"));
            case 12 -> told(id, new StockPoolCommand.Rebuild());
            default -> told("close-of-day", new Close("other-" + id), Cause.Kind.EVENT);
        }
    }

    private void later(Duration within, String what, Runnable run) {
        world.timeline().after(chance.between(Duration.ZERO, within), "", () -> world.does(what, run));
    }

    private void ask(String id, String key, Cause.Kind kind, ReservationCommand command) {
        buyers.ask(id, cause(key, kind), command);
    }

    private void told(String key, StockPoolCommand command) {
        told(key, command, Cause.Kind.OPERATOR);
    }

    /** Told once, by somebody who does not wait for what comes of it. */
    private void told(String key, StockPoolCommand command, Cause.Kind kind) {
        var cause = new Cause(key, "hash of " + command, kind, "days", Optional.empty());
        pools.ask(POOL.value(), cause, command, Duration.ZERO)
                .thenAccept(outcome -> world.timeline().note("day: " + command + ": " + outcome));
    }

    private static Cause cause(String key, Cause.Kind kind) {
        return new Cause(key, "hash of " + key, kind, "days", Optional.empty());
    }
}
