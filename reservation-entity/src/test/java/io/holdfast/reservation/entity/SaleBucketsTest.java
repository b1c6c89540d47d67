package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation.Init;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.entity.SaleBuckets.Brought;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** A sale of two units in two buckets, by the real scripts, while something happens exactly between two reads. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SaleBucketsTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final PoolId FIRST = PoolId.parse("spring:shoes");
    private static final PoolId SECOND = PoolId.parse("spring:shoes:b1");
    private static final Buckets BUCKETS = new Buckets(2, 0);

    private final RedisModel redis = new RedisModel();
    private int reads;
    private int holds;
    private Consumer<PoolId> beforeARead = _ -> {};

    SaleBucketsTest() {
        for (PoolId pool : List.of(FIRST, SECOND)) {
            redis.poolInit(new PoolInitRequest(pool.value(), 1, "init", 1, Optional.empty(), NOW));
        }
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private String hold(PoolId pool) {
        String reservation = "r-" + holds++;
        redis.tryHold(new TryRequest(pool.value(), 1, reservation, 1, NOW));
        assertThat(redis.hash("hf:{" + pool + "}:r:" + reservation)).containsEntry("phase", "RESERVED");
        return reservation;
    }

    private void giveBack(PoolId pool, String reservation) {
        redis.cancel(new CancelRequest(pool.value(), 1, reservation, "RELEASE:" + reservation, 1, true, NOW));
    }

    private void sell(PoolId pool, String reservation) {
        redis.confirm(new ConfirmRequest(pool.value(), 1, reservation, 1, false, NOW));
    }

    private String available(PoolId pool) {
        return redis.hash("hf:{" + pool + "}:stock").getOrDefault("available", "");
    }

    /** The same scripts, with something before each read of a pool. */
    private StockScripts watched() {
        return (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    if (arguments[0] instanceof InspectRequest request) {
                        reads++;
                        beforeARead.accept(PoolId.parse(request.pool()));
                    }
                    try {
                        return method.invoke(redis, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Brought bring() {
        return new SaleBuckets(
                        watched(),
                        new FirstPool(),
                        new KnownPools(),
                        _ -> CompletableFuture.completedFuture(null),
                        () -> "move",
                        MoveListener.none())
                .bring(FIRST, BUCKETS, FIRST, 1)
                .toCompletableFuture()
                .join();
    }

    /** Knows the sale's total; nothing moves between its pools here. */
    private record FirstPool() implements Entities<StockPool, StockPoolCommand> {
        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            throw new AssertionError("asked " + entityId + " for " + command);
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            assertThat(entityId).isEqualTo(FIRST.value());
            var machine = new StockPoolMachine(EffectPolicies.standard());
            var init = new Init(
                    "init",
                    2,
                    Optional.empty(),
                    Optional.of(new Sale(1, NOW, NOW.plusSeconds(60), 1, Optional.of(BUCKETS))));
            StockPool state = machine.evolve(machine.initial(entityId), new OperationAccepted(init));
            state = machine.evolve(state, new PoolInitialized("init", Books.expected(1, 1, 1, 0, 0)));
            return CompletableFuture.completedFuture(
                    Outcome.known(new Reply<>(entityId, 2, Verdict.done(), false, state, List.of())));
        }
    }

    @Test
    void a_unit_that_is_always_in_the_bucket_that_is_not_read_is_never_called_sold_out() {
        String[] held = {hold(FIRST), ""};
        beforeARead = pool -> {
            int here = pool.equals(FIRST) ? 0 : 1;
            PoolId other = here == 0 ? SECOND : FIRST;
            if (available(pool).equals("1")) {
                giveBack(other, held[1 - here]);
                held[here] = hold(pool);
            }
            assertThat(available(FIRST) + available(SECOND))
                    .as("somewhere there is one")
                    .containsOnlyOnce("1");
        };
        assertThat(bring()).isInstanceOf(Brought.Unsettled.class);
        assertThat(reads).isGreaterThan(4);
    }

    @Test
    void nothing_anywhere_is_sold_out_after_two_readings_also_while_what_is_held_is_paid_for() {
        String first = hold(FIRST);
        String second = hold(SECOND);
        beforeARead = pool -> {
            if (reads == 2) {
                sell(FIRST, first);
            }
            if (reads == 3) {
                sell(SECOND, second);
            }
        };
        assertThat(bring()).isEqualTo(new Brought.TooFew(0));
        assertThat(reads).isEqualTo(4);
    }

    @Test
    void a_unit_that_comes_back_to_a_bucket_that_was_read_already_is_seen_at_the_next_look() {
        String first = hold(FIRST);
        hold(SECOND);
        beforeARead = pool -> {
            if (reads == 4) {
                giveBack(FIRST, first);
            }
        };
        // There was such an instant: it came back after both had been read once, and after the first was read again.
        assertThat(bring()).isEqualTo(new Brought.TooFew(0));
        assertThat(bring()).isEqualTo(new Brought.There());
    }
}
