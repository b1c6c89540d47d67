/**
 * What runs the two machines: what performs their effects through the stock scripts, what compares a pool with its journals, what a node
 * knows of pools, and the definitions the runtime starts. What a script's answer means is translated here; what follows from it is decided
 * in {@code domain}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.entity;
