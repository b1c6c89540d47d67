package io.holdfast.config;

import java.time.Duration;

/**
 * {@code holdfast.webhooks}.
 *
 * @param most webhooks
 * @param together calls under way on this node
 * @param toOne of those, to one webhook
 * @param timeout of one call
 * @param retryFirst wait after the first failure
 * @param retryLongest and at most
 * @param giveUpAfter age at which a delivery is given up
 * @param disableAfter time of failures after which a webhook is disabled
 * @param keep how long deliveries that have ended are remembered
 * @param addresses which may be called
 */
public record WebhooksSection(
        int most,
        int together,
        int toOne,
        Duration timeout,
        Duration retryFirst,
        Duration retryLongest,
        Duration giveUpAfter,
        Duration disableAfter,
        Duration keep,
        Addresses addresses) {

    /** Which addresses may be called. */
    public enum Addresses {
        /** On the public internet, with TLS. */
        PUBLIC,
        /** All, private ones and this machine among them, also without TLS. */
        ANY,
        /** Any where the node is for development, public ones where it is for production. */
        BY_MODE
    }

    static WebhooksSection read(SettingsReader reader) {
        var section = new WebhooksSection(
                reader.integer("most", 0, 10_000),
                reader.integer("together", 1, 10_000),
                reader.integer("to-one", 1, 1000),
                reader.duration("timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.duration("retry-first", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.duration("retry-longest", Duration.ofMillis(10), Duration.ofHours(24)),
                reader.duration("give-up-after", Duration.ofSeconds(1), Duration.ofDays(30)),
                reader.duration("disable-after", Duration.ofSeconds(1), Duration.ofDays(30)),
                reader.duration("keep", Duration.ofMinutes(1), Duration.ofDays(365)),
                reader.choice("addresses", Addresses.class));
        reader.atLeast("retry-longest", section.retryLongest(), "retry-first", section.retryFirst());
        return section;
    }

    /** Whether addresses that are not public may be called, and without TLS. */
    public boolean any(NodeSection.Mode mode) {
        return switch (addresses) {
            case PUBLIC -> false;
            case ANY -> true;
            case BY_MODE -> mode == NodeSection.Mode.DEVELOPMENT;
        };
    }
}
