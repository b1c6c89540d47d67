package io.holdfast.messaging.webhook;

import io.holdfast.messaging.out.OutgoingMessage;
import java.util.Optional;
import java.util.Set;

/**
 * What a webhook is about; every present part must hold.
 *
 * @param types of these types; all if empty
 * @param pool of this pool
 * @param merchants of these merchants and activities; of an event that names none nobody knows whose it is
 */
public record WebhookFilter(Set<String> types, Optional<String> pool, Optional<Set<String>> merchants) {

    public WebhookFilter {
        types = Set.copyOf(types);
        merchants = merchants.map(Set::copyOf);
    }

    /** Whether it is about this. */
    boolean wants(OutgoingMessage message) {
        return (types.isEmpty() || types.contains(message.type()))
                && pool.filter(wanted -> !wanted.equals(message.data().get("pool")))
                        .isEmpty()
                && merchants
                        .filter(seen ->
                                !(message.data().get("merchant") instanceof String merchant && seen.contains(merchant)))
                        .isEmpty();
    }
}
