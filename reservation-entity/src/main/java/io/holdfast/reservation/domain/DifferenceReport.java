package io.holdfast.reservation.domain;

import java.util.List;
import java.util.Optional;

/**
 * How Redis differs from the journals.
 *
 * @param expected numbers that follow from the journals
 * @param actual numbers in Redis; empty where it has no such pool
 * @param compared reservations that were compared
 * @param differing reservations whose fence differs
 * @param first the first of those, one by one
 * @param summary one sentence for a person
 */
public record DifferenceReport(
        Books expected, Optional<Books> actual, long compared, long differing, List<Difference> first, String summary) {

    /** How many differing reservations are named one by one. */
    public static final int NAMED = 20;

    public DifferenceReport {
        first = List.copyOf(first);
    }

    /**
     * One reservation that differs.
     *
     * @param reservationId which
     * @param journal what the journal says
     * @param fence what Redis says
     */
    public record Difference(String reservationId, String journal, String fence) {}
}
