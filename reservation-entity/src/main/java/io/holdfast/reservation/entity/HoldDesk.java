package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.port.DayPools;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Where holds are asked for. A reservation is made only for a pool that serves, and that is not known to be sold out; whoever is turned
 * away here left no trace, and may come again with the same ids. A repeat reaches its reservation, whatever became of the pool; only where the
 * pool is sold out does that need a fence of it, which one has as soon as its first try has reached Redis.
 */
public final class HoldDesk {

    private final Entities<Reservation, ReservationCommand> reservations;
    private final PoolDirectory pools;
    private final DayPools dayPools;
    private final SoldOutLook soldOut;
    private final GradualOpening opening;

    /**
     * A desk of this node.
     *
     * @param pools where pools stand
     * @param dayPools creates the pool of a day that is asked for the first time
     * @param redis asked of a pool that was last seen short
     * @param reopenOver how long it takes until a pool that was rebuilt lets every new hold in
     */
    public HoldDesk(
            Entities<Reservation, ReservationCommand> reservations,
            PoolDirectory pools,
            DayPools dayPools,
            Redis redis,
            InstantSource clock,
            Duration reopenOver) {
        this.reservations = reservations;
        this.pools = pools;
        this.dayPools = dayPools;
        this.soldOut = new SoldOutLook(redis);
        this.opening = new GradualOpening(clock, reopenOver);
    }

    /** What is asked of Redis before a reservation is. Nothing is written by it. */
    public interface Redis {

        /** {@link StockScripts#soldOut}. */
        CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request);

        /** {@link StockScripts#look}. */
        CompletionStage<Outcome<LookReply>> look(LookRequest request);

