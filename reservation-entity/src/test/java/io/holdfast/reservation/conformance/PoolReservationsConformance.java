package io.holdfast.reservation.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.port.PoolReservations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What comparing a pool with Redis relies on, whoever shows its reservations. */
@DisplayNameGeneration(ReplaceUnderscores.class)
abstract class PoolReservationsConformance {

    private static final PoolId SOUP = PoolId.parse("m-1:soup:2026-07-25");
    private static final PoolId SOUP_NEXT_DAY = PoolId.parse("m-1:soup:2026-07-26");
    private static final Instant LATER = Instant.parse("2026-07-25T12:45:00Z");
    private static final HoldGranted GRANTED = new HoldGranted(Books.expected(1, 2, 10, 5, 0));

    /** Makes these the journal of a reservation, and lets the port under test have seen it. */
    abstract void journaled(String id, ReservationEvent... events) throws Exception;

    /** The port under test. */
    abstract PoolReservations reservations();

    private static Line line(String item) {
        return new Line("m-1", "soup", "o-" + item, item, Optional.empty());
    }

    private static String id(String item) {
        return line(item).reservationId();
    }

    private static HoldRequested requested(String item, PoolId pool) {
        return new HoldRequested(pool, new Terms(line(item), 5, new OrderType.InstantOrder()), LATER);
    }

    private List<Reservation> page(PoolId pool, Optional<String> after, int limit) {
        return known(
                reservations().page(pool, after, limit).toCompletableFuture().join());
    }

    private static <T> T known(Outcome<T> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Known.class);
        return ((Outcome.Known<T>) outcome).value();
    }

    @Test
    void pages_follow_each_other_until_one_is_short_and_meet_each_once() throws Exception {
        List<String> ids = new ArrayList<>();
        for (String item : IntStream.range(0, 7).mapToObj(i -> "i-" + i).toList()) {
            journaled(id(item), requested(item, SOUP), GRANTED);
            ids.add(id(item));
        }
        List<String> seen = new ArrayList<>();
        Optional<String> after = Optional.empty();
        List<Reservation> page;
        do {
            page = page(SOUP, after, 3);
            page.forEach(reservation -> seen.add(reservation.id()));
            after = seen.isEmpty() ? Optional.empty() : Optional.of(seen.getLast());
        } while (page.size() == 3);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(page(SOUP, after, 3)).isEmpty();
    }

    @Test
    void reservations_of_other_pools_and_ends_before_a_request_are_not_among_them() throws Exception {
        journaled(id("mine"), requested("mine", SOUP), GRANTED);
        journaled(id("next-day"), requested("next-day", SOUP_NEXT_DAY), GRANTED);
        journaled(
                id("tombstone"),
                new TombstoneSet(new Cancellation(
                        Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of("o-tombstone"), "no payment")));
        assertThat(page(SOUP, Optional.empty(), 10)).extracting(Reservation::id).containsExactly(id("mine"));
    }

    @Test
    void each_is_shown_as_its_journal_adds_up() throws Exception {
        journaled(id("asked"), requested("asked", SOUP));
        journaled(id("held"), requested("held", SOUP), GRANTED);
        assertThat(page(SOUP, Optional.empty(), 10))
                .extracting(Reservation::status)
                .containsExactlyInAnyOrder(Reservation.Status.PREPARING, Reservation.Status.RESERVED);
    }

    @Test
    void whatever_is_not_shown_elsewhere_may_be_of_the_pool() throws Exception {
        journaled(id("mine"), requested("mine", SOUP));
        journaled(id("next-day"), requested("next-day", SOUP_NEXT_DAY));
        List<String> ids = List.of(id("mine"), id("next-day"), id("never-shown"));
        assertThat(known(reservations().mayBeOf(SOUP, ids).toCompletableFuture().join()))
                .isEqualTo(2);
    }
}
