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

/** As long as Redis forgets nothing, no fence ever says what its journal can't explain, whatever is lost, late, repeated or crashed. */
public final class FencesNeverContradict implements Invariant {

    private final SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations;
    /** How a compensation answers that a person has stopped. */
    private static final String BY_A_PERSON = " was answered FROZEN";

    private final Map<String, Integer> lookedAt = new HashMap<>();
    private int looked;

    /** Watches the journal of the reservations. */
    public FencesNeverContradict(SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations) {
        this.reservations = reservations;
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
                        && !review.reason().endsWith(BY_A_PERSON)) {
                    throw new AssertionError("FencesNeverContradict: " + id + ": " + review);
                }
            }
            lookedAt.put(id, lines.size());
        }
    }
}
