package io.holdfast.node;

import io.holdfast.config.ReservationSection;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/** Which day of a merchant's business a moment belongs to: the merchant's own calendar, not this machine's. */
record BusinessDays(ReservationSection section) {

    LocalDate at(String merchant, Instant moment) {
        ZoneId zone = section.merchantZones().getOrDefault(merchant, section.zone());
        return LocalDate.ofInstant(moment, zone);
    }
}
