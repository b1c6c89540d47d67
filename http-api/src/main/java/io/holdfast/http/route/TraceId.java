package io.holdfast.http.route;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** The W3C trace id of a request: taken from {@code traceparent} where that is well-formed, otherwise a new one. */
final class TraceId {

    /** Header that carries it on every answer. */
    static final String HEADER = "Trace-Id";

    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.{0,200})?");

    private TraceId() {}

    static String of(HttpRequest request) {
        return request.getHeader("traceparent")
                .map(HttpHeader::value)
                .flatMap(TraceId::from)
                .orElseGet(TraceId::fresh);
    }

    private static Optional<String> from(String traceparent) {
        if (traceparent.length() > 256) {
            return Optional.empty();
        }
        Matcher matcher = TRACEPARENT.matcher(traceparent);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** Names one fault in the log: 16 hex digits. */
    static String incident() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** A trace that starts here. */
    static String fresh() {
        var random = ThreadLocalRandom.current();
        // The lowest bit keeps it from being all zero, which means "no trace".
        return HexFormat.of().toHexDigits(random.nextLong()) + HexFormat.of().toHexDigits(random.nextLong() | 1);
    }
}
