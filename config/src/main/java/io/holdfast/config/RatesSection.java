package io.holdfast.config;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * {@code holdfast.http.rates}.
 *
 * @param perSecond requests of one caller, by role; without those that are not limited
 * @param burst for how long what is not used is saved up
 * @param callers of how many account is kept
 */
public record RatesSection(Map<CallerRole, Integer> perSecond, Duration burst, int callers) {

    private static final int MOST = 1_000_000;

    public RatesSection {
        perSecond = Map.copyOf(perSecond);
    }

    static RatesSection read(SettingsReader reader) {
        Map<CallerRole, Integer> rates = new EnumMap<>(CallerRole.class);
        for (CallerRole role : CallerRole.values()) {
            int rate = reader.integer(SettingsReader.word(role), 0, MOST);
            if (rate > 0) {
                rates.put(role, rate);
            }
        }
        return new RatesSection(
                rates,
                reader.duration("burst", Duration.ofSeconds(1), Duration.ofMinutes(5)),
                reader.integer("callers", 100, MOST));
    }
}
