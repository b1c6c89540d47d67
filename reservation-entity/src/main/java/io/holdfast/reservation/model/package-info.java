/**
 * Ports of reservations answered from memory, for tests and for simulation: they pass the conformance suites that the real ones pass. No
 * node uses them.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.model;
