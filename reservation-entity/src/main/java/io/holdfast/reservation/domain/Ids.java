package io.holdfast.reservation.domain;

import java.util.regex.Pattern;

/**
 * The one rule for ids that go into keys: 1 to 64 of {@code A-Z a-z 0-9 . _ -}, compared exactly. No separators, so that joined parts
 * stay unambiguous.
 */
public final class Ids {

    private static final Pattern PART = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_OPERATION_ID = 200;
    /** Integers pass through Lua, whose numbers are exact to 2^53. */
    public static final long LARGEST_QUANTITY = (1L << 53) - 1;

    private Ids() {}

    /** Whether this is an id as it may go into a key. */
    public static boolean isPart(String value) {
        return PART.matcher(value).matches();
    }

    /**
     * The id itself.
     *
     * @param what names the id in the message
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String part(String what, String value) {
        if (!isPart(value)) {
            throw new IllegalArgumentException(what + " must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        return value;
    }

    /**
     * The quantity itself.
     *
     * @throws IllegalArgumentException unless it is 1 to 2^53 - 1
     */
    public static long positive(String what, long value) {
        if (value < 1 || value > LARGEST_QUANTITY) {
            throw new IllegalArgumentException(what + " must be 1 to " + LARGEST_QUANTITY + ", but is " + value);
        }
        return value;
    }

    /**
     * The number itself.
     *
     * @throws IllegalArgumentException unless it is 0 to 2^53 - 1
     */
    public static long notNegative(String what, long value) {
        if (value < 0 || value > LARGEST_QUANTITY) {
            throw new IllegalArgumentException(what + " must be 0 to " + LARGEST_QUANTITY + ", but is " + value);
        }
        return value;
    }

    /** The key as one part of an operation id: itself where it is an id, otherwise a digest of it. */
    static String keyPart(String key) {
        return isPart(key) ? key : "sha256-" + ReservationIds.digest(key);
    }

    /** An operation id comes from a caller's idempotency key: any printable text up to 200 characters, never blank. */
    static String operation(String value) {
        if (value.isBlank() || value.length() > LONGEST_OPERATION_ID) {
            throw new IllegalArgumentException("operation id must be 1 to " + LONGEST_OPERATION_ID + " characters");
        }
        return value;
    }
}
