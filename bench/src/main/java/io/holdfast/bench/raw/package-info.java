/**
 * The raw limits: what the stores do when nobody but a tight loop asks them. Plain drivers only; nothing of the product may stand between.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.raw;