        /** By these scripts. */
        static Redis of(StockScripts scripts) {
            return new Redis() {
                @Override
                public CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request) {
                    return scripts.soldOut(request);
                }

                @Override
                public CompletionStage<Outcome<LookReply>> look(LookRequest request) {
                    return scripts.look(request);
                }
            };
        }
    }

    /** What came of a request. */
    public sealed interface Answer {

        /** The reservation was asked; what it answered, if it did. */
        record Asked(Outcome<Reply<Reservation>> outcome) implements Answer {}

        /** Nothing was recorded. */
        record TurnedAway(Reason reason) implements Answer {}
    }

    /** Why a request is turned away without a trace. */
    public enum Reason {
        /** No pool of this id was initialised, and nothing is set out for its day. */
        POOL_UNKNOWN,
        /** The pool is being created. */
        POOL_NOT_READY,
        /** Redis can't be trusted for this pool now. */
        POOL_SUSPECT,
        /** Redis is loaded anew for this pool, or was just, and the turn of this hold has not come. */
        POOL_REBUILDING,
        /** The pool has ended. */
        POOL_ARCHIVED,
        /** Fewer units are available than asked for, and the reservation was never tried. */
        SOLD_OUT,
        /** It is a bucket of a sale, whose limit and whose other buckets only the gate looks at. */
        PART_OF_SALE,
        /** Of a group: its pools share no hash tag, so that no script can hold in all of them at once. */
        POOLS_APART
    }

    /**
     * Asks for a hold.
     *
     * @param patience how long the answer may be held back until the hold is settled
     */
    public CompletionStage<Answer> hold(ReservationCommand.Reserve request, Cause cause, Duration patience) {
        return pools.standing(request.pool().pool()).thenCompose(standing -> switch (standing) {
            case Outcome.Known<PoolStanding>(PoolStanding known) ->
                switch (known) {
                    case PoolStanding.Serving serving
                    when isBucket(serving) ->
                        unlessKnown(request, cause, patience, () -> turnedAway(Reason.PART_OF_SALE));
                    case PoolStanding.Serving serving ->
                        opening.admits(serving, request.terms().line().reservationId())
                                ? serve(request.at(serving.epoch()), cause, patience)
                                : unlessKnown(request, cause, patience, () -> turnedAway(Reason.POOL_REBUILDING));
                    case PoolStanding.Rebuilding _ ->
                        unlessKnown(request, cause, patience, () -> turnedAway(Reason.POOL_REBUILDING));
                    case PoolStanding.Unknown() ->
                        unlessKnown(
                                request, cause, patience, () -> open(request, cause, patience, Reason.POOL_UNKNOWN));
                    case PoolStanding.NotReady() -> // whoever comes while a day's pool is created waits for it too
                        unlessKnown(
                                request, cause, patience, () -> open(request, cause, patience, Reason.POOL_NOT_READY));
                    case PoolStanding.Archived _ ->
                        unlessKnown(request, cause, patience, () -> turnedAway(Reason.POOL_ARCHIVED));
                    case PoolStanding.Suspect _ ->
                        unlessKnown(request, cause, patience, () -> turnedAway(Reason.POOL_SUSPECT));
                };
            case Outcome.Unknown<PoolStanding>(String why) -> unreached(why);
            case Outcome.Unavailable<PoolStanding>(String why) -> unreached(why);
        });
    }

    /** Whether it is one of several pools of a sale: a hold past the gate would see a part of the stock, and of what the user holds. */
    static boolean isBucket(PoolStanding.Serving pool) {
        return pool.sale().flatMap(Sale::buckets).isPresent();
    }

    private CompletionStage<Answer> serve(ReservationCommand.Reserve request, Cause cause, Duration patience) {
        PoolChoice pool = request.pool();
        if (!soldOut.suspects(pool.pool())) {
            return ask(request, cause, patience);
        }
        return soldOut.isSoldOut(request)
                .thenCompose(without -> without ? turnedAway(Reason.SOLD_OUT) : ask(request, cause, patience));
    }

    private CompletionStage<Answer> ask(ReservationCommand.Reserve request, Cause cause, Duration patience) {
        return reservations
                .ask(request.terms().line().reservationId(), cause, request, patience)
                .thenApply(outcome -> {
                    if (outcome instanceof Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply)) {
                        soldOut.answered(reply.state());
                    }
                    return new Answer.Asked(outcome);
                });
    }

    /**
     * The first who asks for a day's pool has it created.
     *
     * @param otherwise why the request is turned away where no baseline says what the pool should hold
     */
    private CompletionStage<Answer> open(
            ReservationCommand.Reserve request, Cause cause, Duration patience, Reason otherwise) {
        PoolId pool = request.pool().pool();
        return dayPools.open(pool).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<DayPools.Opening>(DayPools.Opening opening) ->
                switch (opening) {
                    case EXISTS -> {
                        pools.forget(pool);
                        yield ask(request, cause, patience);
                    }
                    case NOTHING_SET_OUT -> turnedAway(otherwise);
                };
            case Outcome.Unknown<DayPools.Opening> _, Outcome.Unavailable<DayPools.Opening> _ ->
                turnedAway(Reason.POOL_NOT_READY);
        });
    }

    /** A repeat is answered with what happened the first time, whatever became of the pool since; only a first try is turned away. */
    private CompletionStage<Answer> unlessKnown(
            ReservationCommand.Reserve request,
            Cause cause,
            Duration patience,
            Supplier<CompletionStage<Answer>> otherwise) {
        return reservations.look(request.terms().line().reservationId()).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Reply<Reservation>>(Reply<Reservation> reply)
            when !(reply.state().unmarked() instanceof Reservation.None) -> ask(request, cause, patience);
            case Outcome.Known<Reply<Reservation>> _ -> otherwise.get();
            case Outcome.Unknown<Reply<Reservation>>(String why) -> unreached(why);
            case Outcome.Unavailable<Reply<Reservation>>(String why) -> unreached(why);
        });
    }

    private static CompletionStage<Answer> turnedAway(Reason reason) {
        return CompletableFuture.completedFuture(new Answer.TurnedAway(reason));
    }

    /** Only reads went out, so nothing can have been recorded. */
    private static CompletionStage<Answer> unreached(String why) {
        return CompletableFuture.completedFuture(new Answer.Asked(Outcome.unavailable(why)));
    }
}
