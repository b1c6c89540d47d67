/**
 * Keeps a fixed number of operations on the way and records what became of them. Knows nothing of what an operation is, and costs next to
 * nothing beside it.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.load;
