/**
 * What can go wrong between an entity and the outside world, one small class per fault, each wrapping calls of a port. Production code has no
 * hooks for them. Crashes of entities and nodes are not here: they happen to the fleet, not to a port.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.simulation.fault;
