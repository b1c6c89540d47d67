package io.holdfast.localstack;

import java.util.Locale;

/** When Redis forces its append-only file to the disk. */
public enum RedisFsync {
    /**
     * Once a second. A power failure can lose the last second or two; so can a kill while the disk is slow, for Redis answers
     * without having written as long as the last forcing goes on.
     */
    EVERYSEC,
    /** Before every answer: whatever was answered is there after a kill. */
    ALWAYS;

    String setting() {
        return name().toLowerCase(Locale.ROOT);
    }
}
