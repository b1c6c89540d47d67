package io.holdfast.http.route;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** Which business day a moment belongs to, at a merchant: decides the pool of a request that names none. */
@FunctionalInterface
public interface BusinessDays {

    /** The merchant's local date at this moment. */
    LocalDate at(String merchant, Instant moment);

    /** All merchants in one time zone. */
    static BusinessDays in(ZoneId zone) {
        return (_, moment) -> moment.atZone(zone).toLocalDate();
    }
}
