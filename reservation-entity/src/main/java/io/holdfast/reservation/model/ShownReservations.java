package io.holdfast.reservation.model;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.port.PoolReservations;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reservations shown from memory. */
public final class ShownReservations implements PoolReservations {

    private final TreeMap<String, Reservation> shown = new TreeMap<>();

    /** Shows a reservation so from now on. */
    public void show(Reservation reservation) {
        shown.put(reservation.id(), reservation);
    }

    @Override
    public CompletionStage<Outcome<List<Reservation>>> page(PoolId pool, Optional<String> after, int limit) {
        return known(after.map(id -> shown.tailMap(id, false)).orElse(shown).values().stream()
                .filter(reservation -> isOf(reservation, pool))
                .limit(limit)
                .toList());
    }

    @Override
    public CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds) {
        return known((int) reservationIds.stream()
                .filter(id -> !shown.containsKey(id) || shown.get(id).asked().isEmpty() || isOf(shown.get(id), pool))
                .count());
    }

    private static boolean isOf(Reservation reservation, PoolId pool) {
        return reservation.asked().filter(claim -> claim.pool().equals(pool)).isPresent();
    }

    private static <T> CompletionStage<Outcome<T>> known(T value) {
        return CompletableFuture.completedFuture(Outcome.known(value));
    }
}
