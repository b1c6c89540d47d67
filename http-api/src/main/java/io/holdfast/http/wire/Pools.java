package io.holdfast.http.wire;

import io.holdfast.reservation.domain.PoolId;
import java.util.Optional;

/** Pool ids as text from outside. */
public final class Pools {

    /** The syntax, for people. */
    public static final String SYNTAX =
            "merchant:dish:YYYY-MM-DD (a day that exists) or activity:sku, each part 1 to 64 of A-Z a-z 0-9 . _ -";

    private static final int LONGEST = 3 * 64 + 2;

    private Pools() {}

    /** The pool id this text is, if it is one. */
    public static Optional<PoolId> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            return Optional.of(PoolId.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
