/**
 * Calling others about events: who wants to be called, what was made for them out of the journal, sending it with a signature until it is
 * taken, and what became of it. The rules and the tables; how a call is made over the network is the node's ({@link
 * io.holdfast.messaging.webhook.WebhookCall}).
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.webhook;
