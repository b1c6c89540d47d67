package io.holdfast.engine.sweep;

import java.time.OffsetDateTime;

/** A row of table {@code owed}. A pass goes by (wakeAt, persistenceId), so a row also says where it is. */
record Owed(String machine, String persistenceId, OffsetDateTime wakeAt) {

    /** Where a pass begins that looks at everything due after this moment. */
    static Owed justAfter(OffsetDateTime moment) {
        return new Owed("", "", moment);
    }

    /** The entity's id within its machine. */
    String entityId() {
        return persistenceId.substring(Math.min(persistenceId.length(), machine.length() + 1));
    }
}
