/**
 * Whole days of a fleet: the real machines, their real performers and the real scripts over the stores of this world, with everything going
 * wrong around them, and the claims that must hold all the same. What is done wrong on purpose belongs to {@code variant}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.simulation.world;
