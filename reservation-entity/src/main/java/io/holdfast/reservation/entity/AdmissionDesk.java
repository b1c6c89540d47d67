package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Admission;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.Ids;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.entity.AdmissionSettings.AnswerAfter;
import io.holdfast.reservation.port.GatePressure;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate of sales: where users' requests are let in or turned away, by Redis alone. Who is turned away, and who asks again, costs no
 * journal write and no question to a database. Who is let in is told to the reservation at once; whoever looks at the pool's list does it
 * where this node dies first.
 *
 * <p>A request that was let in hears so again whatever became of the pool: nothing that this node remembers answers it.
 */
public final class AdmissionDesk {

    private static final Logger LOG = LoggerFactory.getLogger(AdmissionDesk.class);

    /** What clocks of nodes may be apart: until so long before a sale opens nobody can have been let in by any of them. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(2);

    /** No pool has more: a look for so many finds every pool short, and says whether the request was let in before. */
    private static final long MORE_THAN_THERE_IS = Ids.LARGEST_QUANTITY;

    private static final int REMEMBERED_POOLS = 10_000;

    /** How often units are brought to a bucket for one request: others may take them before it is decided again. */
    private static final int BROUGHT = 5;

    private final PoolDirectory pools;
    private final SaleKeys keys;
    private final StockScripts scripts;
    private final HandOver handOver;
    private final GatePressure pressure;
    private final AdmissionSettings settings;
    private final AdmissionListener listener;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final SaleBuckets buckets;
    private final GradualOpening opening;
    /** Pools that were short a moment ago: Redis is asked about many requests at once. Of a sale with buckets it is its first pool. */
    private final Map<PoolId, Shortage> shortPools = new ConcurrentHashMap<>();

    /** Sales with buckets, by their first pool: their terms never change, so users of the others go on while that one does not serve. */
    private final Map<PoolId, Sale> split = new ConcurrentHashMap<>();

    /**
     * It was short.
     *
     * @param until when that is remembered, by {@link #nanos}
     * @param left units there were all the same
     */
    private record Shortage(long until, long left) {}

    private final AtomicInteger adopting = new AtomicInteger();

    /**
     * The gate of this node.
     *
     * @param nanos a clock that only rises, such as {@code System::nanoTime}
     * @param buckets brings units to the bucket where they are asked for
     */
    public AdmissionDesk(
            PoolDirectory pools,
            SaleKeys keys,
            StockScripts scripts,
            HandOver handOver,
            GatePressure pressure,
            AdmissionSettings settings,
            AdmissionListener listener,
            InstantSource clock,
            LongSupplier nanos,
            SaleBuckets buckets) {
        this.pools = pools;
        this.buckets = buckets;
        this.keys = keys;
        this.scripts = scripts;
        this.handOver = handOver;
        this.pressure = pressure;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.nanos = nanos;
        this.opening = new GradualOpening(clock, settings.reopenOver());
    }

    /**
     * What a user asks for.
     *
     * @param user whose request it is
     * @param request the user's own id of it: asked again under it, it is the same request
     * @param quantity units, at least 1
     */
    public record Wish(String activity, String sku, String user, String request, long quantity) {

        /** @throws IllegalArgumentException if an id or the quantity breaks the rule */
        public Wish {
            Ids.part("activity", activity);
            Ids.part("sku", sku);
            Ids.part("user_id", user);
            Ids.part("request_id", request);
            Ids.positive("quantity", quantity);
        }

        /** The sale's pool; of one with buckets the first. */
        public PoolId pool() {
            return new PoolId(activity + ":" + sku);
        }
    }

    /** What came of it. */
    public sealed interface Answer {

        /**
         * Let in, now or before: a claim.
         *
         * @param deadline when its order must be decided by
         * @param at when it was let in
         * @param books the pool's numbers after that
         * @param repeated whether it was let in before this request
         * @param journaled whether the reservation's journal is known to have it
         */
        record Queued(
                String reservation, Instant deadline, Instant at, Books books, boolean repeated, boolean journaled)
                implements Answer {}

        /** It was let in once, or its order was decided against before it was, and its hold has ended. */
        record Ended(String reservation, String phase) implements Answer {}

        /** The request's id was used for another quantity, or another request has its reservation. Nothing changed. */
        record RequestReused(String reservation, long quantity) implements Answer {}

