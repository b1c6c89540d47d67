package io.holdfast.reservation.domain;

/**
 * An admission that came when the reservation had ended, or holds units of another pool: nobody will ever want it, so it goes back.
 *
 * @param pool that let it in
 * @param terms what was asked for at the gate
 * @param books the pool's numbers after it was let in; two admissions never have the same
 * @param epoch under which scripts of the pool may be called for it
 * @param returned whether it has gone back
 */
public record LateAdmission(PoolId pool, Terms terms, Books books, long epoch, boolean returned) {

    static LateAdmission come(PoolId pool, Terms terms, Books books) {
        return new LateAdmission(pool, terms, books, books.epoch(), false);
    }

    LateAdmission gone() {
        return new LateAdmission(pool, terms, books, epoch, true);
    }

    LateAdmission under(PoolEpoch seen) {
        return isBehind(seen) ? new LateAdmission(pool, terms, books, seen.epoch(), returned) : this;
    }

    boolean isBehind(PoolEpoch seen) {
        return seen.pool().equals(pool) && seen.epoch() > epoch;
    }
}
