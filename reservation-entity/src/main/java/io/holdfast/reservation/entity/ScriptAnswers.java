package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import java.util.Map;
import java.util.function.BiFunction;

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
     * A refusal of the guards. Nothing was written. A malformed call would be answered alike for ever, so that is a contradiction for a
     * person to look at; after every other one Redis can't be believed for this pool, and the operation is asked for again.
     *
     * @param epoch of the call
     * @param contradiction makes the answer of a code and its evidence
     */
    public static <T> Outcome<T> refused(
            GuardRefusal refusal,
            PoolId pool,
            long epoch,
            PoolDirectory directory,
            BiFunction<String, Map<String, String>, Outcome<T>> contradiction) {
        return switch (refusal) {
            case GuardRefusal.Malformed(String what) -> contradiction.apply("MALFORMED", Map.of("what", what));
            case GuardRefusal.PoolMissing _,
                    GuardRefusal.PoolSuspect _,
                    GuardRefusal.StaleEpoch _,
                    GuardRefusal.BrokenBooks _ -> {
                String code = code(refusal);
                directory.suspect(pool, epoch, code);
                yield Outcome.unavailable(code);
            }
        };
    }

    /** A fence that must be there and is not: nothing was written, and the pool is compared with its journals. */
    public static <T> Outcome<T> missing(String reservationId, PoolId pool, long epoch, PoolDirectory directory) {
        String evidence =
                "MISSING: Redis has no fence of reservation " + reservationId + ", which the journal says is held";
        directory.suspect(pool, epoch, evidence);
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
