/**
 * What must hold of a whole fleet, whatever goes wrong: one small class per claim, named by what it says. Some are looked at after every
 * step, others once everything rests. How the world is made that they are looked at in does not belong here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.simulation.claim;
