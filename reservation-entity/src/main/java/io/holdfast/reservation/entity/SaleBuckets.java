package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.InspectReply;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.port.Pause;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import io.holdfast.reservation.port.SiblingPools;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the buckets of a sale have together, and how units come to the one where they are asked for. A node asks for a move and then has
 * no part in it: the pools carry it out by their journals, whoever dies meanwhile.
 */
public final class SaleBuckets {

    private static final Duration MOVE_WITHIN = Duration.ofSeconds(2);
    private static final Duration LOOK_AGAIN_AFTER = Duration.ofMillis(20);
    private static final int LOOKS = 10;
    private static final String MISSING = "MISSING";

    /** Another process may have gone back to older numbers, and another epoch was loaded anew. */
    private static final List<String> MARKS = List.of("run_id", "epoch", "baseline_version", "raised");

    private final StockScripts scripts;
    private final Entities<StockPool, StockPoolCommand> pools;
    private final PoolDirectory directory;
    private final SiblingPools siblings;
    private final Pause pause;
    private final Supplier<String> ids;
    private final MoveListener listener;

    /** By bucket. */
    private final Map<PoolId, CompletableFuture<Brought>> underWay = new ConcurrentHashMap<>();

    /** The last in the row of each sale, by its first pool. */
    private final Map<PoolId, CompletableFuture<Brought>> latest = new ConcurrentHashMap<>();

    /**
     * Over these pools.
     *
     * @param directory told of a bucket that Redis does not serve
     * @param pause waits before buckets are read again
     * @param ids gives an id that was never given before, such as a random UUID
     */
    public SaleBuckets(
            StockScripts scripts,
            Entities<StockPool, StockPoolCommand> pools,
            PoolDirectory directory,
            Pause pause,
            Supplier<String> ids,
            MoveListener listener) {
        this.scripts = scripts;
        this.pools = pools;
        this.directory = directory;
        this.siblings = new EntitySiblingPools(pools);
        this.pause = pause;
        this.ids = ids;
        this.listener = listener;
    }

    /** What came of an attempt to have units in a bucket. */
    public sealed interface Brought {

        /** They were there a moment ago. */
        record There() implements Brought {}

        /**
         * All buckets together have fewer, and none were on their way.
         *
         * @param left so many were available
         */
        record TooFew(long left) implements Brought {}

        /**
         * It is not clear, or some were taken before they came: to be asked again.
         *
         * @param why in one sentence
         */
        record Unsettled(String why) implements Brought {}

        /** Redis does not serve this bucket, and without it nothing can be said. */
        record Unserved(PoolId bucket) implements Brought {}
    }

    /**
     * One bucket as Redis has it.
     *
     * @param status as stored there; MISSING where it has no such pool
     * @param trusted whether Redis serves it
     * @param baselineVersion counts what has changed its total
     * @param mark as long as it is the same, its total has not changed and its units available have become no more
     */
    public record Bucket(
            PoolId pool,
            String status,
            boolean trusted,
            long total,
            long deficit,
            long available,
            long reserved,
            long sold,
            long baselineVersion,
            String mark) {

        private static Bucket missing(PoolId pool) {
            return new Bucket(pool, MISSING, false, 0, 0, 0, 0, 0, 0, "");
        }

        /** Whether units may be taken from it. */
        boolean gives() {
            return trusted && (status.equals(PoolStatus.OPEN.name()) || status.equals(PoolStatus.PAUSED.name()));
        }
    }

