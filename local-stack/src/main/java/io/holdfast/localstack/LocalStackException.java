package io.holdfast.localstack;

import org.jspecify.annotations.Nullable;

/** A local server could not do what was asked. The message is one line: what is wrong, then what to do about it. */
public sealed class LocalStackException extends RuntimeException permits PortTakenException {

    private static final long serialVersionUID = 1L;

    public LocalStackException(String message) {
        this(message, null);
    }

    public LocalStackException(String message, @Nullable Throwable cause) {
        super(message.strip().replaceAll("\\s*\\R\\s*", " "), cause);
    }
}
