package io.holdfast.engine.runtime;

import java.util.Arrays;
import java.util.Objects;

/**
 * What the journal plugin is given: an entry already written by the entity, off the plugin's own thread.
 *
 * @param manifest machine name
 * @param json UTF-8 JSON
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content below, and never changed
record JournalPayload(String manifest, byte[] json) {

    @Override
    public boolean equals(Object other) {
        return other instanceof JournalPayload that && manifest.equals(that.manifest) && Arrays.equals(json, that.json);
    }

    @Override
    public int hashCode() {
        return Objects.hash(manifest, Arrays.hashCode(json));
    }

    @Override
    public String toString() {
        return "JournalPayload[" + manifest + ", " + json.length + " bytes]";
    }
}
