package io.holdfast.engine.runtime;

import io.holdfast.engine.entity.Entry;

/** One row of an entity's journal, as its actor sees it. */
sealed interface JournalRecord<E> {

    record Written<E>(Entry<E> entry) implements JournalRecord<E> {}

    /** A row this version can't read. It is handed on rather than thrown, so that the entity can say why it does not serve. */
    record Unreadable<E>(String why) implements JournalRecord<E> {}
}
