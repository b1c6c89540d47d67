package io.holdfast.http.route;

import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.SaleBuckets.Bucket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Buckets of which each has ten units, two of them reserved. */
record TestBuckets() implements SaleParts.AllBuckets {

    @Override
    public CompletionStage<List<Optional<Bucket>>> read(PoolId first, Buckets buckets) {
        return CompletableFuture.completedFuture(buckets.pools(first).stream()
                .map(pool -> Optional.of(new Bucket(pool, "OPEN", true, 10, 0, 8, 2, 0, 1, "1:1")))
                .toList());
    }

    @Override
    public CompletionStage<Void> gather(PoolId first, Buckets buckets, long units) {
        return CompletableFuture.allOf();
    }
}
