package io.holdfast.compensation.simulation;

import io.holdfast.engine.entity.Entry;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.Review;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** As long as Redis forgets nothing, no fence ever says what its journal can't explain, whatever is lost, late, repeated or crashed. */
final class FencesNeverContradict implements Invariant {

    private final SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations;
    private final Map<String, Integer> looked = new HashMap<>();

    FencesNeverContradict(SimulatedEntities<Reservation, ?, ReservationEvent, ?> reservations) {
        this.reservations = reservations;
    }

    @Override
    public void check() {
        for (String id : reservations.entityIds()) {
            List<Entry<ReservationEvent>> lines = reservations.journal().read(id);
            for (Entry<ReservationEvent> line : lines.subList(looked.getOrDefault(id, 0), lines.size())) {
                if (line
                                instanceof
                                Entry.Happened<ReservationEvent>(ReservationEvent.ReviewOpened(Review review), var _)
                        && review.trigger() == Review.Trigger.FENCE_CONTRADICTION) {
                    throw new AssertionError("FencesNeverContradict: " + id + ": " + review);
                }
            }
            looked.put(id, lines.size());
        }
    }
}
