package io.holdfast.lua;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What Redis knows of one reservation.
 *
 * @param quantity units the Try asked for
 * @param confirmed units sold by Confirm
 * @param released units given back by Confirm because fewer were confirmed than held
 * @param refunded sum of the refunds
 * @param admitted how it came in by the gate, where it did
 * @param operations what was done, by name: {@code try}, {@code handed_off}, {@code confirm}, {@code cancel}, {@code refund:<refund id>}
 */
public record Fence(
        Phase phase,
        long quantity,
        long confirmed,
        long released,
        long refunded,
        Optional<JournaledFence.Admitted> admitted,
        Map<String, Operation> operations) {

    public Fence {
        operations = Map.copyOf(operations);
    }

    /** Of a reservation that did not come by the gate. */
    public Fence(
            Phase phase,
            long quantity,
            long confirmed,
            long released,
            long refunded,
            Map<String, Operation> operations) {
        this(phase, quantity, confirmed, released, refunded, Optional.empty(), operations);
    }

    /** Units neither refunded nor released: held while RESERVED, sold while CONFIRMED, none in the other phases. */
    public long left() {
        return switch (phase) {
            case RESERVED, CONFIRMED -> quantity - released - refunded;
            case CANCELED, REFUNDED, REJECTED -> 0;
        };
    }

    /**
     * One operation's first result, as kept for its repeats.
     *
     * @param result name of the reply in the script
     * @param books after it
     * @param details what else the operation keeps: its operation id, quantity, ...
     */
    public record Operation(String result, Books books, Instant at, List<String> details) {
        public Operation {
            details = List.copyOf(details);
        }
    }
}
