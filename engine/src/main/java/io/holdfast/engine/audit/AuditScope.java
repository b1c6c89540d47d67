package io.holdfast.engine.audit;

import java.time.Instant;
import java.util.Optional;

/**
 * How much of a journal is wanted. The replay itself always begins at the first entry.
 *
 * @param until as of this moment: ends before the first entry decided later
 * @param after only lines beyond this sequence number, for paging; 0 for all
 * @param limit at most this many lines, at least 1
 */
public record AuditScope(Optional<Instant> until, long after, int limit) {

    public AuditScope {
        if (limit < 1 || after < 0) {
            throw new IllegalArgumentException(
                    "audit: limit of at least 1 and after of at least 0, but " + limit + " and " + after);
        }
    }

    /** Everything there is. For an entity whose journal is known to be short, and for command lines. */
    public static AuditScope everything() {
        return new AuditScope(Optional.empty(), 0, Integer.MAX_VALUE);
    }

    /** Everything decided up to and including this moment. */
    public static AuditScope until(Instant moment) {
        return new AuditScope(Optional.of(moment), 0, Integer.MAX_VALUE);
    }

    /** One page. */
    public static AuditScope page(long after, int limit) {
        return new AuditScope(Optional.empty(), after, limit);
    }
}
