package io.holdfast.localstack;

import java.util.Locale;

/** When Redis forces its append-only file to the disk. */
public enum RedisFsync {
    /** Once a second: a power failure can lose the last second, a killed process loses nothing. */
    EVERYSEC,
    /** Before every answer. */
    ALWAYS;

    String setting() {
        return name().toLowerCase(Locale.ROOT);
    }
}
