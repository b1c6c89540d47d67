package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;

/** What every caller of a stock script does alike with its answers. */
public final class ScriptAnswers {

    private ScriptAnswers() {}

    /** The same numbers as the domain calls them. */
    public static Books books(io.holdfast.lua.Books books) {
        return new Books(
                books.epoch(),
                books.version(),
                books.total(),
                books.deficit(),
                books.available(),
                books.reserved(),
                books.sold());
    }

    /**
     * A refusal of the guards is no outcome of an operation: nothing was written, and the operation is asked for again. All but a
     * malformed call, which is our own fault, mean that Redis can't be believed for this pool.
     */
    public static <T> Outcome<T> refused(GuardRefusal refusal, PoolId pool, PoolDirectory directory) {
        String code = code(refusal);
        if (!(refusal instanceof GuardRefusal.Malformed)) {
            directory.suspect(pool, code);
        }
        return Outcome.unavailable(code);
    }

    /** A fence that must be there and is not: nothing was written, and the pool is compared with its journals. */
    public static <T> Outcome<T> missing(String reservationId, PoolId pool, PoolDirectory directory) {
        String evidence = "MISSING: Redis has no fence of reservation " + reservationId + ", which the journal says is held";
        directory.suspect(pool, evidence);
        return Outcome.unavailable(evidence);
    }

    /** The refusal's code and what it names. */
    static String code(GuardRefusal refusal) {
        return switch (refusal) {
            case GuardRefusal.Malformed(String what) -> "MALFORMED: " + what;
            case GuardRefusal.PoolMissing() -> "POOL_MISSING: Redis has no such pool";
            case GuardRefusal.PoolSuspect(var status, boolean otherProcess) ->
                "POOL_SUSPECT: status " + status
                        + (otherProcess ? ", and another Redis process answered than the pool was verified under" : "");
            case GuardRefusal.StaleEpoch(long current) -> "STALE_EPOCH: the pool is at epoch " + current;
            case GuardRefusal.BrokenBooks(String what) -> "BROKEN_BOOKS: " + what;
        };
    }
}
