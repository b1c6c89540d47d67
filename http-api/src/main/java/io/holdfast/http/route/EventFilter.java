package io.holdfast.http.route;

import io.holdfast.messaging.out.OutgoingMessage;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which events a caller wants; every present part must hold.
 *
 * @param pool whose numbers changed, or of which the reservation is
 * @param orderId of which order
 * @param types of these types; all if empty
 * @param merchants the only ones that the caller may see; of an event that names none nobody knows whose it is
 * @param user the only one that the caller may see, likewise
 */
record EventFilter(
        Optional<String> pool,
        Optional<String> orderId,
        Set<String> types,
        Optional<Set<String>> merchants,
        Optional<String> user)
        implements Predicate<OutgoingMessage> {

    EventFilter {
        types = Set.copyOf(types);
    }

    @Override
    public boolean test(OutgoingMessage message) {
        return (types.isEmpty() || types.contains(message.type()))
                && is(pool, message, "pool")
                && is(orderId, message, "order_id")
                && is(user, message, "user_id")
                && merchants
                        .filter(seen -> !isOneOf(seen, message.data().get("merchant")))
                        .isEmpty();
    }

    private static boolean is(Optional<String> wanted, OutgoingMessage message, String field) {
        return wanted.filter(value -> !value.equals(message.data().get(field))).isEmpty();
    }

    private static boolean isOneOf(Set<String> seen, @Nullable Object merchant) {
        return merchant instanceof String named && seen.contains(named);
    }
}
