package io.holdfast.node;

/**
 * The node can't start for a reason outside its settings: a store does not answer, a port is taken. The message is one line with the
 * remedy; the process exits with {@link #EXIT_CODE}, and starting it again later may succeed.
 */
public final class StartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the process exits with. */
    public static final int EXIT_CODE = 3;

    /** With the one line to print. */
    public StartException(String line) {
        super(line);
    }

    /** Can't start for this reason, which follows from that. */
    public StartException(String line, Throwable cause) {
        super(line.strip().replaceAll("\\s*\\R\\s*", " "), cause);
    }
}
