package io.holdfast.simulation.claim;

import io.holdfast.engine.entity.Entry;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.Review;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * No fence ever says what its journal can't explain, whatever is lost, late, repeated or crashed. Where Redis has forgotten something one thing
 * can't be prevented: it lets a request in, forgets it, and lets another one in that somebody made under the same id.
 */
public final class FencesNeverContradict implements Invariant {

    private final SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations;
    /** How a compensation answers that a person has stopped. */
    private static final String BY_A_PERSON = " was answered FROZEN";

    private static final String LET_IN_TWICE = "the gate let another request in under this id";

    private final IntSupplier losses;
    private final Map<String, Integer> lookedAt = new HashMap<>();
    private int looked;

    /** Watches the journal of the reservations, over a Redis that forgets nothing. */
    public FencesNeverContradict(SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations) {
        this(reservations, () -> 0);
    }

    /**
     * Watches the journal of the reservations.
     *
     * @param losses how often Redis has forgotten something
     */
    public FencesNeverContradict(
            SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations, IntSupplier losses) {
        this.reservations = reservations;
        this.losses = losses;
    }

    @Override
    public void check() {
        Set<String> written = reservations.journal().writtenSince(looked);
        looked = reservations.journal().size();
        for (String id : written) {
            List<Entry<ReservationEvent>> lines = reservations.journal().read(id);
            for (Entry<ReservationEvent> line : lines.subList(lookedAt.getOrDefault(id, 0), lines.size())) {
                if (line
                                instanceof
                                Entry.Happened<ReservationEvent>(ReservationEvent.ReviewOpened(Review review), var _)
                        && (review.trigger() == Review.Trigger.FENCE_CONTRADICTION
                                || review.trigger() == Review.Trigger.COMPENSATION)
                        && !review.reason().endsWith(BY_A_PERSON)
                        && !(review.reason().equals(LET_IN_TWICE) && losses.getAsInt() > 0)) {
                    throw new AssertionError("FencesNeverContradict: " + id + ": " + review);
                }
            }
            lookedAt.put(id, lines.size());
        }
    }
}
