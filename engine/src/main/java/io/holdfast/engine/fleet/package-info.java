/**
 * Work that must run once in the fleet, wherever: a loop under a PostgreSQL advisory lock that lives and dies with the connection the
 * work is done on. Plain JDBC; knows neither projections nor machines.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.fleet;
