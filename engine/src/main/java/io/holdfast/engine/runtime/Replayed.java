package io.holdfast.engine.runtime;

import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.machine.Machine;

/** What an entity's journal adds up to. */
sealed interface Replayed<S> {

    record Sound<S>(Entity<S> entity) implements Replayed<S> {}

    /**
     * The journal can't be read as a whole, so the entity does not serve.
     *
     * @param readTo the last entry that could be read
     */
    record Unreadable<S>(long readTo, String why) implements Replayed<S> {}

    /** After one more row. */
    default <E> Replayed<S> after(Machine<S, ?, E, ?> machine, JournalRecord<E> row) {
        return switch (this) {
            case Unreadable<S> already -> already;
            case Sound<S>(Entity<S> entity) ->
                switch (row) {
                    case JournalRecord.Written<E>(Entry<E> entry) -> fold(machine, entity, entry);
                    case JournalRecord.Unreadable<E>(String why) -> new Unreadable<>(entity.sequenceNumber(), why);
                };
        };
    }

    private static <S, E> Replayed<S> fold(Machine<S, ?, E, ?> machine, Entity<S> entity, Entry<E> entry) {
        try {
            return new Sound<>(entity.after(machine, entry));
        } catch (RuntimeException e) {
            return new Unreadable<>(
                    entity.sequenceNumber(),
                    "the machine can't take entry " + (entity.sequenceNumber() + 1) + ": " + e);
        }
    }
}