        /** The sale has not begun. */
        record NotStarted(Instant opensAt) implements Answer {}

        /** The sale is over. */
        record Closed() implements Answer {}

        /** Nobody is let in at the moment. */
        record Paused() implements Answer {}

        /** The user would hold more units than the limit. */
        record LimitReached(long held, long limit) implements Answer {}

        /** Fewer units are available than asked for, at this instant. */
        record SoldOut() implements Answer {}

        /** What is behind the gate does not keep up: to be asked again. */
        record HeldBack(GatePressure.Reason reason) implements Answer {}

        /** The pool has no gate. */
        record NoSale() implements Answer {}

        /** The pool lets nobody in, by where it stands. */
        record TurnedAway(HoldDesk.Reason reason) implements Answer {}

        /** It may have been let in: whoever asks again under the same ids learns it. */
        record Unsure(String reservation, String why) implements Answer {}

        /** Nobody could be asked, and nothing has changed. */
        record Unreached(String why) implements Answer {}
    }

    /**
     * A request at the pool it is for.
     *
     * @param brought how often units were brought there for it
     */
    private record Asked(Wish wish, PoolId pool, String reservation, Sale sale, long epoch, Instant now, int brought) {
        Asked as(String other) {
            return new Asked(wish, pool, other, sale, epoch, now, brought);
        }

        Asked again() {
            return new Asked(wish, pool, reservation, sale, epoch, now, brought + 1);
        }

        boolean over() {
            return !now.isBefore(sale.closesAt());
        }
    }

    /**
     * Lets a request in, or says why not.
     *
     * @param patience how long a user may be made to wait for the journal, where the settings want that
     * @return never completes exceptionally
     */
    public CompletionStage<Answer> admit(Wish wish, Duration patience) {
        return ask(wish, patience, true)
                .exceptionally(failure -> {
                    LOG.error("A request to {} could not be answered.", wish.pool(), failure);
                    return new Answer.Unreached("it could not be asked");
                })
                .thenApply(answer -> {
                    listener.answered(answer);
                    return answer;
                });
    }

