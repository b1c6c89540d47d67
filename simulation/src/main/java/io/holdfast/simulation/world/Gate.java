package io.holdfast.simulation.world;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import io.holdfast.simulation.store.Told;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The gates of sales, a desk on every node: users who ask, ask again, and ask for something else under the same id; and what looks for holds
 * whose node has died before it handed them over.
 */
public final class Gate {

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration LATE = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofSeconds(4);
    /** Nobody waits so long in a world: an answer comes before, or never. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    private static final int TIMES = 25;
    private static final int USERS = 12;

    private final World world;
    private final List<AdmissionDesk> desks;
    private final PoolDirectory directory;
    private final HandOver handOver;
    private final List<PoolId> sales;
    private final List<PoolId> pools;
    private final List<Told> told = new ArrayList<>();
    private final BiConsumer<String, Wish> admitted;
    private int asking;

    /**
     * Gates of some sales.
     *
     * @param desks one of each node
     * @param handOver of the node that looks for what was left behind
     * @param pools theirs; of a sale that is split, each of its buckets
     * @param admitted told of every request that is in, once
     */
    Gate(
            World world,
            List<AdmissionDesk> desks,
            PoolDirectory directory,
            HandOver handOver,
            List<PoolId> sales,
            List<PoolId> pools,
            BiConsumer<String, Wish> admitted) {
        this.world = world;
        this.desks = List.copyOf(desks);
        this.directory = directory;
        this.handOver = handOver;
        this.sales = List.copyOf(sales);
        this.pools = List.copyOf(pools);
        this.admitted = admitted;
        world.timeline().after(EVERY, "", this::handOverWhatIsDue);
    }

    /** A user asks, perhaps more than once. */
    void somebodyWants() {
        PoolId sale = world.chance().pick(sales);
        Wish wish = new Wish(
                sale.merchant(),
                sale.dish(),
                "u-" + world.chance().between(1, USERS),
                world.chance().id("q"),
                world.chance().between(1, 2));
        ask(wish, TIMES);
        if (world.chance().strikes(0.2)) {
            later("asks again", () -> ask(wish, TIMES));
        }
        if (world.chance().strikes(0.05)) {
            later(
                    "asks for another quantity under the same id",
                    () -> ask(
                            new Wish(wish.activity(), wish.sku(), wish.user(), wish.request(), wish.quantity() + 1),
                            TIMES));
        }
    }

    private void later(String what, Runnable run) {
        world.timeline().after(world.chance().between(Duration.ZERO, LATE), "", () -> world.does(what, run));
    }

    private void ask(Wish wish, int times) {
        asking++;
        world.chance().pick(desks).admit(wish, PATIENCE).whenComplete((answer, failure) -> {
            if (failure != null) {
                throw new AssertionError("a desk must not fail: " + wish, failure);
            }
            asking--;
            world.timeline().note("gate: " + wish + " is answered " + answer);
            answered(wish, times, answer);
        });
    }

    private void answered(Wish wish, int times, Answer answer) {
        switch (answer) {
            case Answer.Queued queued -> {
                boolean first =
                        told.stream().noneMatch(before -> before.reservation().equals(queued.reservation()));
                told.add(new Told(queued.reservation(), wish, queued.journaled()));
                if (first) {
                    admitted.accept(queued.reservation(), wish);
                }
            }
            case Answer.Unsure _,
                    Answer.Unreached _,
                    Answer.HeldBack _,
                    Answer.TurnedAway _,
                    Answer.Paused _,
                    Answer.NotStarted _ -> {
                if (times > 1 && !world.mishaps().isCalm()) {
                    world.timeline()
                            .after(
                                    world.chance().between(Duration.ofMillis(100), SOON),
                                    "",
                                    () -> ask(wish, times - 1));
                }
            }
            case Answer.Ended _,
                    Answer.RequestReused _,
                    Answer.Closed _,
                    Answer.LimitReached _,
                    Answer.SoldOut _,
                    Answer.NoSale _ -> {}
        }
    }

    private void handOverWhatIsDue() {
        pools.forEach(sale -> directory.standing(sale).thenAccept(outcome -> {
            if (outcome instanceof Outcome.Known<PoolStanding>(PoolStanding.Serving serving)
                    && serving.sale().isPresent()) {
                handOver.due(sale, serving.epoch(), serving.sale().get());
            }
        }));
        world.timeline().after(EVERY, "", this::handOverWhatIsDue);
    }

    /** Every answer that a request is in, oldest first. */
    public List<Told> told() {
        return List.copyOf(told);
    }

    /** How many requests wait for their answer. */
    public int asking() {
        return asking;
    }
}
