package io.holdfast.reconciliation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Fence;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.StoredFences;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.ScriptAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What Redis says, asked on a thread that may wait. A question that fails is asked again, then the pool can't be compared. */
final class RedisSide {

    /** An id no reservation has: the pool alone is wanted. */
    private static final String NO_RESERVATION = "-";

    /** For one pool. Together far fewer than calls may wait on one connection: other work must still get through. */
    private static final int AT_ONCE = 16;

    private static final int ATTEMPTS = 5;
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final int SCAN_EFFORT = 1_000;

    private final StockScripts scripts;
    private final StoredFences names;

    RedisSide(StockScripts scripts, StoredFences names) {
        this.scripts = scripts;
        this.names = names;
    }

    /** One atomic reading of a pool's numbers and one fence. */
    sealed interface Reading {
        /** Both are there, or the fence is not. */
        record Read(boolean trusted, PoolStatus status, Books books, Optional<Fence> fence) implements Reading {}

        /** Redis has no such pool. */
        record NoPool() implements Reading {}

        /** The numbers, or the fence, can't be read. */
        record Unreadable(String what) implements Reading {
            boolean ofFence() {
                return what.startsWith("fence");
            }
        }
    }

    Reading pool(PoolId pool) {
        return readings(pool, List.of(NO_RESERVATION)).getFirst();
    }

    /** One reading for each, in their order. */
    List<Reading> readings(PoolId pool, List<String> reservations) {
        List<Reading> all = new ArrayList<>(reservations.size());
        for (int from = 0; from < reservations.size(); from += AT_ONCE) {
            List<String> part = reservations.subList(from, Math.min(reservations.size(), from + AT_ONCE));
            List<CompletionStage<Outcome<LookReply>>> asked = part.stream()
                    .map(id -> scripts.look(new LookRequest(pool.value(), id)))
                    .toList();
            for (int i = 0; i < part.size(); i++) {
                all.add(reading(pool, part.get(i), answer(asked.get(i)), 1));
            }
        }
        return all;
    }

    private Reading reading(PoolId pool, String reservation, Outcome<LookReply> outcome, int attempt) {
        return switch (outcome) {
            case Outcome.Known<LookReply>(LookReply reply) ->
                switch (reply) {
                    case LookReply.Seen seen ->
                        new Reading.Read(
                                seen.trusted(), seen.status(), ScriptAnswers.books(seen.books()), seen.fence());
                    case GuardRefusal.PoolMissing() -> new Reading.NoPool();
                    case GuardRefusal.BrokenBooks(String what) -> new Reading.Unreadable(what);
                    case GuardRefusal.Malformed(String what) ->
                        throw new CannotCompare(
                                "Redis takes " + reservation + " of " + pool + " for malformed: " + what);
                };
            case Outcome.Unknown<LookReply>(String why) -> again(pool, reservation, why, attempt);
            case Outcome.Unavailable<LookReply>(String why) -> again(pool, reservation, why, attempt);
        };
    }

    private Reading again(PoolId pool, String reservation, String why, int attempt) {
        if (attempt == ATTEMPTS) {
            throw new CannotCompare("Redis could not be asked: " + why);
        }
        Waiting.pause(Duration.ofMillis(50L << attempt));
        return reading(
                pool, reservation, answer(scripts.look(new LookRequest(pool.value(), reservation))), attempt + 1);
    }

    /** Some names of fences Redis has of a pool. */
    StoredFences.Names names(PoolId pool, String from) {
        return switch (answer(names.names(pool.value(), from, SCAN_EFFORT))) {
            case Outcome.Known<StoredFences.Names>(StoredFences.Names met) -> met;
            case Outcome.Unknown<StoredFences.Names>(String why) ->
                throw new CannotCompare("the fences could not be gone through: " + why);
            case Outcome.Unavailable<StoredFences.Names>(String why) ->
                throw new CannotCompare("the fences could not be gone through: " + why);
        };
    }

    private static <T> Outcome<T> answer(CompletionStage<Outcome<T>> stage) {
        return Waiting.answer(stage, LONGEST);
    }
}
