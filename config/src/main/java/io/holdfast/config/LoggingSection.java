package io.holdfast.config;

/**
 * {@code holdfast.logging}.
 *
 * @param format how a line looks
 * @param level least important line still written
 */
public record LoggingSection(Format format, Level level) {

    /** For whom lines are written. */
    public enum Format {
        /** People. */
        TEXT,
        /** Collectors: one JSON object a line. */
        JSON
    }

    /** Importance of a line, falling. */
    public enum Level {
        /** Something broke. */
        ERROR,
        /** Somebody should look. */
        WARN,
        /** What the node does. */
        INFO,
        /** A line for every command. */
        DEBUG,
        /** Everything. */
        TRACE
    }

    static LoggingSection read(SettingsReader reader) {
        return new LoggingSection(reader.choice("format", Format.class), reader.choice("level", Level.class));
    }
}
