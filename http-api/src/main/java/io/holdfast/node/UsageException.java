package io.holdfast.node;

/**
 * What was asked for on the command line can't be done as it was asked for: asking again the same way helps nobody. The message is one line
 * with the remedy; the process exits with {@link #EXIT_CODE}.
 */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the process exits with: that of wrong settings. */
    public static final int EXIT_CODE = 2;

    /** With the one line to print. */
    public UsageException(String line) {
        super(line);
    }
}
