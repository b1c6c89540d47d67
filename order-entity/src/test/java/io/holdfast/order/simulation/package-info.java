/**
 * A sale in a simulated fleet: the order machine over the books in memory and a provider, with every fault of the kit between them. Claims
 * about orders belong here; what one decision does belongs to the conformance suite.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.simulation;
