package io.holdfast.launcher;

/** The development stack can't be started; one line with the remedy. */
final class LaunchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LaunchException(String line) {
        super(line);
    }
}
