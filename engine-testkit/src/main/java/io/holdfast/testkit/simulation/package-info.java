/**
 * A whole fleet in one thread: entities of any machine on simulated nodes, a journal in memory, clients that retry, time that only moves
 * from event to event. Everything random comes from one seed. Runs the same rules as production (the entity's core and the machines), with
 * only the shell replaced. No real clock, thread, or unseeded randomness may be used here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.simulation;
