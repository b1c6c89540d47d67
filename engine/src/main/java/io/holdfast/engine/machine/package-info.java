/**
 * What a machine is: pure functions over values, and the vocabulary they share. Only the JDK may be imported here: no clock, no
 * randomness, no input or output. Everything that acts lives in {@code runtime}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.machine;
