/**
 * Compares what Redis has of a pool with what the journals say, while the pool serves, and says of every difference what it is, what shows
 * it, and what may be done about it. The rules are pure; what they look at is read through small ports. It changes nothing itself: a repair
 * is an operation of the pool, which journals it, and a pool that Redis does not serve is told to verify itself. What a reservation or a
 * pool decides does not belong here, nor does SQL.
 */
@NullMarked
package io.holdfast.reconciliation;

import org.jspecify.annotations.NullMarked;
