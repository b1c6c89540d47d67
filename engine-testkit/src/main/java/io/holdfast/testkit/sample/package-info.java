/**
 * A machine small enough to read at a glance, for testing the kit itself and, in suites, whatever runs machines: one ticket taken from a shop
 * and given back. No real domain belongs here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.sample;
