/**
 * The built-in order service's machine: what an order may do, and what it owes. Pure: no clock, no SQL, no broker. Nothing here decides
 * whether stock is there or a payment counts; a transaction does, and comes back as a known outcome.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.domain;
