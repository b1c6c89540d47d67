/**
 * The order machine made ready to run: what performs its effects through the ports, and its definition for the runtime. What an order may do
 * belongs to {@code domain}, how a store is asked to the adapters.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.entity;
