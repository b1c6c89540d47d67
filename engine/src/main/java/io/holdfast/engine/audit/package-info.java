/**
 * Replaying one entity's journal for whoever must know what happened: every entry with who, why and when, and the state it led to, through
 * the same pure functions that decided it. Reads the journal with plain JDBC and touches nothing; repairs nothing.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.audit;
