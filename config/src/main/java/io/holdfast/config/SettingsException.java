package io.holdfast.config;

/**
 * A setting is wrong, unknown or missing, or the settings together are not allowed. The message is one line that names the setting,
 * its value, and the remedy; start-up prints it and ends with {@link #EXIT_CODE}.
 */
public final class SettingsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the process exits with: a mistake of whoever started it, not a fault of the program. */
    public static final int EXIT_CODE = 2;

    /** With the one line to print. */
    public SettingsException(String line) {
        super(line.replaceAll("\\s*\\R\\s*", " "));
    }
}
