package io.holdfast.messaging.event;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** W3C trace context in the header {@code traceparent}. */
public final class TraceContext {

    /** Name of the header. */
    public static final String HEADER = "traceparent";

    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}.{0,200}");
    private static final Pattern TRACE = Pattern.compile("(?!0{32})[0-9a-f]{32}");

    private TraceContext() {}

    /** The trace id in the header's value, if that is well-formed. */
    public static Optional<String> traceId(String traceparent) {
        Matcher matcher = TRACEPARENT.matcher(traceparent);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /**
     * The header's value for a step of this trace; empty if that is no trace id.
     *
     * @param span 16 hex digits, not all zero
     */
    public static Optional<String> traceparent(String traceId, String span) {
        return TRACE.matcher(traceId).matches() ? Optional.of("00-" + traceId + "-" + span + "-01") : Optional.empty();
    }
}
