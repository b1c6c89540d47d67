package io.holdfast.reservation.domain;

import java.util.regex.Pattern;

/**
 * The one rule for ids that go into keys: 1 to 64 of {@code A-Z a-z 0-9 . _ -}, compared exactly. No separators, so that joined parts
 * stay unambiguous.
 */
public final class Ids {

    private static final int LONGEST_PART = 64;
    /** What a caller may call an operation: with the kind of operation before it, it is an operation id as the stock scripts take it. */
    private static final Pattern OPERATION_KEY = Pattern.compile("[A-Za-z0-9._-]{1,64}(:[A-Za-z0-9._-]{1,64}){0,2}");

    /** Integers pass through Lua, whose numbers are exact to 2^53. */
    public static final long LARGEST_QUANTITY = (1L << 53) - 1;

    private Ids() {}

    /** Whether this is an id as it may go into a key. */
    public static boolean isPart(String value) {
        return isPart(value, 0, value.length());
    }

    /** The same of a stretch of a text. By hand rather than by a pattern: every command of every reservation comes through here. */
    static boolean isPart(String text, int from, int to) {
        if (to <= from || to - from > LONGEST_PART) {
            return false;
        }
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || c == '-'
                    || c == '_'
                    || c == '.';
            if (!allowed) {
                return false;
            }
        }
        return true;
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

    /** Whether an operation of a pool may be called so: 1 to 3 parts, joined by colons. */
    static boolean isOperationKey(String value) {
        return OPERATION_KEY.matcher(value).matches();
    }
}