    /** @param again whether the pool may be looked at once more where this node knew an earlier epoch of it */
    private CompletionStage<Answer> ask(Wish wish, Duration patience, boolean again) {
        return pools.standing(wish.pool()).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<PoolStanding>(PoolStanding standing) ->
                switch (standing) {
                    case PoolStanding.Serving serving -> serving(wish, serving, patience, again);
                    case PoolStanding.Suspect _, PoolStanding.Rebuilding _ ->
                        Optional.ofNullable(split.get(wish.pool()))
                                .map(sale -> elsewhere(wish, sale, standing, patience, again))
                                .orElseGet(() -> turnedAway(standing));
                    case PoolStanding.NotReady _, PoolStanding.Archived _, PoolStanding.Unknown _ ->
                        turnedAway(standing);
                };
            case Outcome.Unknown<PoolStanding>(String why) -> done(new Answer.Unreached(why));
            case Outcome.Unavailable<PoolStanding>(String why) -> done(new Answer.Unreached(why));
        });
    }

    private CompletionStage<Answer> serving(Wish wish, PoolStanding.Serving serving, Duration patience, boolean again) {
        if (serving.sale().isEmpty()) {
            return done(new Answer.NoSale());
        }
        Sale sale = serving.sale().get();
        if (sale.buckets().isEmpty()) {
            return atTheGate(wish, wish.pool(), sale, serving, patience, again);
        }
        if (split.size() >= REMEMBERED_POOLS) {
            split.clear();
        }
        split.putIfAbsent(wish.pool(), sale);
        return elsewhere(wish, sale, serving, patience, again);
    }

    /** At the bucket of the user, whatever this sale's first pool does. */
    private CompletionStage<Answer> elsewhere(
            Wish wish, Sale sale, PoolStanding ofFirst, Duration patience, boolean again) {
        if (!keys.missing(List.of(sale.keyVersion())).isEmpty()) {
            return unkeyed(wish, sale);
        }
        PoolId home = home(wish, sale);
        if (home.equals(wish.pool())) {
            return atHome(wish, home, sale, ofFirst, patience, again);
        }
        return pools.standing(home).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<PoolStanding>(PoolStanding standing) ->
                atHome(wish, home, sale, standing, patience, again);
            case Outcome.Unknown<PoolStanding>(String why) -> done(new Answer.Unreached(why));
            case Outcome.Unavailable<PoolStanding>(String why) -> done(new Answer.Unreached(why));
        });
    }

    private CompletionStage<Answer> atHome(
            Wish wish, PoolId home, Sale sale, PoolStanding standing, Duration patience, boolean again) {
        return standing instanceof PoolStanding.Serving serving
                ? atTheGate(wish, home, sale, serving, patience, again)
                : turnedAway(standing);
    }

    private PoolId home(Wish wish, Sale sale) {
        Buckets all = sale.buckets().orElseThrow();
        return all.pool(
                wish.pool(), keys.bucket(sale.keyVersion(), wish.activity(), wish.sku(), wish.user(), all.count()));
    }

    private CompletionStage<Answer> unkeyed(Wish wish, Sale sale) {
        LOG.error("This node has no secret of version {}, which {} keeps.", sale.keyVersion(), wish.pool());
        return done(new Answer.Unreached("this node can't make the ids of this sale"));
    }

    private CompletionStage<Answer> atTheGate(
            Wish wish, PoolId pool, Sale sale, PoolStanding.Serving serving, Duration patience, boolean again) {
        if (!keys.missing(List.of(sale.keyVersion())).isEmpty()) {
            return unkeyed(wish, sale);
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        if (now.isBefore(sale.opensAt().minus(CLOCKS_APART))) {
            return done(new Answer.NotStarted(sale.opensAt()));
        }
        String id = keys.reservation(sale.keyVersion(), wish.activity(), wish.sku(), wish.user(), wish.request());
        var asked = new Asked(wish, pool, id, sale, serving.epoch(), now, 0);
        Optional<Answer> heldBack = heldBack(asked, serving);
        if (heldBack.isPresent()) {
            return unlessLetIn(asked, patience, again, asked.over() ? new Answer.Closed() : heldBack.get());
        }
        return isShort(wish) ? unlessShort(asked, patience, again) : admit(asked, patience, again);
    }

    private Optional<Answer> heldBack(Asked asked, PoolStanding.Serving serving) {
        if (!opening.admits(serving, asked.reservation())) {
            return Optional.of(new Answer.TurnedAway(HoldDesk.Reason.POOL_REBUILDING));
        }
        return adopting.get() >= settings.adopting()
                ? Optional.of(new Answer.HeldBack(GatePressure.Reason.HAND_OFF))
                : pressure.on(asked.pool()).map(Answer.HeldBack::new);
    }

    // ---- looks, which write nothing

    /** Only whoever was let in before goes on. */
    private CompletionStage<Answer> unlessLetIn(Asked asked, Duration patience, boolean again, Answer otherwise) {
        return look(asked, MORE_THAN_THERE_IS).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<SoldOutReply>(SoldOutReply.SoldOut()) -> done(otherwise);
            case Outcome.Known<SoldOutReply> _ -> admit(asked, patience, again);
            case Outcome.Unknown<SoldOutReply> _, Outcome.Unavailable<SoldOutReply> _ -> done(otherwise);
        });
    }

    private CompletionStage<Answer> unlessShort(Asked asked, Duration patience, boolean again) {
        return look(asked, asked.wish().quantity())
                .thenCompose(outcome -> outcome instanceof Outcome.Known<SoldOutReply>(SoldOutReply.SoldOut())
                        ? done(asked.over() ? new Answer.Closed() : new Answer.SoldOut())
                        : admit(asked, patience, again));
    }

    private CompletionStage<Outcome<SoldOutReply>> look(Asked asked, long quantity) {
        return scripts.soldOut(new SoldOutRequest(asked.pool().value(), asked.reservation(), quantity));
    }

    private boolean isShort(Wish wish) {
        Shortage known = shortPools.get(wish.pool());
        if (known == null) {
            return false;
        }
        if (known.until() - nanos.getAsLong() > 0) {
            return wish.quantity() > known.left();
        }
        shortPools.remove(wish.pool(), known);
        return false;
    }

    /** @param left units in other buckets of the sale, by which another request may be let in; none where it has no others */
    private void noteShort(Wish wish, long left) {
        if (shortPools.size() >= REMEMBERED_POOLS) {
            shortPools.clear();
        }
        shortPools.put(
                wish.pool(),
                new Shortage(nanos.getAsLong() + settings.rememberSoldOut().toNanos(), left));
    }

    // ---- buckets

    /** What this request's bucket lacks others may have; only if none has it is it sold out. */
    private CompletionStage<Answer> shortHere(Asked asked, Duration patience, boolean again) {
        if (asked.sale().buckets().isEmpty()) {
            noteShort(asked.wish(), 0);
            return done(new Answer.SoldOut());
        }
        if (asked.brought() >= BROUGHT) {
            return done(new Answer.HeldBack(GatePressure.Reason.BUCKETS));
        }
        return buckets.bring(
                        asked.wish().pool(),
                        asked.sale().buckets().get(),
                        asked.pool(),
                        asked.wish().quantity())
                .thenCompose(brought -> switch (brought) {
                    case SaleBuckets.Brought.There() -> admit(asked.again(), patience, again);
                    case SaleBuckets.Brought.TooFew(long left) -> {
                        noteShort(asked.wish(), left);
                        yield done(new Answer.SoldOut());
                    }
                    case SaleBuckets.Brought.Unsettled(String why) -> {
                        LOG.debug(
                                "Units of {} could not be brought to {}: {}.",
                                asked.wish().pool(),
                                asked.pool(),
                                why);
                        yield done(new Answer.HeldBack(GatePressure.Reason.BUCKETS));
                    }
                    case SaleBuckets.Brought.Unserved _ -> done(new Answer.HeldBack(GatePressure.Reason.BUCKETS));
                });
    }

    // ---- the script

    private CompletionStage<Answer> admit(Asked asked, Duration patience, boolean again) {
        Wish wish = asked.wish();
        return scripts.admit(new AdmitRequest(
                        asked.pool().value(),
                        asked.epoch(),
                        asked.reservation(),
                        wish.user(),
                        wish.request(),
                        wish.quantity(),
                        asked.now().plus(settings.decideWithin()),
                        asked.now().plus(settings.handOverAfter()),
                        asked.now()))
                .thenCompose(outcome -> switch (outcome) {
                    case Outcome.Known<AdmitReply>(AdmitReply reply) -> answered(asked, patience, again, reply);
                    case Outcome.Unknown<AdmitReply>(String why) -> done(new Answer.Unsure(asked.reservation(), why));
                    case Outcome.Unavailable<AdmitReply>(String why) -> done(new Answer.Unreached(why));
                });
    }

    private CompletionStage<Answer> answered(Asked asked, Duration patience, boolean again, AdmitReply reply) {
        return switch (reply) {
            case AdmitReply.Queued queued -> queued(asked, patience, queued);
            case AdmitReply.Fenced fenced ->
                done(new Answer.Ended(asked.reservation(), fenced.phase().name()));
            case AdmitReply.Conflict conflict ->
                done(new Answer.RequestReused(asked.reservation(), conflict.quantity()));
            case AdmitReply.KnownAs known -> {
                LOG.error(
                        "A request to {} was let in as {} before, so nodes have different secrets of version {}.",
                        asked.pool(),
                        known.reservation(),
                        asked.sale().keyVersion());
                yield again
                        ? admit(asked.as(known.reservation()), patience, false)
                        : done(new Answer.Unreached("its reservation is not clear"));
            }
            case AdmitReply.Missing _ ->
                suspect(asked, "MISSING: Redis has no fence of " + asked.reservation() + ", which was let in");
            case AdmitReply.NoSale _ -> done(new Answer.NoSale());
            case AdmitReply.NotStarted early -> done(new Answer.NotStarted(early.opensAt()));
            case AdmitReply.Closed _ -> done(new Answer.Closed());
            case AdmitReply.Paused _ -> done(new Answer.Paused());
            case AdmitReply.LimitReached limit -> done(new Answer.LimitReached(limit.held(), limit.limit()));
            case AdmitReply.SoldOut _ -> shortHere(asked, patience, again);
            case GuardRefusal.StaleEpoch stale -> {
                pools.forget(asked.pool());
                yield again && stale.currentEpoch() > asked.epoch()
                        ? ask(asked.wish(), patience, false)
                        : turnedAway(HoldDesk.Reason.POOL_REBUILDING);
            }
            case GuardRefusal.PoolMissing missing -> suspect(asked, ScriptAnswers.code(missing));
            case GuardRefusal.PoolSuspect suspect -> suspect(asked, ScriptAnswers.code(suspect));
            case GuardRefusal.BrokenBooks broken -> suspect(asked, ScriptAnswers.code(broken));
            case GuardRefusal.Malformed malformed -> {
                LOG.error("An admission to {} was answered {}.", asked.pool(), ScriptAnswers.code(malformed));
                yield done(new Answer.Unreached("Redis takes the request for malformed"));
            }
        };
    }

    private CompletionStage<Answer> suspect(Asked asked, String evidence) {
        pools.suspect(asked.pool(), asked.epoch(), evidence);
        return turnedAway(HoldDesk.Reason.POOL_SUSPECT);
    }

    // ---- whoever was let in

    private CompletionStage<Answer> queued(Asked asked, Duration patience, AdmitReply.Queued queued) {
        boolean durable = settings.answerAfter() == AnswerAfter.ADOPT;
        if (queued.repeated() && !durable) {
            return done(answer(asked, queued, false));
        }
        if (!queued.deadline().isAfter(queued.at())) {
            // No gate lets in past the deadline. It was loaded then, from the journal of its reservation.
            return done(answer(asked, queued, true));
        }
        CompletionStage<Boolean> told = tell(asked, queued);
        if (!durable) {
            return done(answer(asked, queued, false));
        }
        return told.toCompletableFuture()
                .copy()
                .completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(journaled -> journaled
                        ? answer(asked, queued, true)
                        : new Answer.Unsure(asked.reservation(), "its journal has not said yet that it has the hold"));
    }

    private CompletionStage<Boolean> tell(Asked asked, AdmitReply.Queued queued) {
        var admission = new Admission(
                asked.wish().quantity(),
                asked.wish().user(),
                asked.wish().request(),
                queued.deadline(),
                queued.at(),
                queued.books());
        long began = nanos.getAsLong();
        adopting.incrementAndGet();
        CompletionStage<Outcome<Reservation>> told;
        try {
            told = handOver.now(asked.pool(), asked.sale(), asked.reservation(), admission);
        } catch (RuntimeException e) {
            told = CompletableFuture.failedFuture(e);
        }
        return told.handle((outcome, failure) -> {
            adopting.decrementAndGet();
            boolean journaled = failure == null && outcome instanceof Outcome.Known<Reservation>;
            if (failure != null) {
                LOG.warn("{} was let in and could not be told; it stays listed.", asked.reservation(), failure);
            }
            listener.told(journaled, Duration.ofNanos(nanos.getAsLong() - began));
            return journaled;
        });
    }

    private static Answer answer(Asked asked, AdmitReply.Queued queued, boolean journaled) {
        return new Answer.Queued(
                asked.reservation(),
                queued.deadline(),
                queued.at(),
                ScriptAnswers.books(queued.books()),
                queued.repeated(),
                journaled);
    }

    /** Holds this node is handing over now. */
    public int adopting() {
        return adopting.get();
    }

    private static CompletionStage<Answer> turnedAway(PoolStanding standing) {
        return switch (standing) {
            case PoolStanding.Serving _ -> throw new IllegalArgumentException("a pool that serves turns nobody away");
            case PoolStanding.NotReady() -> turnedAway(HoldDesk.Reason.POOL_NOT_READY);
            case PoolStanding.Suspect _ -> turnedAway(HoldDesk.Reason.POOL_SUSPECT);
            case PoolStanding.Rebuilding _ -> turnedAway(HoldDesk.Reason.POOL_REBUILDING);
            case PoolStanding.Archived _ -> turnedAway(HoldDesk.Reason.POOL_ARCHIVED);
            case PoolStanding.Unknown() -> turnedAway(HoldDesk.Reason.POOL_UNKNOWN);
        };
    }

    private static CompletionStage<Answer> turnedAway(HoldDesk.Reason reason) {
        return done(new Answer.TurnedAway(reason));
    }

    private static CompletionStage<Answer> done(Answer answer) {
        return CompletableFuture.completedFuture(answer);
    }
}
