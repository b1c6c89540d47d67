package io.holdfast.http.route;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Fence;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolStatus;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Stock as the scripts keep it, as far as routes can tell: every operation is asked for once here, so it needs no fences. */
final class TestStock {

    private static final class Numbers {
        private long version;
        private long total;
        private long reserved;
        private long sold;
        private String status = "OPEN";

        private Books after() {
            version++;
            return Books.expected(1, version, total, reserved, sold);
        }
    }

    private final Map<PoolId, Numbers> pools = new HashMap<>();
    private final Map<String, Long> held = new HashMap<>();
    private final Set<String> rejected = new HashSet<>();
    private boolean silent;

    /** From now on no effect is answered: what is asked for stays open. */
    synchronized void fallSilent() {
        silent = true;
    }

    synchronized CompletionStage<Outcome<ReservationCommand>> perform(ReservationEffect effect) {
        if (silent) {
            return new CompletableFuture<>();
        }
        Numbers pool = pools.computeIfAbsent(effect.pool(), _ -> new Numbers());
        return CompletableFuture.completedFuture(Outcome.known(
                switch (effect) {
                    case ReservationEffect.TryHold hold -> tryHold(pool, hold);
                    case ReservationEffect.ConfirmHold confirm -> {
                        long whole = held.get(confirm.reservationId());
                        pool.reserved -= whole;
                        pool.sold += confirm.quantity();
                        yield new ReservationCommand.ConfirmAnswered(
                                confirm.quantity(), whole - confirm.quantity(), pool.after());
                    }
                    case ReservationEffect.ReleaseHold release -> {
                        pool.reserved -= release.expectHeld();
                        yield new ReservationCommand.ReleaseAnswered(release.expectHeld(), pool.after());
                    }
                    case ReservationEffect.RefundHold refund -> {
                        pool.sold -= refund.refund().restock() ? refund.refund().quantity() : 0;
                        yield new ReservationCommand.RefundAnswered(
                                refund.refund().id(), pool.after());
                    }
                }));
    }

    private ReservationCommand tryHold(Numbers pool, ReservationEffect.TryHold hold) {
        rejected.add(hold.reservationId());
        if (pool.status.equals("CLOSED")) {
            return turned(DenialReason.CLOSED, pool);
        }
        if (pool.status.equals("PAUSED")) {
            return turned(DenialReason.PAUSED, pool);
        }
        if (pool.total - pool.reserved - pool.sold < hold.quantity()) {
            return turned(DenialReason.SHORT, pool);
        }
        rejected.remove(hold.reservationId());
        pool.reserved += hold.quantity();
        held.put(hold.reservationId(), hold.quantity());
        return new ReservationCommand.HoldAnswered(new ReservationCommand.HoldAnswer.Granted(pool.after()));
    }

    private static ReservationCommand turned(DenialReason reason, Numbers pool) {
        return new ReservationCommand.HoldAnswered(new ReservationCommand.HoldAnswer.Turned(
                reason, Books.expected(1, pool.version, pool.total, pool.reserved, pool.sold)));
    }

    /** What Redis would say of the pool; nothing when it is silent. */
    synchronized Optional<PoolNumbers.Seen> seen(PoolId pool) {
        return Optional.ofNullable(pools.get(pool))
                .filter(_ -> !silent)
                .map(numbers -> new PoolNumbers.Seen(
                        numbers.status,
                        true,
                        Books.expected(1, numbers.version, numbers.total, numbers.reserved, numbers.sold)));
    }

    /** What a look at the pool would find. */
    synchronized Outcome<LookReply> look(LookRequest request) {
        Numbers pool = pools.get(PoolId.parse(request.pool()));
        if (silent || pool == null) {
            return Outcome.unavailable("Redis does not answer");
        }
        var books = new io.holdfast.lua.Books(
                1, pool.version, pool.total, 0, pool.total - pool.reserved - pool.sold, pool.reserved, pool.sold);
        Optional<Fence> fence = rejected.contains(request.reservation())
                ? Optional.of(new Fence(Phase.REJECTED, 1, 0, 0, 0, Map.of()))
                : Optional.ofNullable(held.get(request.reservation()))
                        .map(quantity -> new Fence(Phase.RESERVED, quantity, 0, 0, 0, Map.of()));
        return Outcome.known(new LookReply.Seen(true, PoolStatus.valueOf(pool.status), books, fence));
    }

    synchronized CompletionStage<Outcome<StockPoolCommand>> perform(StockPoolEffect effect) {
        if (silent) {
            return new CompletableFuture<>();
        }
        Numbers pool = pools.computeIfAbsent(effect.pool(), _ -> new Numbers());
        StockPoolCommand answer = switch (effect) {
            case StockPoolEffect.InitPool init -> {
                pool.total = init.total();
                yield new StockPoolCommand.OperationDone(init.key(), pool.after());
            }
            case StockPoolEffect.AdjustPool adjust -> {
                pool.total = adjust.newTotal();
                yield new StockPoolCommand.OperationDone(adjust.key(), pool.after());
            }
            case StockPoolEffect.SetPoolStatus set -> {
                pool.status = set.target().name();
                yield new StockPoolCommand.OperationDone(set.key(), pool.after());
            }
            case StockPoolEffect.VerifyPool verify ->
                new StockPoolCommand.VerificationAnswered(
                        verify.number(), new StockPoolCommand.Finding.Equal(pool.after()));
        };
        return CompletableFuture.completedFuture(Outcome.known(answer));
    }
}
