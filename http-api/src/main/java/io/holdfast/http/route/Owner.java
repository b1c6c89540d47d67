package io.holdfast.http.route;

import java.util.Optional;

/**
 * Whose something is.
 *
 * @param merchant who sells, or the activity
 * @param user who buys, where known
 */
record Owner(String merchant, Optional<String> user) {

    /** Whether the caller may see it. */
    boolean isOpenTo(Exchange exchange) {
        return exchange.scope().covers(merchant)
                && (exchange.boundTo().isEmpty() || exchange.boundTo().equals(user));
    }
}
