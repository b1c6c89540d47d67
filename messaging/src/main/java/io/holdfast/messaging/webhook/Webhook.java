package io.holdfast.messaging.webhook;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody who wants to be called.
 *
 * @param about what about
 * @param secrets versions of the secrets that sign
 * @param failingSince since when nothing has succeeded; empty while it works
 * @param failures in a row
 * @param disabled since when and why it is not called any more
 */
public record Webhook(
        String id,
        URI url,
        WebhookFilter about,
        String description,
        String createdBy,
        Instant createdAt,
        List<Integer> secrets,
        Optional<Instant> failingSince,
        int failures,
        Optional<Disabled> disabled) {

    /** Not called any more, until a person enables it again. */
    public record Disabled(Instant at, String why) {}

    public Webhook {
        secrets = List.copyOf(secrets);
    }

    /** Whether somebody who may see these merchants alone may see it; everybody's is seen by those who may see everybody. */
    public boolean isWithin(Optional<Set<String>> seen) {
        return seen.isEmpty()
                || about.merchants().filter(seen.get()::containsAll).isPresent();
    }
}
