package io.holdfast.http.route;

import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.AdmissionDesk;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What routes of sales are wired to.
 *
 * @param gate where users are let in
 * @param newestKey the version of the secret that a sale which begins now keeps; empty where this node has no secret
 * @param backlog how many holds of a pool wait for their reservations
 * @param buckets the pools of a sale whose stock lies in several
 */
public record SaleParts(Admissions gate, Optional<Integer> newestKey, Backlog backlog, AllBuckets buckets) {

    /** Lets users in, or says why not. */
    @FunctionalInterface
    public interface Admissions {
        /** As {@link AdmissionDesk#admit}. */
        CompletionStage<AdmissionDesk.Answer> admit(AdmissionDesk.Wish wish, Duration patience);
    }

    /** The pools of a sale whose stock lies in several, together. */
    public interface AllBuckets {
        /** Each as Redis has it, in their order; none where they do not answer in time. Never fails, and never takes long. */
        CompletionStage<List<Optional<Bucket>>> read(PoolId first, Buckets buckets);

        /** Tries to have so many units available in the first, as far as there are. Done when that has come to an end, however. */
        CompletionStage<Void> gather(PoolId first, Buckets buckets, long units);
    }

    /** How many holds of a pool were let in and have not been taken over by their reservations. */
    @FunctionalInterface
    public interface Backlog {
        /** Empty when Redis does not say. Never fails, and never takes long. */
        CompletionStage<Optional<Long>> of(PoolId pool);
    }
}
