package io.holdfast.http.route;

import io.holdfast.messaging.webhook.WebhookDesk;
import java.util.function.Supplier;

/**
 * What is asked about webhooks.
 *
 * @param desk where it is asked
 * @param anyAddress whether addresses may be called that are not on the public internet, and without TLS
 * @param secrets makes secrets that nobody can guess
 * @param ids makes ids
 */
public record WebhookParts(WebhookDesk desk, boolean anyAddress, Supplier<byte[]> secrets, Supplier<String> ids) {}
