/**
 * The journal's way into PostgreSQL: a {@code JournalDao} of pekko-persistence-jdbc that commits the writes of many entities together, keeps
 * their failures apart, settles what became of a commit whose answer was lost, and shares reads. What an entry means is none of its
 * business, and projections have a reader of their own.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.journal.jdbc;
