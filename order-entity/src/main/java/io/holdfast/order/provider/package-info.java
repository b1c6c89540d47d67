/**
 * A payment provider spoken to over HTTP: the questions asked of it, and the signed notices that come from it. What a payment means for an
 * order belongs to {@code domain}; serving the notices' address belongs to whoever has a server.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.provider;
