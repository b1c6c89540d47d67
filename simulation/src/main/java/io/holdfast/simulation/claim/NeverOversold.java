package io.holdfast.simulation.claim;

import io.holdfast.reservation.domain.Account;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.invariant.Invariant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * By the journals, which are what was promised: no pool has ever promised more units at one time than its highest total so far. (Once a
 * total is lowered, what was promised before stays.)
 */
public final class NeverOversold implements Invariant {

    private final SimulatedEntities<Reservation, ?, ?, ?> reservations;
    private final UnaryOperator<String> whole;
    private final Map<String, Long> highestTotal;
    private final Map<String, Reservation> counted = new HashMap<>();
    private final Map<String, Long> promised = new HashMap<>();
    private int looked;

    /**
     * Watches the journal of the reservations.
     *
     * @param whole what a pool is a part of: itself, or the sale whose units move between its pools
     * @param highestTotal by that; grows as totals are raised
     */
    public NeverOversold(
            SimulatedEntities<Reservation, ?, ?, ?> reservations,
            UnaryOperator<String> whole,
            Map<String, Long> highestTotal) {
        this.reservations = reservations;
        this.whole = whole;
        this.highestTotal = highestTotal;
    }

    /** The same, of pools that are each for itself. */
    public NeverOversold(SimulatedEntities<Reservation, ?, ?, ?> reservations, Map<String, Long> highestTotal) {
        this(reservations, UnaryOperator.identity(), highestTotal);
    }

    @Override
    public void check() {
        Set<String> written = reservations.journal().writtenSince(looked);
        if (written.isEmpty()) {
            return;
        }
        looked = reservations.journal().size();
        for (String id : written) {
            Reservation now = reservations.journaled(id).state();
            Reservation before = counted.put(id, now);
            if (before == now) {
                continue;
            }
            now.asked()
                    .ifPresent(claim -> promised.merge(
                            whole.apply(claim.pool().value()),
                            units(now) - (before == null ? 0 : units(before)),
                            Long::sum));
        }
        promised.forEach((pool, units) -> {
            if (units > highestTotal.getOrDefault(pool, 0L)) {
                throw new AssertionError("NeverOversold: " + pool + " has promised " + units
                        + " units, its highest total was " + highestTotal.get(pool));
            }
        });
    }

    /**
     * Units whose promise stands. What is being given back does not: Redis may have given it to somebody else before this journal knows. An
     * admission that was never handed off does not yet: what Redis lost of it before it was journaled, others may have by now.
     */
    public static long units(Reservation reservation) {
        return switch (reservation.unmarked()) {
            case None _, Preparing _, Rejected _, Canceled _ -> 0;
            case Canceling s -> s.account().keptSold();
            case Confirming s -> s.account().remaining() + s.account().keptSold();
            case Refunding s ->
                kept(s.account()) - (s.refund().restock() ? s.refund().quantity() : 0);
            case Reserved s -> s.isProvisional() ? 0 : kept(s.account());
            case CreatedReserved s -> kept(s.account());
            case Confirmed s -> kept(s.account());
            case Refunded s -> kept(s.account());
        };
    }

    private static long kept(Account account) {
        return account.held() - account.released() - account.refunded() + account.keptSold();
    }
}
