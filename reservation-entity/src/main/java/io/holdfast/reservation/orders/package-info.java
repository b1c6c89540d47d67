/**
 * Asking the order domain over HTTP. How the port is reached and what its status codes mean; when and how often it is asked is the
 * reservation's.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.orders;
