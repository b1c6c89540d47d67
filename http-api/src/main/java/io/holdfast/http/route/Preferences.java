package io.holdfast.http.route;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * What the {@code Prefer} header (RFC 7240) asks of the time to answer. What can't be understood is ignored, as that RFC demands.
 *
 * @param patience how long the caller waits for a settled answer
 * @param applied what was followed, for {@code Preference-Applied}; empty when nothing was asked for
 */
record Preferences(Duration patience, Optional<String> applied) {

    /** Seconds; whatever is more is cut to the configured most as well. */
    private static final BigInteger LONGEST = BigInteger.valueOf(Integer.MAX_VALUE);

    static Preferences of(HttpRequest request, HttpSettings.Patience settings) {
        boolean async = false;
        for (HttpHeader header : request.getHeaders()) {
            if (!header.is("prefer")) {
                continue;
            }
            for (String preference : header.value().split(",", 20)) {
                String token = parameterless(preference);
                if (token.equals("respond-async")) {
                    async = true;
                }
                Optional<Long> wait = wait(token);
                if (wait.isPresent()) {
                    Duration capped = shorter(Duration.ofSeconds(wait.get()), settings.most());
                    return new Preferences(capped, Optional.of("wait=" + capped.toSeconds()));
                }
            }
        }
        return async
                ? new Preferences(Duration.ZERO, Optional.of("respond-async"))
                : new Preferences(settings.usual(), Optional.empty());
    }

    /** The response, saying what was followed. */
    HttpResponse noted(HttpResponse response) {
        return applied.map(followed -> Answers.withHeader(response, "Preference-Applied", followed))
                .orElse(response);
    }

    private static String parameterless(String preference) {
        int end = preference.indexOf(';');
        return (end < 0 ? preference : preference.substring(0, end))
                .replace(" ", "")
                .replace("\t", "")
                .toLowerCase(Locale.ROOT);
    }

    private static Optional<Long> wait(String token) {
        if (!token.startsWith("wait=")) {
            return Optional.empty();
        }
        String seconds = token.substring("wait=".length()).replace("\"", "");
        return seconds.matches("[0-9]+")
                ? Optional.of(new BigInteger(seconds).min(LONGEST).longValue())
                : Optional.empty();
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
