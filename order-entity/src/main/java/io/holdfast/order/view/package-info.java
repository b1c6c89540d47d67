/**
 * What people see of orders beside one order's own state: which of them wait for a person. Kept from the journal; what an order is or does
 * belongs to {@code domain}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.view;
