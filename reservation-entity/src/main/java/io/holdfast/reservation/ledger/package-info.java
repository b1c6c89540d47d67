/**
 * The books of pools in PostgreSQL: which events change the numbers of a pool and by how much (pure), the rows that come of them, set by
 * set, and what is asked of them. Plain JDBC. No number is decided in here: each is as Redis answered it and the journal has it.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.ledger;
