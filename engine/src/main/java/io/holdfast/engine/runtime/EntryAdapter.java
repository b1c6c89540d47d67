package io.holdfast.engine.runtime;

import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.UnreadableEntry;
import org.apache.pekko.persistence.typed.EventAdapter;
import org.apache.pekko.persistence.typed.EventSeq;

/** Writes and reads the rows of one machine's entities. */
final class EntryAdapter<E> extends EventAdapter<JournalRecord<E>, Object> {

    private final String machine;
    private final JournalCodec<E> codec;

    EntryAdapter(String machine, JournalCodec<E> codec) {
        this.machine = machine;
        this.codec = codec;
    }

    @Override
    public Object toJournal(JournalRecord<E> journaled) {
        return switch (journaled) {
            case JournalRecord.Written<E>(var entry) -> new JournalPayload(machine, codec.encode(entry));
            case JournalRecord.Unreadable<E>(String why) -> throw new IllegalStateException("never journaled: " + why);
        };
    }

    @Override
    public String manifest(JournalRecord<E> journaled) {
        return "";
    }

    @Override
    public EventSeq<JournalRecord<E>> fromJournal(Object row, String manifest) {
        return EventSeq.single(
                row instanceof JournalPayload payload
                        ? read(payload)
                        : new JournalRecord.Unreadable<>("a row written by something else: "
                                + row.getClass().getName()));
    }

    private JournalRecord<E> read(JournalPayload payload) {
        if (!payload.manifest().equals(machine)) {
            return new JournalRecord.Unreadable<>("an entry of the machine " + payload.manifest());
        }
        try {
            return new JournalRecord.Written<>(codec.decode(payload.json()));
        } catch (UnreadableEntry e) {
            return new JournalRecord.Unreadable<>(String.valueOf(e.getMessage()));
        }
    }
}
