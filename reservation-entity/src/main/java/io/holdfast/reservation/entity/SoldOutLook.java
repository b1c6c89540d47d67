package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Spares the crowd before a sold-out pool the journal: while this node's last answer for a pool was short, Redis is looked at before a
 * reservation is made. What it says is of this instant and remembered nowhere: the next request looks again.
 *
 * <p>A request whose reservation has a fence is a repeat, and is never answered from here; nor is one for a pool that does not serve.
 */
final class SoldOutLook {

    /** Pools noted at a time. Forgetting one costs one journaled rejection. */
    private static final int LONGEST_MEMORY = 100_000;

    private final HoldDesk.Redis redis;
    private final Set<PoolId> shortPools = ConcurrentHashMap.newKeySet();

    SoldOutLook(HoldDesk.Redis redis) {
        this.redis = redis;
    }

    /** Whether the last answer for this pool was short. */
    boolean suspects(PoolId pool) {
        return shortPools.contains(pool);
    }

    /** Notes what a reservation just answered. */
    void answered(Reservation reservation) {
        switch (reservation.unmarked()) {
            case Reservation.Rejected rejected
            when rejected.reason() == DenialReason.SHORT -> {
                if (shortPools.size() >= LONGEST_MEMORY) {
                    shortPools.clear();
                }
                shortPools.add(rejected.claim().pool());
            }
            case Reservation.Reserved reserved -> {
                // Asked first: removing locks, and nearly every answer of a day comes here.
                if (!shortPools.isEmpty()) {
                    shortPools.remove(reserved.claim().pool());
                }
            }
            case Reservation.Unmarked _ -> {
                // Says nothing of what the pool has.
            }
        }
    }

    /** Whether the pool has too few units for this request now, and Redis has no fence of its reservation. */
    CompletionStage<Boolean> isSoldOut(ReservationCommand.Reserve request) {
        String reservation = request.terms().line().reservationId();
        String pool = request.pool().pool().value();
        return redis.soldOut(
                        new SoldOutRequest(pool, reservation, request.terms().quantity()))
                .thenCompose(outcome -> {
                    if (!(outcome instanceof Outcome.Known<SoldOutReply>(SoldOutReply.SoldOut()))) {
                        return CompletableFuture.completedStage(false);
                    }
                    return dayBefore(request)
                            .map(yesterday -> redis.look(new LookRequest(yesterday.value(), reservation))
                                    .thenApply(SoldOutLook::surelyWithoutFence))
                            .orElseGet(() -> CompletableFuture.completedStage(true));
                });
    }

    /** A retry after midnight means the hold of the day before. */
    private static Optional<PoolId> dayBefore(ReservationCommand.Reserve request) {
        return switch (request.pool()) {
            case PoolChoice.Named _ -> Optional.empty();
            case PoolChoice.Derived(PoolId pool) ->
                switch (request.terms().orderType()) {
                    case OrderType.InstantOrder() -> pool.dayBefore();
                    case OrderType.ScheduledOrder _ -> Optional.empty();
                };
        };
    }

    private static boolean surelyWithoutFence(Outcome<LookReply> outcome) {
        return switch (outcome) {
            case Outcome.Known<LookReply>(LookReply reply) ->
                switch (reply) {
                    case LookReply.Seen yesterday -> yesterday.fence().isEmpty();
                    case GuardRefusal.PoolMissing _ -> true;
                    case GuardRefusal.Malformed _, GuardRefusal.BrokenBooks _ -> false;
                };
            case Outcome.Unknown<LookReply> _, Outcome.Unavailable<LookReply> _ -> false;
        };
    }
}
