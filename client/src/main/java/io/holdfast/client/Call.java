package io.holdfast.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * One wish, sent as often as it takes under the same key. Keep it, with its key, where it outlives this process, and it can be asked again
 * after a crash.
 *
 * @param method GET, PUT, POST or DELETE
 * @param target path and query
 * @param body as JSON; empty for none
 * @param key {@code Idempotency-Key}: of every call that may change something
 * @param headers further headers, such as {@code If-Match}
 * @param deadline how long all attempts together may take
 */
public record Call(
        String method,
        String target,
        Optional<Map<String, ?>> body,
        Optional<String> key,
        Map<String, String> headers,
        Duration deadline) {

    /** As long as nothing else is said. */
    public static final Duration USUAL_DEADLINE = Duration.ofSeconds(30);

    public Call {
        headers = Map.copyOf(headers);
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("the deadline must lie ahead: " + deadline);
        }
    }

    /** Reads. */
    public static Call get(String target) {
        return new Call("GET", target, Optional.empty(), Optional.empty(), Map.of(), USUAL_DEADLINE);
    }

    /** Does something; under a key of its own. */
    public static Call post(String target, Map<String, ?> body) {
        return new Call("POST", target, Optional.of(body), Optional.of(freshKey()), Map.of(), USUAL_DEADLINE);
    }

    /** Sets something; under a key of its own. */
    public static Call put(String target, Map<String, ?> body) {
        return new Call("PUT", target, Optional.of(body), Optional.of(freshKey()), Map.of(), USUAL_DEADLINE);
    }

    /** A key that nobody else has. */
    public static String freshKey() {
        return UUID.randomUUID().toString();
    }

    /** The same under this key: one that follows from the caller's own wish survives the caller's crash. */
    public Call under(String ownKey) {
        return new Call(method, target, body, Optional.of(ownKey), headers, deadline);
    }

    /** The same with so long a deadline. */
    public Call within(Duration time) {
        return new Call(method, target, body, key, headers, time);
    }

    /** The same with one more header. */
    public Call with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Call(method, target, body, key, more, deadline);
    }
}
