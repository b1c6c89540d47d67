/**
 * A payment provider for development, spoken to over HTTP as a real one: it takes no money, and what becomes of a payment is said by whoever
 * makes it. What it knows is gone when its process ends. How a provider is spoken to belongs to {@code provider}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.sandbox;
