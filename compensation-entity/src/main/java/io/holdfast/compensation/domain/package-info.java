/**
 * What a compensation may do: pure functions and the values they work on. How a script is called, or who is asked, belongs to
 * {@code entity} and the ports; whether and why stock goes back is decided by the reservation.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.compensation.domain;
