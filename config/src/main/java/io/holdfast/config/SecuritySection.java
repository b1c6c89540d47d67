package io.holdfast.config;

import java.util.Set;

/**
 * {@code holdfast.security}.
 *
 * @param allow dangers a production node accepts, by name
 */
public record SecuritySection(Set<Danger> allow) {

    public SecuritySection {
        allow = Set.copyOf(allow);
    }

    static SecuritySection read(SettingsReader reader) {
        return new SecuritySection(reader.choices("allow", Danger.class));
    }
}
