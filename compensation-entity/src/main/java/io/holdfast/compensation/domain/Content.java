package io.holdfast.compensation.domain;

import io.holdfast.reservation.domain.Ids;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import java.util.Objects;

/** What is to go back. Fixed by the first one who asks: the key names one content for ever. */
public sealed interface Content {

    /** The reservation whose fence guards it. */
    String reservationId();

    /** Where its units are. */
    PoolId pool();

    /** Whether the hold came in by the gate, which keeps more of it than its fence. */
    boolean admitted();

    /** Identity of the compensation, and operation id of its script. */
    String key();

    /**
     * A hold that was never sold goes back.
     *
     * @param quantity units the Try asked for
     * @param expectHeld whether the reservation's journal says that they are held
     */
    record Release(String reservationId, PoolId pool, long quantity, boolean expectHeld, boolean admitted)
            implements Content {
        /** @throws IllegalArgumentException if the id or the quantity breaks the rule */
        public Release {
            Ids.part("reservation_id", reservationId);
            Objects.requireNonNull(pool);
            Ids.positive("quantity", quantity);
        }

        @Override
        public String key() {
            return "RELEASE:" + reservationId;
        }
    }

    /** Units of a created order go back. */
    record GiveBack(String reservationId, PoolId pool, Refund refund, boolean admitted) implements Content {
        /** @throws IllegalArgumentException if the id breaks the rule */
        public GiveBack {
            Ids.part("reservation_id", reservationId);
            Objects.requireNonNull(pool);
            Objects.requireNonNull(refund);
        }

        @Override
        public String key() {
            return "REFUND:" + reservationId + ":" + refund.id();
        }
    }
}
