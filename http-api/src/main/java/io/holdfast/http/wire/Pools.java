package io.holdfast.http.wire;

import io.holdfast.reservation.domain.PoolId;
import java.util.Optional;
import java.util.regex.Pattern;

/** Pool ids as text from outside. */
public final class Pools {

    /** The syntax, for people. */
    public static final String SYNTAX =
            "merchant:dish:YYYY-MM-DD (a day that exists), activity:sku or activity:sku:bN (a bucket), each part 1 to"
                    + " 64 of A-Z a-z 0-9 . _ -";

    private static final int LONGEST = 3 * 64 + 2;

    private Pools() {}

    private static final Pattern BUCKET = Pattern.compile("b[0-9]{1,9}");

    /** The pool id this text is, if a pool may be made or asked for a hold under it: a third part is a day or a bucket. */
    public static Optional<PoolId> parse(String text) {
        return known(text)
                .filter(pool -> pool.third()
                        .map(third ->
                                pool.day().isPresent() || BUCKET.matcher(third).matches())
                        .orElse(true));
    }

    /** The same of a pool that may have been made when any third part would do: such a one can still be read and ended. */
    public static Optional<PoolId> known(String text) {
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
