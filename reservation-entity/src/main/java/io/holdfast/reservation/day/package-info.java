/**
 * The turn of business days: what merchants set out to sell by day and by which calendar, the pools that are created from it, and when they
 * are closed and archived. Reads and writes its own tables with plain JDBC and asks the pools; what a pool does with a request is decided in
 * {@code domain}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.day;
