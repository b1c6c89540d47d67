/**
 * What may be asked of the outside world, how it may answer, and how often it is asked again. Values only; the JDK is all that may be
 * imported. Performing an effect belongs to {@code runtime} and to the adapters.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.effect;
