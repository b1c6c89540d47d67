/**
 * The stores and systems around a fleet, in memory and in virtual time: Redis with the real scripts, a broker, the read side, the payment
 * provider. Each answers as the real one would, faults included; who asks them belongs to {@code world}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.simulation.store;
