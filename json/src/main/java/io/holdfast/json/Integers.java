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
}