    /** Each bucket in the order of the sale; empty for one of which Redis says nothing that can be read. */
    public CompletionStage<List<Optional<Bucket>>> read(PoolId first, Buckets buckets) {
        List<CompletableFuture<Optional<Bucket>>> asked = buckets.pools(first).stream()
                .map(pool -> scripts.inspect(new InspectRequest(pool.value(), Optional.empty()))
                        .thenApply(outcome -> bucket(pool, outcome))
                        .exceptionally(_ -> Optional.empty())
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(_ -> asked.stream().map(CompletableFuture::join).toList());
    }

    private static Optional<Bucket> bucket(PoolId pool, Outcome<InspectReply> outcome) {
        return outcome instanceof Outcome.Known<InspectReply>(InspectReply reply)
                ? switch (reply) {
                    case InspectReply.Inspected(boolean trusted, Map<String, String> numbers, var _) ->
                        bucket(pool, trusted, numbers);
                    case GuardRefusal.PoolMissing() -> Optional.of(Bucket.missing(pool));
                    case GuardRefusal _ -> Optional.empty();
                }
                : Optional.empty();
    }

    private static Optional<Bucket> bucket(PoolId pool, boolean trusted, Map<String, String> stored) {
        try {
            return Optional.of(new Bucket(
                    pool,
                    stored.getOrDefault("status", ""),
                    trusted,
                    number(stored, "total"),
                    number(stored, "deficit"),
                    number(stored, "available"),
                    number(stored, "reserved"),
                    number(stored, "sold"),
                    number(stored, "baseline_version"),
                    MARKS.stream().map(field -> stored.getOrDefault(field, "")).collect(Collectors.joining(" "))));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static long number(Map<String, String> stored, String field) {
        return Long.parseLong(stored.getOrDefault(field, ""));
    }

    /**
     * Sees to it that a bucket has so many units available, if all of them together do.
     *
     * @param to one of the sale's buckets
     * @return never completes exceptionally
     */
    public CompletionStage<Brought> bring(PoolId first, Buckets buckets, PoolId to, long units) {
        var question = new CompletableFuture<Brought>();
        CompletableFuture<Brought> asked = underWay.putIfAbsent(to, question);
        if (asked != null) {
            // What was found out for others may be too little for this one, or not enough to say so.
            return asked.thenCompose(brought -> brought instanceof Brought.TooFew(long left) && left >= units
                    ? bring(first, buckets, to, units)
                    : done(brought));
        }
        // One after the other: whoever needs several units that lie apart would else take them from each other.
        CompletableFuture<Brought> before = latest.put(first, question);
        CompletionStage<Brought> answer = (before == null ? done(new Brought.There()) : before)
                .thenCompose(brought -> brought instanceof Brought.TooFew(long left) && left < units
                        ? done(brought)
                        : ask(first, buckets, to, units, 1));
        answer.whenComplete((brought, failure) -> {
            underWay.remove(to, question);
            latest.remove(first, question);
            question.complete(brought == null ? new Brought.Unsettled("it could not be asked: " + failure) : brought);
        });
        return question.copy();
    }

    private CompletionStage<Brought> ask(PoolId first, Buckets buckets, PoolId to, long units, int look) {
        return read(first, buckets)
                .thenCompose(seen -> decide(first, buckets, to, units, seen))
                .thenCompose(brought -> brought instanceof Brought.Unsettled && look < LOOKS
                        ? pause.of(waits(look)).thenCompose(_ -> ask(first, buckets, to, units, look + 1))
                        : done(brought));
    }

    /** Not in step with another node that needs the same units. */
    private Duration waits(int look) {
        long apart = Math.floorMod(ids.get().hashCode(), LOOK_AGAIN_AFTER.toMillis());
        return LOOK_AGAIN_AFTER.multipliedBy(look).plusMillis(apart);
    }

    private CompletionStage<Brought> decide(
            PoolId first, Buckets buckets, PoolId to, long units, List<Optional<Bucket>> seen) {
        seen.stream()
                .flatMap(Optional::stream)
                .filter(bucket -> !bucket.trusted())
                .forEach(this::doubt);
        Optional<Bucket> target = seen.stream()
                .flatMap(Optional::stream)
                .filter(bucket -> bucket.pool().equals(to))
                .findFirst();
        if (target.filter(Bucket::trusted).isEmpty()) {
            return done(new Brought.Unserved(to));
        }
        long there = target.get().available();
        if (there >= units) {
            return done(new Brought.There());
        }
        List<Bucket> others = seen.stream()
                .flatMap(Optional::stream)
                .filter(bucket -> bucket.gives() && !bucket.pool().equals(to))
                .toList();
        long all = there + others.stream().mapToLong(Bucket::available).sum();
        if (all < units) {
            return settled(first, buckets, seen, all);
        }
        Bucket richest =
                others.stream().max(Comparator.comparingLong(Bucket::available)).orElseThrow();
        long half = (richest.available() + 1) / 2;
        long missing = Math.min(units - there, richest.available());
        return move(richest, to, Math.max(half, missing), missing == units - there);
    }

    /** Whoever else comes to it may take long: it is told, and is then compared or loaded anew. One that is already changes nothing. */
    private void doubt(Bucket bucket) {
        var _ = directory.standing(bucket.pool()).thenAccept(outcome -> {
            if (outcome instanceof Outcome.Known<PoolStanding>(PoolStanding.Serving serving)) {
                directory.suspect(
                        bucket.pool(),
                        serving.epoch(),
                        "units were looked for, and Redis does not serve it, having it as " + bucket.status());
            }
        });
    }

    /** Moves units, and says whether that should be enough. */
    private CompletionStage<Brought> move(Bucket giver, PoolId to, long units, boolean enough) {
        PoolId from = giver.pool();
        var give = new PoolOperation.Give("move-" + ids.get(), to, units, OptionalLong.of(giver.baselineVersion()));
        return siblings.operate(from, give, MOVE_WITHIN).thenApply(outcome -> {
            listener.moved(end(outcome), units);
            return switch (outcome) {
                case Outcome.Known<Verdict>(Verdict verdict) ->
                    switch (verdict) {
                        case Verdict.Done() -> enough ? new Brought.There() : new Brought.Unsettled("more are needed");
                        case Verdict.Pending() -> new Brought.Unsettled("units of " + from + " are on their way");
                        case Verdict.Refused(var reason) -> new Brought.Unsettled(from + ": " + reason.code());
                    };
                case Outcome.Unknown<Verdict>(String why) -> new Brought.Unsettled(why);
                case Outcome.Unavailable<Verdict>(String why) -> new Brought.Unsettled(why);
            };
        });
    }

    private static MoveListener.End end(Outcome<Verdict> outcome) {
        return switch (outcome) {
            case Outcome.Known<Verdict>(Verdict verdict) ->
                switch (verdict) {
                    case Verdict.Done() -> MoveListener.End.MADE;
                    case Verdict.Pending() -> MoveListener.End.UNDER_WAY;
                    case Verdict.Refused _ -> MoveListener.End.REFUSED;
                };
            case Outcome.Unknown<Verdict> _, Outcome.Unavailable<Verdict> _ -> MoveListener.End.UNANSWERED;
        };
    }

    /** Whether there was an instant at which no more were anywhere: read once more, after all that was seen. */
    private CompletionStage<Brought> settled(
            PoolId first, Buckets buckets, List<Optional<Bucket>> seen, long available) {
        for (int index = 0; index < seen.size(); index++) {
            if (seen.get(index).filter(Bucket::trusted).isEmpty()) {
                return done(new Brought.Unserved(buckets.pool(first, index)));
            }
        }
        return saleTotal(first)
                .thenCompose(total -> read(first, buckets)
                        .thenApply(again -> new TwoReadings(seen, again, total).atOneInstant(available)));
    }

    /** What all buckets come to when nothing is on its way; empty while that is being changed, or can't be told. */
    private CompletionStage<Optional<Long>> saleTotal(PoolId first) {
        return pools.look(first.value())
                .thenApply(outcome -> outcome instanceof Outcome.Known<Reply<StockPool>>(var reply)
                                && reply.state() instanceof StockPool.Trusted trusted
                                && trusted.work().queue().stream().noneMatch(PoolOperation.Adjust.class::isInstance)
                        ? Optional.of(trusted.saleTotal())
                        : Optional.empty());
    }

    private static CompletionStage<Brought> done(Brought brought) {
        return CompletableFuture.completedFuture(brought);
    }
}
