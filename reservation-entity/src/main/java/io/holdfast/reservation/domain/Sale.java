package io.holdfast.reservation.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What the gate of a pool keeps to, for ever.
 *
 * @param limit units a user may hold of the pool at a time, at least 1
 * @param opensAt from when on requests are let in, to the millisecond
 * @param closesAt from when on none is
 * @param keyVersion of the secret its ids are made with, at least 1
 * @param buckets which of the sale's pools it is the gate of; empty where the sale has but one
 */
public record Sale(long limit, Instant opensAt, Instant closesAt, int keyVersion, Optional<Buckets> buckets) {

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

    /** Of a sale with one pool. */
    public Sale(long limit, Instant opensAt, Instant closesAt, int keyVersion) {
        this(limit, opensAt, closesAt, keyVersion, Optional.empty());
    }

    /** The same, of another pool of the sale. */
    Sale at(Buckets bucket) {
        return new Sale(limit, opensAt, closesAt, keyVersion, Optional.of(bucket));
    }

    private static void moment(String what, Instant at) {
        if (at.isBefore(Instant.EPOCH) || !at.equals(at.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException(what + " must be whole milliseconds since 1970");
        }
    }

    /** Whether the other is what a caller would ask for with the same words: the version is ours to add. */
    boolean asksTheSame(Sale other) {
        return limit == other.limit
                && opensAt.equals(other.opensAt)
                && closesAt.equals(other.closesAt)
                && buckets.equals(other.buckets);
    }
}
