package io.holdfast.http.route;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.RateLimits;
import java.time.Duration;
import java.util.Optional;

/** Counts each caller's requests against what it may make of this node. Bounded in the number of callers. */
final class CallerRates {

    private final RateLimits limits;
    private final Cache<String, Bucket> buckets;

    CallerRates(RateLimits limits) {
        this.limits = limits;
        this.buckets = Caffeine.newBuilder().maximumSize(limits.callers()).build();
    }

    /** Counts a request. How long the caller has to wait where it may make none now. */
    Optional<Duration> count(Caller caller) {
        return limits.of(caller).flatMap(perSecond -> {
            var probe = buckets.get(caller.name(), _ -> bucket(perSecond)).tryConsumeAndReturnRemaining(1);
            return probe.isConsumed()
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
        });
    }

    private Bucket bucket(int perSecond) {
        long saved = Math.max(1, perSecond * limits.burst().toMillis() / 1000);
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(saved).refillGreedy(perSecond, Duration.ofSeconds(1)))
                .build();
    }
}
