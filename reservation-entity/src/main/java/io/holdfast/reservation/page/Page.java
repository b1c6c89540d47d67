package io.holdfast.reservation.page;

import java.util.List;
import java.util.Optional;

/**
 * One page of a list.
 *
 * @param entries at most as many as were asked for
 * @param next the cursor of the next page; empty on the last one
 */
public record Page<T>(List<T> entries, Optional<String> next) {
    public Page {
        entries = List.copyOf(entries);
    }
}
