package io.holdfast.simulation.claim;

import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** By the journals: no group has a line that was held and another that was turned down, ever. */
public final class GroupsAreWhole implements Invariant {

    private final SimulatedEntities<Reservation, ?, ?, ?> reservations;
    private final Map<String, Reservation> seen = new HashMap<>();
    private final Set<Group> groups = new HashSet<>();
    private int looked;

    /** Watches the journal of the reservations. */
    public GroupsAreWhole(SimulatedEntities<Reservation, ?, ?, ?> reservations) {
        this.reservations = reservations;
    }

    @Override
    public void check() {
        Set<String> written = reservations.journal().writtenSince(looked);
        looked = reservations.journal().size();
        for (String id : written) {
            Reservation now = reservations.journaled(id).state();
            if (seen.put(id, now) != now) {
                now.asked().flatMap(claim -> claim.group()).ifPresent(this::check);
            }
        }
    }

    private void check(Group group) {
        groups.add(group);
        Set<Boolean> fates = new HashSet<>();
        for (GroupLine line : group.lines()) {
            Reservation state = reservations.journaled(line.reservationId()).state();
            if (state.asked()
                    .flatMap(claim -> claim.group())
                    .filter(group::equals)
                    .isPresent()) {
                if (state.units().isPresent()) {
                    fates.add(true);
                }
                if (state.unmarked() instanceof Reservation.Rejected) {
                    fates.add(false);
                }
            }
        }
        if (fates.size() > 1) {
            throw new AssertionError("GroupsAreWhole: " + group + " has lines that are held, and lines that are not");
        }
    }

    /** Groups that were asked for. */
    public int groups() {
        return groups.size();
    }
}
