package io.holdfast.messaging.webhook;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Makes one call. Never blocks, never follows a redirection, and calls no address that it must not. */
@FunctionalInterface
public interface WebhookCall {

    /**
     * What came back.
     *
     * @param status HTTP status
     * @param retryAfter what the receiver asks to wait before it is called again
     */
    record Answer(int status, Optional<Duration> retryAfter) {}

    /** Posts a body of JSON. Completes exceptionally when no answer came; the message says why, to people. */
    CompletionStage<Answer> post(URI url, Map<String, String> headers, byte[] body, Duration timeout);
}
