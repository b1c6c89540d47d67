package io.holdfast.reservation.domain;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Optional;

/**
 * Identity of a stock pool: {@code merchant:dish:YYYY-MM-DD} for a business day, {@code activity:sku} for a sale.
 *
 * @param value the parts joined by colons
 */
public record PoolId(String value) {

    private static final int DATE_LENGTH = "YYYY-MM-DD".length();

    /**
     * @throws IllegalArgumentException unless it is two or three parts, each an id of its own, and a third part that looks like a date
     *     is one
     */
    public PoolId {
        int second = value.indexOf(':') + 1;
        int third = second == 0 ? 0 : value.indexOf(':', second) + 1;
        boolean wellFormed = second > 0
                && Ids.isPart(value, 0, second - 1)
                && (third == 0
                        ? Ids.isPart(value, second, value.length())
                        : Ids.isPart(value, second, third - 1) && Ids.isPart(value, third, value.length()));
        if (!wellFormed) {
            throw new IllegalArgumentException(
                    "pool must be part:part or part:part:part (or a date), each part 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        if (third > 0 && looksLikeADate(value, third) && !isADate(value, third)) {
            throw new IllegalArgumentException("pool names a day that does not exist: " + value.substring(third));
        }
    }

    private static boolean looksLikeADate(String text, int from) {
        if (text.length() - from != DATE_LENGTH) {
            return false;
        }
        for (int i = 0; i < DATE_LENGTH; i++) {
            char c = text.charAt(from + i);
            boolean fits = i == 4 || i == 7 ? c == '-' : c >= '0' && c <= '9';
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** By hand: parsing a date costs more than all else that is done to make a hold's values. */
    private static boolean isADate(String text, int from) {
        int year = Integer.parseInt(text, from, from + 4, 10);
        int month = Integer.parseInt(text, from + 5, from + 7, 10);
        int day = Integer.parseInt(text, from + 8, from + DATE_LENGTH, 10);
        return month >= 1 && month <= 12 && YearMonth.of(year, month).isValidDay(day);
    }

    /** The pool id that this text spells. */
    public static PoolId parse(String text) {
        return new PoolId(text);
    }

    /** The pool of a merchant's dish on a business day. */
    public static PoolId ofDay(String merchant, String dish, LocalDate businessDay) {
        return new PoolId(merchant + ":" + dish + ":" + businessDay);
    }

    /** Merchant or activity. */
    public String merchant() {
        return value.substring(0, value.indexOf(':'));
    }

    /** Dish or stock-keeping unit. */
    public String dish() {
        return value.split(":", -1)[1];
    }

    /** Business day or bucket. */
    public Optional<String> third() {
        String[] parts = value.split(":", -1);
        return parts.length == 3 ? Optional.of(parts[2]) : Optional.empty();
    }

    /** The business day, if this is the pool of one. */
    public Optional<LocalDate> day() {
        return third().filter(part -> looksLikeADate(part, 0)).map(LocalDate::parse);
    }

    /** The same dish the business day before, if this is the pool of a day. */
    public Optional<PoolId> dayBefore() {
        return day().map(day -> ofDay(merchant(), dish(), day.minusDays(1)));
    }

    @Override
    public String toString() {
        return value;
    }
}
