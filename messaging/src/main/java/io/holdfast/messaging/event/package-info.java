/**
 * Events of other systems, read: what an event says about which reservations, or why it can't be understood. Pure: no Kafka, no clock, no
 * lookup. What is done with it belongs to {@code in}, what Holdfast itself announces to {@code out}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.event;
