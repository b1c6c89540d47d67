/**
 * Giving stock back: what performs the release of a hold and the refund of an order's units. Whether and why stock goes back is decided by
 * the reservation; nothing of that may be decided here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.compensation;
