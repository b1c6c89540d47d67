package io.holdfast.reservation.domain;

import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;

/**
 * Which pools are created to share a hash tag: those of one of these merchants and one business day share one. It decides for pools that
 * are created; those that exist keep what they have.
 *
 * @param merchants by id; {@link #EVERY} stands for all
 */
public record SharedTags(Set<String> merchants) {

    /** All merchants. */
    public static final String EVERY = "*";

    /** No pool shares a tag. */
    public static final SharedTags NONE = new SharedTags(Set.of());

    public SharedTags {
        merchants = Set.copyOf(merchants);
    }

    /** The tag of this pool, if it shares one. */
    public Optional<String> of(PoolId pool) {
        boolean shares = merchants.contains(EVERY) || merchants.contains(pool.merchant());
        Optional<LocalDate> day = shares ? pool.day() : Optional.empty();
        return day.map(date -> pool.merchant() + ":" + date);
    }
}
