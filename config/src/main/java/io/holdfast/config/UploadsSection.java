package io.holdfast.config;

/**
 * {@code holdfast.uploads}.
 *
 * @param most under way at a time
 * @param body bytes of one
 * @param lines of one
 * @param line bytes of one line
 */
public record UploadsSection(int most, long body, int lines, int line) {

    static UploadsSection read(SettingsReader reader) {
        return new UploadsSection(
                reader.integer("most", 1, 1000),
                reader.bytes("body", 1024, 1024L * 1024 * 1024),
                reader.integer("lines", 1, 1_000_000),
                (int) reader.bytes("line", 256, 64 * 1024));
    }
}
