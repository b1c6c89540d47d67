/**
 * How journal entries, states and commands become JSON and come back, as pure functions over bytes: the running entity, projections,
 * the auditor and golden files share them. No Pekko, no database, no domain; the domain's records carry no annotations.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.journal;
