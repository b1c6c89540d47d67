package io.holdfast.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * {@code holdfast.reservation}.
 *
 * @param zone of merchants that are not named
 * @param merchantZones of those that are
 * @param sharedTagMerchants whose pools of a day share a hash tag; * for all
 * @param attentionAfter wait for news of an order before it is reported as overdue
 * @param attemptTimeout of one script
 * @param retryFirst wait before the second attempt
 * @param retryLongest the wait grows up to this
 * @param stalledAfter failed attempts
 * @param verifyTimeout of one comparison of a pool with the journals, or one rebuild
 * @param verifyAgainAfter wait after one that found differences
 * @param rebuild who decides that a pool that differs is loaded anew
 * @param reopenOver how long a rebuilt pool takes to let every new hold in
 */
public record ReservationSection(
        ZoneId zone,
        Map<String, ZoneId> merchantZones,
        Set<String> sharedTagMerchants,
        Duration attentionAfter,
        Duration attemptTimeout,
        Duration retryFirst,
        Duration retryLongest,
        int stalledAfter,
        Duration verifyTimeout,
        Duration verifyAgainAfter,
        Rebuild rebuild,
        Duration reopenOver) {

    /** Who decides that a pool that differs is loaded anew. */
    public enum Rebuild {
        /** Nobody has to: it happens at once. */
        AUTOMATIC,
        /** A person. */
        ON_REQUEST
    }

    static ReservationSection read(SettingsReader reader) {
        var section = new ReservationSection(
                zone(reader, "zone", reader.text("zone")),
                merchantZones(reader),
                sharedTagMerchants(reader),
                reader.duration("attention-after", Duration.ofSeconds(1), Duration.ofDays(30)),
                reader.duration("attempt-timeout", Duration.ofMillis(50), Duration.ofMinutes(1)),
                reader.duration("retry-first", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.duration("retry-longest", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.integer("stalled-after", 1, 1000),
                reader.duration("verify-timeout", Duration.ofSeconds(1), Duration.ofHours(6)),
                reader.duration("verify-again-after", Duration.ofSeconds(1), Duration.ofHours(6)),
                reader.choice("rebuild", Rebuild.class),
                reader.duration("reopen-over", Duration.ZERO, Duration.ofHours(1)));
        reader.atLeast("retry-longest", section.retryLongest(), "retry-first", section.retryFirst());
        return section;
    }

    private static Map<String, ZoneId> merchantZones(SettingsReader reader) {
        Map<String, ZoneId> zones = new LinkedHashMap<>();
        for (String entry : reader.texts("merchant-zones")) {
            String[] parts = entry.split("=", 2);
            if (parts.length != 2 || !parts[0].matches("[A-Za-z0-9._-]{1,64}")) {
                throw reader.bad("merchant-zones", "a list of merchant=zone");
            }
            if (zones.put(parts[0], zone(reader, "merchant-zones", parts[1])) != null) {
                throw reader.complaint("merchant-zones", "the merchant " + parts[0] + " is named twice");
            }
        }
        return Map.copyOf(zones);
    }

    private static Set<String> sharedTagMerchants(SettingsReader reader) {
        Set<String> merchants = new LinkedHashSet<>();
        for (String merchant : reader.texts("shared-tag-merchants")) {
            if (!merchant.matches("[A-Za-z0-9._-]{1,64}|\\*") || !merchants.add(merchant)) {
                throw reader.bad("shared-tag-merchants", "a list of merchants, each once, or of *");
            }
        }
        return Set.copyOf(merchants);
    }

    private static ZoneId zone(SettingsReader reader, String name, String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw reader.complaint(name, text + " is no time zone such as Asia/Shanghai");
        }
    }
}
