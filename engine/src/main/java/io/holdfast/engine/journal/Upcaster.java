package io.holdfast.engine.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Turns an entry journaled under an older schema version of a machine into what the present version would have written. */
@FunctionalInterface
public interface Upcaster {

    /**
     * The entry at the present version. Called only for entries of older versions.
     *
     * @param entry the whole entry ({@code v}, {@code type}, {@code data}, ...); may be changed in place
     * @param version the version it was written under
     */
    ObjectNode upcast(ObjectNode entry, int version);

    /** For a machine at its first version. */
    static Upcaster none() {
        return (entry, version) -> {
            throw new UnreadableEntry("no rule turns schema version " + version + " into the present one");
        };
    }
}
