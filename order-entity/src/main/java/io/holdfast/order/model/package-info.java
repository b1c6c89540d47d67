/**
 * The books of the order service in memory, for tests and for simulation: they pass the conformance suite that the SQL passes. No node uses
 * them, and nothing that decides belongs here that the suite does not ask for.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.model;
