package io.holdfast.http.route;

import io.holdfast.engine.machine.Cause;
import io.holdfast.json.ContentHash;
import io.holdfast.json.InputError;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * One request that has passed every check that does not depend on what it asks for.
 *
 * @param request as it came
 * @param path its path, as answers repeat it
 * @param traceId W3C trace id
 * @param caller who asks
 * @param preferences how long the caller waits
 * @param key the {@code Idempotency-Key}, where one was sent
 * @param query its query parameters, each once, all of them known to the endpoint
 */
record Exchange(
        HttpRequest request,
        String path,
        String traceId,
        Caller caller,
        Preferences preferences,
        Optional<String> key,
        Map<String, String> query) {

    /** Why a command is given: this request, under its key or, where it has none, under one made of what it asks for. */
    Cause cause(String entityId, ContentHash content) {
        return cause(entityId, content, Cause.Kind.REQUEST);
    }

    /** The same for what a person orders. */
    Cause order(String entityId, ContentHash content) {
        return cause(entityId, content, Cause.Kind.OPERATOR);
    }

    private Cause cause(String entityId, ContentHash content, Cause.Kind kind) {
        return new Cause(
                key.orElseGet(() -> content.causeIdFor(entityId)),
                content.hex(),
                kind,
                caller.name(),
                Optional.of(traceId));
    }

    /** What is wrong where a key is demanded and none was sent. */
    Optional<InputError> keyMissing() {
        return key.isPresent()
                ? Optional.empty()
                : Optional.of(InputError.header(
                        "Idempotency-Key",
                        InputError.Code.MISSING,
                        "Send an Idempotency-Key header: the same may be wanted again later, and without a key that"
                                + " could not be told from a retry."));
    }

    Duration patience() {
        return preferences.patience();
    }
}
