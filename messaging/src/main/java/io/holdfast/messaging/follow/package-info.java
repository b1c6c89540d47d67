/**
 * Following the journal: what it announces, in the order in which it became visible, for whoever on this node wants it, from any place on
 * and without a gap. One reader serves all of them. Nothing is stored here: whoever follows keeps its own place. Knows neither HTTP nor a
 * broker.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.follow;
