/**
 * What the two machines' effects need from elsewhere, as small interfaces: where a pool stands, who gives stock back, which reservations a
 * pool has. No implementation and no decision in here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.port;
