/**
 * Given-when-then tables for machines and the record of which matrix cells they exercised. Runs only the pure functions; nothing that
 * starts an entity, a thread or a clock belongs here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.table;
