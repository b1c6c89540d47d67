package io.holdfast.reservation.view;

import io.holdfast.reservation.domain.Reservation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of a list, newest first.
 *
 * @param entries at most as many as were asked for
 * @param next where the next page begins; empty on the last one
 */
public record ReservationListing(List<Listed> entries, Optional<String> next) {

    public ReservationListing {
        entries = List.copyOf(entries);
    }

    /**
     * One reservation as the view has it.
     *
     * @param state its state, as of the sequence number
     * @param createdAt time of its first event
     * @param updatedAt time of its latest event
     * @param sequenceNumber of the latest event the view has
     * @param synced whether the ledger has what it did to its pool
     */
    public record Listed(Reservation state, Instant createdAt, Instant updatedAt, long sequenceNumber, Synced synced) {}
}
