/**
 * Bringing a database to the schema this version needs. The SQL is under {@code db/migration}; whoever reads or writes the tables lives in
 * the module whose tables they are.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.config.sql;
