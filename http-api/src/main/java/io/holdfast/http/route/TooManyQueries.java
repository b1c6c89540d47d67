package io.holdfast.http.route;

import java.time.Duration;

/** As many queries as are allowed wait already. */
final class TooManyQueries extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    TooManyQueries(Duration retryAfter) {
        super("too many queries wait already", null, false, false);
        this.retryAfter = retryAfter;
    }

    Duration retryAfter() {
        return retryAfter;
    }
}
