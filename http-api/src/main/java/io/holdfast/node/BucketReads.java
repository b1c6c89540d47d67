package io.holdfast.node;

import io.holdfast.http.route.SaleParts;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.SaleBuckets;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The buckets of a sale for routes, which do not wait for Redis longer than for a read of any other pool. */
record BucketReads(SaleBuckets buckets, Duration within) implements SaleParts.AllBuckets {

    @Override
    public CompletionStage<List<Optional<Bucket>>> read(PoolId first, Buckets all) {
        return buckets.read(first, all)
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(List.of(), within.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public CompletionStage<Void> gather(PoolId first, Buckets all, long units) {
        return buckets.bring(first, all, first, units).thenAccept(_ -> {});
    }
}
