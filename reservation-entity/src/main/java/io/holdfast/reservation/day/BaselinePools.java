package io.holdfast.reservation.day;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.entity.Outcomes;
import io.holdfast.reservation.port.DayPools;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pools from baselines. The same Init under the same id whoever asks first, the scheduler of the days or a buyer, on whichever node: the
 * pool's journal has it once. A day that is over is not begun any more.
 */
public final class BaselinePools implements DayPools {

    /** Who is named in a pool's journal. */
    static final String ACTOR = "business-days";

    private static final long ASK_AGAIN_AFTER_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int REMEMBERED = 100_000;
    /** Questions about different pools at a time; whoever comes beyond asks again. */
    private static final int MOST_ASKED = 1000;

    private final BaselineTable baselines;
    private final MerchantCalendars calendars;
    private final Entities<StockPool, StockPoolCommand> pools;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Executor blocking;
    private final Duration patience;
    private final Map<PoolId, CompletableFuture<Outcome<Opening>>> asking = new HashMap<>();
    private final Map<PoolId, Long> nothingSetOut = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PoolId, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    /**
     * @param clock says which day it is
     * @param nanos a clock that only rises, such as {@code System::nanoTime}
     * @param blocking threads that may wait for the database
     * @param patience how long a pool may take to be created before whoever asked is told that it is not ready
     */
    public BaselinePools(
            BaselineTable baselines,
            MerchantCalendars calendars,
            Entities<StockPool, StockPoolCommand> pools,
            InstantSource clock,
            LongSupplier nanos,
            Executor blocking,
            Duration patience) {
        this.baselines = baselines;
        this.calendars = calendars;
        this.pools = pools;
        this.clock = clock;
        this.nanos = nanos;
        this.blocking = blocking;
        this.patience = patience;
    }

    @Override
    public CompletionStage<Outcome<Opening>> open(PoolId pool) {
        Optional<LocalDate> day = pool.day();
        if (day.isEmpty()) {
            return Outcomes.done(Outcome.known(Opening.NOTHING_SET_OUT));
        }
        CompletableFuture<Outcome<Opening>> question;
        synchronized (asking) {
            Long knownSince = nothingSetOut.get(pool);
            if (knownSince != null && nanos.getAsLong() - knownSince < ASK_AGAIN_AFTER_NANOS) {
                return Outcomes.done(Outcome.known(Opening.NOTHING_SET_OUT));
            }
            CompletableFuture<Outcome<Opening>> asked = asking.get(pool);
            if (asked != null) {
                return asked.copy();
            }
            if (asking.size() >= MOST_ASKED) {
                return Outcomes.done(Outcome.unavailable("too many pools are being asked for"));
            }
            question = new CompletableFuture<>();
            asking.put(pool, question);
        }
        Outcomes.then(found(pool), kept -> opened(kept, pool, day.get()))
                .whenComplete((outcome, failure) -> answered(pool, question, outcome, failure));
        return question.copy();
    }

    /** Whatever goes wrong, the question ends: it is kept for whoever asks meanwhile. */
    private void answered(
            PoolId pool,
            CompletableFuture<Outcome<Opening>> question,
            @Nullable Outcome<Opening> outcome,
            @Nullable Throwable failure) {
        Outcome<Opening> answer =
                outcome != null ? outcome : Outcome.unavailable("the pool could not be asked for: " + failure);
        synchronized (asking) {
            asking.remove(pool);
            if (answer.equals(Outcome.known(Opening.NOTHING_SET_OUT))) {
                nothingSetOut.put(pool, nanos.getAsLong());
            }
        }
        question.complete(answer);
    }

    private CompletionStage<Outcome<Optional<KeptBaseline>>> found(PoolId pool) {
        try {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return Outcome.known(baselines.find(pool.merchant(), pool.dish()));
                        } catch (SQLException e) {
                            return Outcome.unavailable("the baseline could not be read: " + e.getMessage());
                        }
                    },
                    blocking);
        } catch (RejectedExecutionException full) {
            return Outcomes.done(Outcome.unavailable("too many queries wait"));
        }
    }

    private CompletionStage<Outcome<Opening>> opened(Optional<KeptBaseline> kept, PoolId pool, LocalDate day) {
        boolean over = day.isBefore(calendars.of(pool.merchant()).dayAt(clock.instant()));
        OptionalLong total = kept.map(found -> found.baseline().totalOn(day)).orElseGet(OptionalLong::empty);
        return over || total.isEmpty()
                ? Outcomes.done(Outcome.known(Opening.NOTHING_SET_OUT))
                : init(kept.orElseThrow().version(), pool, total.getAsLong());
    }

    /** The pool of this day, as this version of the baseline has it. */
    CompletionStage<Outcome<Opening>> init(long version, PoolId pool, long total) {
        String id = "baseline:" + version;
        // With a blank, which no caller's key has: nobody else can have used it.
        var cause = new Cause("baseline " + version, Long.toString(total), Cause.Kind.REQUEST, ACTOR, Optional.empty());
        return pools.ask(pool.value(), cause, new PoolOperation.Init(id, total), patience)
                .thenApply(outcome -> Outcomes.flatMap(outcome, BaselinePools::opening));
    }

    private static Outcome<Opening> opening(Reply<StockPool> reply) {
        return switch (reply.verdict()) {
            case Verdict.Done() -> Outcome.known(Opening.EXISTS);
            case Verdict.Pending() -> Outcome.unavailable("the pool is being created");
            // Somebody has created it otherwise, or from another version: it is there.
            case Verdict.Refused(Refusal reason)
            when reason == StockPoolRefusal.ALREADY_INITIALIZED -> Outcome.known(Opening.EXISTS);
            case Verdict.Refused(Refusal reason) -> Outcome.unavailable(reason.code() + ": " + reason.explanation());
        };
    }
}
