/**
 * The read model of reservations in PostgreSQL: the projection that keeps {@code reservation_view} in step with the journal, and what is
 * asked of it. Plain JDBC; no decision about a reservation is made in here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.view;
