package io.holdfast.engine.projection;

import java.util.List;
import java.util.Objects;

/**
 * How a batch was received: all of it was acknowledged, except for what is named here.
 *
 * @param refused events that can't be delivered, now or later, through a fault of their own (too large, unreadable). The entity of each is
 *     set aside from that event on, see {@link ParkedEntity}: its later events in the batch should not have been delivered either, and
 *     come again in order once it is tried again
 */
public record Delivery(List<Refused> refused) {

    /** Everything was acknowledged. */
    public static final Delivery COMPLETE = new Delivery(List.of());

    public Delivery {
        refused = List.copyOf(refused);
    }

    /**
     * One event that can't be delivered.
     *
     * @param row which
     * @param reason why, for people
     */
    public record Refused(JournalRow row, String reason) {
        public Refused {
            Objects.requireNonNull(row);
            Objects.requireNonNull(reason);
        }
    }
}
