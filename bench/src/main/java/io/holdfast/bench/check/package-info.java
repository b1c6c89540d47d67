/**
 * Adds up afterwards, in a second way and without the product's own code, what was acknowledged, what the journal says and what Redis
 * holds. A figure of a run whose sums are off is worth nothing.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.check;
