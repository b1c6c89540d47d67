package io.holdfast.http.access;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many requests one caller may make of one node.
 *
 * @param perSecond by role; a role that is not in it is not limited. Of several roles the most generous one counts
 * @param burst for how long what is not used is saved up
 * @param callers of how many account is kept: beyond, the one that was away longest is forgotten, and begins anew
 */
public record RateLimits(Map<Role, Integer> perSecond, Duration burst, int callers) {

    /** Nobody is limited. */
    public static final RateLimits NONE = new RateLimits(Map.of(), Duration.ofSeconds(1), 1);

    public RateLimits {
        perSecond = perSecond.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(perSecond));
        if (perSecond.values().stream().anyMatch(rate -> rate < 1)) {
            throw new IllegalArgumentException("a rate is at least one request in a second");
        }
        if (callers < 1 || burst.toMillis() < 1) {
            throw new IllegalArgumentException("at least one caller and a burst above nothing");
        }
    }

    /** Requests in a second; empty for as many as the caller likes. Who has no role has the least that any has. */
    public Optional<Integer> of(Caller caller) {
        if (caller.roles().isEmpty()) {
            return perSecond.values().stream().min(Integer::compare);
        }
        return caller.roles().stream().allMatch(perSecond::containsKey)
                ? caller.roles().stream()
                        .map(role -> perSecond.getOrDefault(role, 0))
                        .max(Integer::compare)
                : Optional.empty();
    }
}
