package io.holdfast.engine.journal.jdbc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One row of the journal, as it is stored.
 *
 * @param persistenceId whose it is
 * @param sequenceNumber its place among that entity's rows, from 1
 * @param deleted whether only its number still counts
 * @param writer the life of the entity that wrote it
 * @param timestamp when, in milliseconds since 1970
 * @param adapterManifest of the event adapter, mostly empty
 * @param payload the event
 * @param metadata of a replicated entity
 */
// Its arrays are shared with the driver and never changed.
@SuppressWarnings("ArrayRecordComponent")
record JournalRow(
        String persistenceId,
        long sequenceNumber,
        boolean deleted,
        String writer,
        long timestamp,
        String adapterManifest,
        Stored payload,
        @Nullable Stored metadata) {

    /** A serialized object. */
    @SuppressWarnings("ArrayRecordComponent")
    record Stored(int serializer, String manifest, byte[] bytes) {}

    /** What is known of a row that was found under a key. */
    @SuppressWarnings("ArrayRecordComponent")
    record Found(String writer, long timestamp, byte[] payload) {

        /**
         * Whether it is this very row. The writer alone would do if lives of an entity never shared one; an entity that took another's event
         * for its own would be wrong for ever, so nothing is left to that.
         */
        boolean is(JournalRow row) {
            return writer.equals(row.writer())
                    && timestamp == row.timestamp()
                    && Arrays.equals(payload, row.payload().bytes());
        }
    }

    /** About how many bytes it is on the wire. */
    int size() {
        var extra = metadata;
        return 100 + payload.bytes().length + (extra == null ? 0 : extra.bytes().length);
    }
}
