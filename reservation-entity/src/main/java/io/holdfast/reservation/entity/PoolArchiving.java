package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.InspectReply;
import io.holdfast.lua.InspectRequest;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolExpireReply;
import io.holdfast.lua.PoolExpireRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Origin;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.Reservation.UnderReview;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.KeysExpire;
import io.holdfast.reservation.domain.StockPoolCommand.OperationTurnedDown;
import io.holdfast.reservation.domain.StockPoolEffect.ArchivePool;
import io.holdfast.reservation.domain.StockPoolEffect.LetKeysGo;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.port.PoolReservations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Ends a closed pool, in this order:
 *
 * <ol>
 *   <li>Unless Redis has it as ARCHIVED already, from an earlier attempt: take the journal's position and wait until the view has passed
 *       it. The pool was closed before, so whatever is journaled later holds nothing. If a reservation has not ended, the pool is not drained;
 *       a refund of what was sold is no obstacle, for it holds nothing either.
 *   <li>Have Redis archive the pool, in one script with the test that nothing is reserved. From here on no refund moves anything.
 *   <li>Take the position again and wait for the view. A refund that happened in Redis before has its answer there; it must be recorded
 *       first, or it would be taken for one that came later. Those that did not happen wait for the pool, and then are in the journals alone.
 *   <li>Once the journal has that the pool is archived, and not before: let Redis drop the fences after a while, and the pool's own keys last.
 *       Nothing is asked of them any more; until then people can look. A pool that is closed and not archived never has a key that goes by itself, wherever
 *       this is interrupted.
 * </ol>
 */
final class PoolArchiving {

    private static final int PAGE = 500;

    private final StockScripts scripts;
    private final PoolReservations reservations;
    private final WholeView view;
    private final InstantSource clock;
    private final Duration keep;

    /** @param keep how long the keys of an archived pool stay in Redis */
    PoolArchiving(
            StockScripts scripts, PoolReservations reservations, WholeView view, InstantSource clock, Duration keep) {
        this.scripts = scripts;
        this.reservations = reservations;
        this.view = view;
        this.clock = clock;
        this.keep = keep;
    }

    CompletionStage<Outcome<StockPoolCommand>> archive(ArchivePool effect) {
        return Outcomes.then(archivedBefore(effect.pool()), before -> before ? end(effect) : endIfDrained(effect));
    }

    private CompletionStage<Outcome<Boolean>> archivedBefore(PoolId pool) {
        return scripts.inspect(new InspectRequest(pool.value(), Optional.empty()))
                .thenApply(outcome -> outcome.map(reply -> switch (reply) {
                    case InspectReply.Inspected seen ->
                        PoolStatus.ARCHIVED.name().equals(seen.pool().get("status"));
                    case GuardRefusal _ -> false; // the next script says what is wrong
                }));
    }

    // ---- 1. has everything ended

    private CompletionStage<Outcome<StockPoolCommand>> endIfDrained(ArchivePool effect) {
        return Outcomes.then(
                walk(effect.pool(), reservation -> Outcomes.done(Outcome.known(!hasEnded(reservation)))),
                notEnded -> notEnded
                        ? Outcomes.done(
                                Outcome.known(new OperationTurnedDown(effect.key(), StockPoolRefusal.NOT_DRAINED)))
                        : end(effect));
    }

    /** Whether it has nothing left to do with Redis, but for giving back what was sold. */
    private static boolean hasEnded(Reservation reservation) {
        return switch (reservation) {
            case None _, Confirmed _, Canceled _, Refunded _, Rejected _ -> true;
            case Refunding refunding -> refunding.origin() == Origin.CONFIRMED;
            case Preparing _, Reserved _, CreatedReserved _, Confirming _, Canceling _, UnderReview _ -> false;
        };
    }

    // ---- 2. end it in Redis

    private CompletionStage<Outcome<StockPoolCommand>> end(ArchivePool effect) {
        var request = new PoolStatusRequest(
                effect.pool().value(), effect.epoch(), effect.operationId(), PoolStatus.ARCHIVED, clock.instant());
        return Outcomes.then(scripts.poolStatus(request), reply -> switch (reply) {
            case PoolStatusReply.Changed changed -> endWhenRecorded(effect, changed);
            case PoolStatusReply.WrongStatus(var status, var _) ->
                Outcomes.done(StockPoolEffects.suspect("WRONG_STATUS: Redis has the pool as " + status));
            case PoolStatusReply.StillReserved _ ->
                Outcomes.done(StockPoolEffects.suspect(
                        "STILL_RESERVED: Redis has units reserved in a pool whose reservations have all ended"));
            case PoolStatusReply.Conflict _ -> Outcomes.done(StockPoolEffects.conflict(effect));
            case GuardRefusal refusal -> Outcomes.done(StockPoolEffects.refused(effect.key(), refusal));
        });
    }

