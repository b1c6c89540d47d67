/**
 * What must hold after every step of a simulation, and what must be true once it rests; one small class per claim. Claims that know a
 * domain (stock, money) belong to that domain's tests.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.simulation.invariant;
