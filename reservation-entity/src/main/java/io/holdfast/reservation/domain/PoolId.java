package io.holdfast.reservation.domain;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Identity of a stock pool: {@code merchant:dish:YYYY-MM-DD} for a business day, {@code activity:sku} for a sale.
 *
 * @param value the parts joined by colons
 */
public record PoolId(String value) {

    private static final Pattern LOOKS_LIKE_A_DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

    /**
     * @throws IllegalArgumentException unless it is two or three parts, each an id of its own, and a third part that looks like a date
     *     is one
     */
    public PoolId {
        List<String> parts = List.of(value.split(":", -1));
        if (parts.size() < 2 || parts.size() > 3 || !parts.stream().allMatch(Ids::isPart)) {
            throw new IllegalArgumentException(
                    "pool must be part:part or part:part:part (or a date), each part 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        if (parts.size() == 3 && LOOKS_LIKE_A_DATE.matcher(parts.get(2)).matches()) {
            try {
                LocalDate.parse(parts.get(2));
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException("pool names a day that does not exist: " + parts.get(2), e);
            }
        }
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

    /** The same dish the business day before, if this is the pool of a day. */
    public Optional<PoolId> dayBefore() {
        return third()
                .filter(part -> LOOKS_LIKE_A_DATE.matcher(part).matches())
                .map(day -> ofDay(merchant(), dish(), LocalDate.parse(day).minusDays(1)));
    }

    @Override
    public String toString() {
        return value;
    }
}
