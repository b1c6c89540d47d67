package io.holdfast.engine.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/**
 * Bytes that can't be understood by this version. Whoever meets it must stop and say so: an entry that is skipped, or read as something
 * near it, makes a state nobody decided.
 */
public final class UnreadableEntry extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Unreadable for this reason. */
    public UnreadableEntry(String why) {
        super(why);
    }

    private UnreadableEntry(String why, Throwable cause) {
        super(why, cause);
    }

    static UnreadableEntry because(Class<?> type, IOException cause) {
        String said = cause instanceof JsonProcessingException json ? json.getOriginalMessage() : cause.getMessage();
        return new UnreadableEntry("not readable as " + type.getSimpleName() + ": " + said, cause);
    }
}
