/**
 * What a reservation and a stock pool are and do: states, commands, events and the two machines, as pure functions over values. Only
 * the JDK and the engine's {@code machine} and {@code effect} packages may be imported: no clock, no randomness, no store, no Pekko.
 * Names of nested records are part of the journal's format and never change once released.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.domain;
