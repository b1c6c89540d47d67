package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's memory of where pools stand. A pool that serves is remembered until a script says otherwise; one that does not is asked again
 * at most once a second, and so is one that does not exist, unless it is forgotten before.
 */
public final class EntityPoolDirectory implements PoolDirectory {

    private static final long ASK_AGAIN_AFTER_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int REMEMBERED = 100_000;

    private final Entities<StockPool, StockPoolCommand> pools;
    private final LongSupplier nanos;
    private final Supplier<String> ids;
    private final Map<PoolId, Memory> memories = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PoolId, Memory> eldest) {
            return size() > REMEMBERED;
        }
    };
    private final Map<PoolId, CompletableFuture<Outcome<PoolStanding>>> asking = new HashMap<>();

    /**
     * A directory that knows nothing yet.
     *
     * @param nanos a clock that only rises, such as {@code System::nanoTime}
     * @param ids gives an id that was never given before, such as a random UUID
     */
    public EntityPoolDirectory(Entities<StockPool, StockPoolCommand> pools, LongSupplier nanos, Supplier<String> ids) {
        this.pools = pools;
        this.nanos = nanos;
        this.ids = ids;
    }

    private record Memory(PoolStanding standing, long at) {}

    @Override
    public CompletionStage<Outcome<PoolStanding>> standing(PoolId pool) {
        CompletableFuture<Outcome<PoolStanding>> question;
        synchronized (memories) {
            Optional<PoolStanding> known = remembered(pool);
            if (known.isPresent()) {
                return CompletableFuture.completedFuture(Outcome.known(known.get()));
            }
            CompletableFuture<Outcome<PoolStanding>> asked = asking.get(pool);
            if (asked != null) {
                return asked.copy();
            }
            question = new CompletableFuture<>();
            asking.put(pool, question);
        }
        look(pool).whenComplete((outcome, failure) -> answered(pool, question, outcome, failure));
        return question.copy();
    }

    /** Whatever goes wrong, the question ends: it is kept for whoever asks meanwhile. */
    private CompletionStage<Outcome<Reply<StockPool>>> look(PoolId pool) {
        try {
            return pools.look(pool.value());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(
            PoolId pool,
            CompletableFuture<Outcome<PoolStanding>> question,
            @Nullable Outcome<Reply<StockPool>> outcome,
            @Nullable Throwable failure) {
        Outcome<PoolStanding> standing = outcome == null
                ? Outcome.unavailable("the pool could not be asked: " + failure)
                : outcome.map(reply -> standing(reply.state()));
        synchronized (memories) {
            // What was asked before the pool was forgotten, or suspected, may be answered with what was so before.
            boolean current = asking.remove(pool, question);
            if (current && standing instanceof Outcome.Known<PoolStanding>(PoolStanding known)) {
                memories.put(pool, new Memory(known, nanos.getAsLong()));
            }
        }
        question.complete(standing);
    }

    private Optional<PoolStanding> remembered(PoolId pool) {
        Memory memory = memories.get(pool);
        if (memory == null) {
            return Optional.empty();
        }
        return switch (memory.standing()) {
            case PoolStanding.Serving serving -> Optional.of(serving);
            case PoolStanding.Archived archived -> Optional.of(archived);
            case PoolStanding.Suspect suspect -> whileFresh(memory, suspect);
            case PoolStanding.Rebuilding rebuilding -> whileFresh(memory, rebuilding);
            case PoolStanding.NotReady notReady -> whileFresh(memory, notReady);
            case PoolStanding.Unknown unknown -> whileFresh(memory, unknown);
        };
    }

    private Optional<PoolStanding> whileFresh(Memory memory, PoolStanding standing) {
        return nanos.getAsLong() - memory.at() < ASK_AGAIN_AFTER_NANOS ? Optional.of(standing) : Optional.empty();
    }

    /** Where a pool in this state stands. */
    static PoolStanding standing(StockPool state) {
        return switch (state) {
            case StockPool.New _ -> new PoolStanding.Unknown();
            case StockPool.Initializing _ -> new PoolStanding.NotReady();
            case StockPool.Open open -> serving(open, open.books());
            case StockPool.Closed closed -> serving(closed, closed.books());
            case StockPool.Archived archived -> new PoolStanding.Archived(archived.books());
            case StockPool.Suspect suspect -> new PoolStanding.Suspect(suspect.evidence());
            case StockPool.Rebuilding rebuilding -> new PoolStanding.Rebuilding(rebuilding.reason());
        };
    }

    private static PoolStanding serving(StockPool.Trusted state, Books books) {
        return new PoolStanding.Serving(books.epoch(), state.work().rebuiltAt(), state.sale());
    }

    @Override
    public void suspect(PoolId pool, long epoch, String evidence) {
        Memory suspected = new Memory(new PoolStanding.Suspect(evidence), nanos.getAsLong());
        synchronized (memories) {
            Memory memory = memories.get(pool);
            if (memory != null
                    && (memory.standing() instanceof PoolStanding.Archived
                            || isLaterThan(memory, epoch)
                            || turnedAwayJustNow(memory))) {
                return;
            }
            memories.put(pool, suspected);
            asking.remove(pool);
        }
        // If this is lost, the pool goes on, its next script says the same again, and it is told again.
        var cause = new Cause("suspect-" + ids.get(), "", Cause.Kind.REQUEST, "pool-directory", Optional.empty());
        var _ = pools.ask(
                        pool.value(),
                        cause,
                        new StockPoolCommand.Suspect(evidence, OptionalLong.of(epoch)),
                        Duration.ZERO)
                .thenAccept(outcome -> told(pool, suspected, outcome));
    }

    private static boolean isLaterThan(Memory memory, long epoch) {
        return memory.standing() instanceof PoolStanding.Serving serving && serving.epoch() > epoch;
    }

    private boolean turnedAwayJustNow(Memory memory) {
        boolean turnedAway = switch (memory.standing()) {
            case PoolStanding.Suspect _, PoolStanding.Rebuilding _ -> true;
            case PoolStanding.Serving _, PoolStanding.NotReady _, PoolStanding.Archived _, PoolStanding.Unknown _ ->
                false;
        };
        return turnedAway && nanos.getAsLong() - memory.at() < ASK_AGAIN_AFTER_NANOS;
    }

    /** The pool knows better: what was seen may be of a Redis that it does not ask any more. */
    private void told(PoolId pool, Memory suspected, Outcome<Reply<StockPool>> outcome) {
        if (outcome instanceof Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply)) {
            synchronized (memories) {
                memories.replace(pool, suspected, new Memory(standing(reply.state()), nanos.getAsLong()));
            }
        }
    }

    @Override
    public void forget(PoolId pool) {
        synchronized (memories) {
            memories.remove(pool);
            asking.remove(pool);
        }
    }
}
