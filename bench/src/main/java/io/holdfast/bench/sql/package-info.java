/**
 * The baseline {@code sql-row}: what a team writes first, on PostgreSQL alone, tuned as an expert would. One statement takes stock on a
 * condition and inserts the reservation, another confirms it. Nothing of the product takes part.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.sql;
