package io.holdfast.config.sql;

import org.jspecify.annotations.Nullable;

/** The schema is not, and could not be made, what this version needs. The message is for the operator. */
public final class MigrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MigrationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
