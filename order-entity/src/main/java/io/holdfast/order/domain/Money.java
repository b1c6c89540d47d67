package io.holdfast.order.domain;

import io.holdfast.reservation.domain.Ids;
import java.util.regex.Pattern;

/**
 * An amount of money.
 *
 * @param minor in the smallest unit of the currency, at least 1
 * @param currency ISO 4217, three capitals
 */
public record Money(long minor, String currency) {

    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

    /** @throws IllegalArgumentException if the amount or the currency breaks the rule */
    public Money {
        Ids.positive("amount", minor);
        if (!CURRENCY.matcher(currency).matches()) {
            throw new IllegalArgumentException("currency must be three capitals");
        }
    }
}
