/**
 * Runs many simulated worlds and says what came of them: which seeds, which faults, which cells of which matrix, and the whole run of the
 * first that failed. What a world is made of belongs to {@code world}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.simulation;
