package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Admission;
import io.holdfast.lua.ClaimDueReply.Claimed;
import io.holdfast.lua.ClaimDueReply.Due;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.Ids;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.port.Adoptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands over what a pool's gate has let in: whatever is on its list goes into the journals of its reservations, and then comes off the list.
 * Under the same ids, with the same content, whoever does it and however often.
 */
public final class HandOver {

    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);

    private static final int AT_ONCE = 100;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final String REQUEST = "ORDER_CREATE_REQUESTED";
    private static final Instant END_OF_TIME = Instant.ofEpochMilli(Ids.LARGEST_QUANTITY);

    private final StockScripts scripts;
    private final SaleKeys keys;
    private final Adoptions reservations;
    private final InstantSource clock;

    /** @param keys what ids of messages are made with */
    public HandOver(StockScripts scripts, SaleKeys keys, Adoptions reservations, InstantSource clock) {
        this.scripts = scripts;
        this.keys = keys;
        this.reservations = reservations;
        this.clock = clock;
    }

    /**
     * All of a pool that lets nobody in meanwhile, whether it is their time or not. Works on one that Redis can't be believed for: what it
     * lists was let in once, and its reservations know what became of it.
     *
     * @param epoch the pool's; of later ones nothing is taken off the list
     * @param sale empty for a pool without a gate: there is nothing
     * @return how many, once every one of them is journaled; never completes exceptionally
     */
    public CompletionStage<Outcome<Long>> all(PoolId pool, long epoch, Optional<Sale> sale) {
        return sale.map(gate -> all(pool, epoch, gate, 0, Long.MAX_VALUE))
                .orElseGet(() -> Outcomes.done(Outcome.known(0L)));
    }

    /** @param listed how many were on the list before: nobody is let in, so it shrinks, or this is not the one who may empty it */
    private CompletionStage<Outcome<Long>> all(PoolId pool, long epoch, Sale sale, long before, long listed) {
        return Outcomes.then(claim(pool, END_OF_TIME), claimed -> {
            if (claimed.holds().isEmpty()) {
                return Outcomes.done(Outcome.known(before));
            }
            if (claimed.listed() >= listed) {
                return Outcomes.done(Outcome.unavailable("the list of pool " + pool.value() + " does not shrink"));
            }
            return Outcomes.then(
                    handOver(pool, epoch, sale, claimed.holds()),
                    _ -> all(pool, epoch, sale, before + claimed.holds().size(), claimed.listed()));
        });
    }

    /**
     * Those that nobody has handed over in time, as many as one claim takes.
     *
     * @return what came of it; those that could not be handed over come again when the lease is over
     */
    public CompletionStage<Outcome<Round>> due(PoolId pool, long epoch, Sale sale) {
        return Outcomes.then(claim(pool, clock.instant()), claimed -> {
            List<CompletableFuture<Outcome<Boolean>>> each = each(pool, epoch, sale, claimed.holds());
            return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                    .thenApply(_ -> Outcome.known(round(claimed, each)));
        });
    }

    private static Round round(Claimed claimed, List<CompletableFuture<Outcome<Boolean>>> each) {
        List<String> left = new ArrayList<>();
        for (int i = 0; i < each.size(); i++) {
            if (!(each.get(i).join() instanceof Outcome.Known<Boolean>)) {
                left.add(claimed.holds().get(i).reservation());
            }
        }
        return new Round(
                claimed.holds().stream().map(Due::reservation).toList(),
                left,
                claimed.listed(),
                claimed.holds().stream()
                        .flatMap(hold -> hold.admission().stream())
                        .map(Admission::at)
                        .min(Comparator.naturalOrder()));
    }

    /**
     * What came of one claim.
     *
     * @param claimed reservations that were due
     * @param left those of them that could not be handed over now
     * @param listed how many were on the list, these among them
     * @param oldest when the oldest of those claimed was let in; empty where none was
     */
    public record Round(List<String> claimed, List<String> left, long listed, Optional<Instant> oldest) {
        public Round {
            claimed = List.copyOf(claimed);
            left = List.copyOf(left);
        }

        /** Whether there may be more that is due. */
        public boolean full() {
            return claimed.size() >= AT_ONCE;
        }
    }

    /** How many are on the pool's list. Claims nothing and writes nothing; 0 where Redis has no such pool. */
    public CompletionStage<Outcome<Long>> listed(PoolId pool) {
        return Outcomes.then(claim(pool, Instant.EPOCH), claimed -> Outcomes.done(Outcome.known(claimed.listed())));
    }

    /**
     * Tells the reservation of a hold that was let in a moment ago. It takes the hold off the list itself, and whoever looks at the list
     * after a while does the same if this comes to nothing.
     *
     * @return the reservation, once its journal has the hold; never completes exceptionally
     */
    public CompletionStage<Outcome<Reservation>> now(PoolId pool, Sale sale, String reservation, Admission admission) {
        return reservations.adopt(adopt(pool, sale, reservation, admission));
    }

    private CompletionStage<Outcome<Claimed>> claim(PoolId pool, Instant dueBy) {
        Instant now = clock.instant();
        return scripts.claimDue(new ClaimDueRequest(pool.value(), dueBy, now.plus(LEASE), AT_ONCE, now))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case Claimed claimed -> Outcome.known(claimed);
                    case GuardRefusal.PoolMissing _ -> Outcome.known(new Claimed(false, 0, List.of()));
                    case GuardRefusal.Malformed(String what) -> Outcome.unavailable("the claim was MALFORMED: " + what);
                }));
    }

    private CompletionStage<Outcome<Boolean>> handOver(PoolId pool, long epoch, Sale sale, List<Due> holds) {
        List<CompletableFuture<Outcome<Boolean>>> each = each(pool, epoch, sale, holds);
        return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .thenApply(_ -> each.stream()
                        .map(CompletableFuture::join)
                        .filter(outcome -> !(outcome instanceof Outcome.Known<Boolean>))
                        .findFirst()
                        .orElseGet(() -> Outcome.known(true)));
    }

    private List<CompletableFuture<Outcome<Boolean>>> each(PoolId pool, long epoch, Sale sale, List<Due> holds) {
        return holds.stream()
                .map(hold -> handOver(pool, epoch, sale, hold).toCompletableFuture())
                .toList();
    }

    private CompletionStage<Outcome<Boolean>> handOver(PoolId pool, long epoch, Sale sale, Due hold) {
        if (hold.admission().isEmpty()) {
            LOG.error("Redis lists {} of pool {} as let in and has lost what it is.", hold.reservation(), pool.value());
            return offTheList(pool, epoch, hold.reservation());
        }
        Adopt adopt;
        try {
            adopt = adopt(pool, sale, hold.reservation(), hold.admission().get());
        } catch (IllegalArgumentException e) {
            return Outcomes.done(Outcome.unavailable(
                    "what pool " + pool.value() + " let in as " + hold.reservation() + " can't be: " + e.getMessage()));
        }
        return Outcomes.then(reservations.adopt(adopt), _ -> offTheList(pool, epoch, hold.reservation()));
    }

    /**
     * The hold as its reservation takes it.
     *
     * @throws IllegalArgumentException if no gate lets such a hold in, or this node has no secret of the sale's version
     */
    public Adopt adopt(PoolId pool, Sale sale, String reservation, Admission admission) {
        var order = new OrderCreateRequested(
                keys.message(sale.keyVersion(), REQUEST, reservation, OrderCreateRequested.SCHEMA_VERSION),
                reservation,
                admission.request(),
                pool.merchant(),
                pool.dish(),
                admission.user(),
                admission.quantity(),
                admission.at(),
                admission.deadline());
        return new Adopt(order, pool, ScriptAnswers.books(admission.books()), admission.deadline());
    }

    /** It is off the list also where the pool is refused. */
    private CompletionStage<Outcome<Boolean>> offTheList(PoolId pool, long epoch, String reservation) {
        return scripts.handedOff(new HandedOffRequest(pool.value(), epoch, reservation, clock.instant()))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case HandedOffReply.HandedOff _,
                            HandedOffReply.Missing _,
                            GuardRefusal.PoolMissing _,
                            GuardRefusal.PoolSuspect _,
                            GuardRefusal.StaleEpoch _,
                            GuardRefusal.BrokenBooks _ -> Outcome.known(true);
                    case GuardRefusal.Malformed(String what) ->
                        Outcome.unavailable("taking it off the list was MALFORMED: " + what);
                }));
    }
}
