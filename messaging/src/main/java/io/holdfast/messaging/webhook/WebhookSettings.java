package io.holdfast.messaging.webhook;

import io.holdfast.engine.effect.Backoff;
import java.time.Duration;

/**
 * Bounds of calling others.
 *
 * @param together calls under way at a time on this node
 * @param toOne of those, to one webhook
 * @param timeout how long one call may take
 * @param backoff wait before a delivery, and a webhook that fails, is tried again
 * @param giveUpAfter a delivery is given up once it is so old
 * @param disableAfter a webhook is disabled once nothing has succeeded for so long
 * @param keep how long deliveries that have ended are remembered
 * @param poll how often what is due is looked for
 */
public record WebhookSettings(
        int together,
        int toOne,
        Duration timeout,
        Backoff backoff,
        Duration giveUpAfter,
        Duration disableAfter,
        Duration keep,
        Duration poll) {}
