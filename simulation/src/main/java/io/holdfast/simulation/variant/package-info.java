/**
 * The catalogue of what can be built wrong, each a small class that does one thing otherwise in a simulated world: in the text of a script
 * as it is run, or around a port or a performer. No claim belongs here: it is the claims that are tried by these.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.simulation.variant;
