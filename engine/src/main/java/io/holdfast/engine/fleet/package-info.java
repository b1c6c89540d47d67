/**
 * Work that is done once in the fleet, wherever, or in parts by several nodes: loops under PostgreSQL advisory locks that live and die with
 * the connection the work is done on, and the bell that ends their waits. Plain JDBC; knows neither projections nor machines.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.fleet;
