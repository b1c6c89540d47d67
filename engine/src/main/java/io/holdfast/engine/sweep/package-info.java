/**
 * Waking by table {@code owed}: a little ahead of their time those that come due soon, and afterwards those that a dead node left behind.
 * Decides nothing, asks the entity. Plain JDBC; how an entity is reached, and what rings, are ports.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.sweep;
