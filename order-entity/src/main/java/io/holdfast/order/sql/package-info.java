/**
 * The order service's books and final stock in PostgreSQL: one transaction per decision. What an order does with a decision belongs to
 * {@code domain}; nothing here retries on its own except to find out what became of a commit.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.sql;
