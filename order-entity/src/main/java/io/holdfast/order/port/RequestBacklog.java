package io.holdfast.order.port;

import java.time.Instant;
import java.util.Optional;

/** Requests for orders that were sent and are not read yet. Positive evidence may be among them. */
@FunctionalInterface
public interface RequestBacklog {

    /** Where whoever asks for an order asks it directly: nothing waits anywhere. */
    static RequestBacklog none() {
        return _ -> Optional.empty();
    }

    /**
     * Why a request that was sent by this time may still be waiting; empty when none can be, or only for as long as is put up with. Does not
     * block.
     */
    Optional<String> mayHold(Instant sentBy);
}
