package io.holdfast.reservation.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What the gate of a pool keeps to, for ever.
 *
 * @param limit units a user may hold of the pool at a time, at least 1
 * @param opensAt from when on requests are let in, to the millisecond
 * @param closesAt from when on none is
 * @param keyVersion of the secret its ids are made with, at least 1
 */
public record Sale(long limit, Instant opensAt, Instant closesAt, int keyVersion) {

    /** @throws IllegalArgumentException if there is no such sale */
    public Sale {
        Ids.positive("limit", limit);
        Ids.positive("key_version", keyVersion);
        moment("opens_at", opensAt);
        moment("closes_at", closesAt);
        if (!closesAt.isAfter(opensAt)) {
            throw new IllegalArgumentException("closes_at must be later than opens_at");
        }
    }

    private static void moment(String what, Instant at) {
        if (at.isBefore(Instant.EPOCH) || !at.equals(at.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException(what + " must be whole milliseconds since 1970");
        }
    }

    /** Whether the other is what a caller would ask for with the same words: the version is ours to add. */
    boolean asksTheSame(Sale other) {
        return limit == other.limit && opensAt.equals(other.opensAt) && closesAt.equals(other.closesAt);
    }
}
