package io.holdfast.reservation.port;

import io.holdfast.reservation.domain.PoolId;
import java.util.Optional;

/** Whether what is behind the gate keeps up with it, as this node knows it. Cheap enough to be asked before every admission. */
@FunctionalInterface
public interface GatePressure {

    /** What does not keep up. */
    enum Reason {
        /** Admitted holds whose reservations have not heard of them. */
        HAND_OFF,
        /** Messages that ask for orders, or the broker they go to. */
        BROKER,
        /** The journal, or what is read from it. */
        JOURNAL,
        /** Units of the sale that are on their way between its buckets, or a bucket that Redis does not serve; found where one is short. */
        BUCKETS
    }

    /** Why this request is not let in now; empty when it may be. */
    Optional<Reason> on(PoolId pool);

    /** Nothing is ever behind. */
    static GatePressure none() {
        return _ -> Optional.empty();
    }
}
