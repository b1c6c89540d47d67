/**
 * Whole days of selling, simulated: the real machines, their real performers and the real scripts on a model of Redis, with everything
 * going wrong around them. Tests of one part alone do not belong here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.compensation.simulation;