    // ---- 3. wait for what happened before

    private CompletionStage<Outcome<StockPoolCommand>> endWhenRecorded(
            ArchivePool effect, PoolStatusReply.Changed archived) {
        return Outcomes.then(
                walk(effect.pool(), this::happenedUnrecorded),
                some -> some
                        ? Outcomes.done(Outcome.unavailable("a refund that happened before is being recorded"))
                        : Outcomes.done(StockPoolEffects.done(effect.key(), archived.books())));
    }

    private CompletionStage<Outcome<Boolean>> happenedUnrecorded(Reservation reservation) {
        if (!(reservation.unmarked() instanceof Refunding refunding)) {
            return Outcomes.done(Outcome.known(false));
        }
        var request = new LookRequest(refunding.claim().pool().value(), refunding.id());
        String operation = "refund:" + refunding.refund().id();
        return scripts.look(request)
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case LookReply.Seen seen ->
                        Outcome.known(seen.fence()
                                .filter(fence -> fence.operations().containsKey(operation))
                                .isPresent());
                    case GuardRefusal refusal ->
                        Outcome.unavailable("the pool changed after it was archived: " + ScriptAnswers.code(refusal));
                }));
    }

    // ---- 4. let the keys go

    CompletionStage<Outcome<StockPoolCommand>> letGo(LetKeysGo effect) {
        Instant now = clock.instant();
        Function<Reservation, CompletionStage<Outcome<Boolean>>> fence = reservation ->
                expire(effect, Optional.of(reservation.id()), now).thenApply(outcome -> outcome.map(_ -> false));
        return Outcomes.then(
                walk(effect.pool(), fence),
                _ -> Outcomes.then(
                        expire(effect, Optional.empty(), now),
                        reply -> Outcomes.done(
                                switch (reply) {
                                    case PoolExpireReply.Expires _ -> letGo(now.plus(keep));
                                    // It has lost the pool, or gone back to before its end. Nobody asks it any more.
                                    case PoolExpireReply.WrongStatus _,
                                            GuardRefusal.PoolMissing _,
                                            GuardRefusal.PoolSuspect _,
                                            GuardRefusal.StaleEpoch _,
                                            GuardRefusal.BrokenBooks _ -> letGo(now);
                                    case GuardRefusal.Malformed refusal ->
                                        Outcome.unavailable(ScriptAnswers.code(refusal));
                                })));
    }

    private static Outcome<StockPoolCommand> letGo(Instant goneBy) {
        return Outcome.known(new KeysExpire(goneBy));
    }

    /** What is said while the fences are gone through is said again by the last call, which is about the pool itself. */
    private CompletionStage<Outcome<PoolExpireReply>> expire(
            LetKeysGo effect, Optional<String> reservation, Instant now) {
        return scripts.poolExpire(new PoolExpireRequest(
                effect.pool().value(), effect.epoch(), effect.operationId(), reservation, keep, now));
    }

    // ---- all reservations of the pool, as of now

    /** Whether any of them is so, one page after another. */
    private CompletionStage<Outcome<Boolean>> walk(
            PoolId pool, Function<Reservation, CompletionStage<Outcome<Boolean>>> isSo) {
        return view.read(pool, () -> anyFrom(pool, Optional.empty(), isSo));
    }

    private CompletionStage<Outcome<Boolean>> anyFrom(
            PoolId pool, Optional<String> after, Function<Reservation, CompletionStage<Outcome<Boolean>>> isSo) {
        return Outcomes.then(reservations.page(pool, after, PAGE), page -> {
            CompletionStage<Outcome<Boolean>> any = anyOf(page, isSo);
            return page.size() < PAGE
                    ? any
                    : Outcomes.then(
                            any,
                            found -> found
                                    ? Outcomes.done(Outcome.known(true))
                                    : anyFrom(pool, Optional.of(page.getLast().id()), isSo));
        });
    }

    private static CompletionStage<Outcome<Boolean>> anyOf(
            List<Reservation> page, Function<Reservation, CompletionStage<Outcome<Boolean>>> isSo) {
        CompletionStage<Outcome<Boolean>> any = CompletableFuture.completedFuture(Outcome.known(false));
        for (Reservation reservation : page) {
            any = Outcomes.then(any, found -> found ? Outcomes.done(Outcome.known(true)) : isSo.apply(reservation));
        }
        return any;
    }
}
