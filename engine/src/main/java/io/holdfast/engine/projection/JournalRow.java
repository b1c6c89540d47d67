package io.holdfast.engine.projection;

import java.util.Objects;

/**
 * One journaled event as the journal stores it. Decoding is the handler's choice: through the journal's codec, by machine.
 *
 * @param persistenceId machine and entity id, separated by the first {@code |}
 * @param sequenceNumber of this event within its entity, from 1
 * @param xid id of the transaction that wrote it
 * @param ordering number drawn when it was written; only orders rows of one transaction
 * @param manifest what the serializer noted beside the payload
 * @param payload UTF-8 JSON
 */
public record JournalRow(
        String persistenceId, long sequenceNumber, long xid, long ordering, String manifest, byte[] payload) {

    public JournalRow {
        Objects.requireNonNull(persistenceId);
        Objects.requireNonNull(manifest);
        Objects.requireNonNull(payload);
    }

    /** Name of the machine this entity runs; all of the id if it has no separator. */
    public String machine() {
        int bar = persistenceId.indexOf('|');
        return bar < 0 ? persistenceId : persistenceId.substring(0, bar);
    }

    /** The entity's id within its machine; empty if the persistence id has no separator. */
    public String entityId() {
        int bar = persistenceId.indexOf('|');
        return bar < 0 ? "" : persistenceId.substring(bar + 1);
    }

    /** Identity of the event, the same however often it is read: what a publisher sends as the message id. */
    public String eventId() {
        return persistenceId + "#" + sequenceNumber;
    }

    @Override
    public String toString() {
        return "JournalRow[" + eventId() + ", xid " + xid + ", ordering " + ordering + ", " + payload.length
                + " bytes]";
    }
}
