package io.holdfast.compensation.view;

import io.holdfast.compensation.domain.Compensation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One page of a list, in the order of keys.
 *
 * @param entries at most as many as were asked for
 * @param next the key after which the next page begins; empty on the last one
 */
public record CompensationListing(List<Listed> entries, Optional<String> next) {

    public CompensationListing {
        entries = List.copyOf(entries);
    }

    /**
     * One compensation as the view has it.
     *
     * @param createdAt time of its first event
     * @param updatedAt time of its latest event
     */
    public record Listed(Compensation state, Instant createdAt, Instant updatedAt) {}
}
