/**
 * Waking what a dead node left behind: reads table {@code owed}, decides nothing, asks the entity. Plain JDBC; how an entity is reached is
 * a port.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.sweep;
