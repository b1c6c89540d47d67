package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Calls a script of a pool that serves, under the epoch that the reservation's journal has. If the pool was loaded anew since, the
 * reservation has to journal that first: a copy of it that was left behind can't, and so never calls under an epoch in which its fence may
 * be missing because it has ended. For a pool that has ended the caller has another answer; of any other it is not called, and the effect is
 * tried again.
 */
public final class WithEpoch {

    private WithEpoch() {}

    /** What a script's reply means, asked under this epoch. */
    @FunctionalInterface
    public interface Meaning<T, U> {
        Outcome<U> of(long epoch, T reply);
    }

    /**
     * What the script's reply means, if it gave one; Unavailable with where the pool stands, if it was not called.
     *
     * @param journaled the pool's epoch as the reservation's journal has it
     * @param loadedAnew the outcome for a pool that is at a later epoch: the reservation is to journal it
     * @param archived the outcome for a pool that has ended, given its last books
     */
    public static <T, U> CompletionStage<Outcome<U>> call(
            PoolDirectory pools,
            PoolId pool,
            long journaled,
            LongFunction<CompletionStage<Outcome<T>>> script,
            Meaning<T, U> meaning,
            Function<PoolEpoch, U> loadedAnew,
            Function<Books, Outcome<U>> archived) {
        return ask(
                pools,
                pool,
                journaled,
                epoch -> script.apply(epoch)
                        .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> meaning.of(epoch, reply))),
                loadedAnew,
                books -> Outcomes.done(archived.apply(books)));
    }

    /**
     * The same for whoever asks another than the scripts, and of a pool that has ended as well.
     *
     * @param archived what is asked of a pool that has ended, given its last books
     */
    public static <U> CompletionStage<Outcome<U>> ask(
            PoolDirectory pools,
            PoolId pool,
            long journaled,
            LongFunction<CompletionStage<Outcome<U>>> question,
            Function<PoolEpoch, U> loadedAnew,
            Function<Books, CompletionStage<Outcome<U>>> archived) {
        return Outcomes.then(pools.standing(pool), standing -> switch (standing) {
            case PoolStanding.Serving(long epoch, var _, var _) when epoch == journaled -> question.apply(epoch);
            case PoolStanding.Serving(long epoch, var _, var _)
            when epoch > journaled -> Outcomes.done(Outcome.known(loadedAnew.apply(new PoolEpoch(pool, epoch))));
            case PoolStanding.Serving(long epoch, var _, var _) ->
                Outcomes.done(leftBehind(pools, pool, epoch, journaled));
            case PoolStanding.NotReady() -> Outcomes.done(Outcome.unavailable("POOL_NOT_READY: it is being created"));
            case PoolStanding.Suspect(String evidence) ->
                Outcomes.done(Outcome.unavailable("POOL_SUSPECT: " + evidence));
            case PoolStanding.Rebuilding(String reason) ->
                Outcomes.done(Outcome.unavailable("POOL_REBUILDING: " + reason));
            case PoolStanding.Archived(Books books) -> archived.apply(books);
            case PoolStanding.Unknown() -> Outcomes.done(Outcome.unavailable("POOL_UNKNOWN: it was never initialised"));
        });
    }

    /** This node knows less of the pool than the reservation does: it asks anew. */
    static <U> Outcome<U> leftBehind(PoolDirectory pools, PoolId pool, long epoch, long journaled) {
        pools.forget(pool);
        return Outcome.unavailable("this node knows pool " + pool.value() + " at epoch " + epoch
                + ", and it has been loaded anew under " + journaled);
    }
}
