package io.holdfast.json;

import java.util.Optional;

/** Integers as their digits: no sign before a zero, no leading zero, no conversion of anything beyond 2^53 - 1. */
public final class Integers {

    private Integers() {}

    /** The number these characters are, if it is one this system keeps exactly. */
    public static Optional<Long> parse(String token) {
        boolean negative = token.startsWith("-");
        String digits = negative ? token.substring(1) : token;
        if (digits.isEmpty() || digits.length() > 16 || (digits.startsWith("0") && (digits.length() > 1 || negative))) {
            return Optional.empty();
        }
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return Optional.empty();
            }
            number = number * 10 + (c - '0');
        }
        return number > Fields.MAX_INTEGER ? Optional.empty() : Optional.of(negative ? -number : number);
    }

    /** The digits before a fraction of nothing but zeros: 2.0 is 2. Anything with an exponent is not written so. */
    static Optional<String> withoutZeros(String token) {
        int point = token.indexOf('.');
        if (point < 0 || token.length() == point + 1) {
            return Optional.empty();
        }
        boolean zeros = token.chars().skip(point + 1L).allMatch(c -> c == '0');
        return zeros ? Optional.of(token.substring(0, point)) : Optional.empty();
    }
}
