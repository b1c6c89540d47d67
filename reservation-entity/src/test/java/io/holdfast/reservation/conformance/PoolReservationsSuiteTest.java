package io.holdfast.reservation.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.testkit.suite.SuiteFailsOnNothing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PoolReservationsSuiteTest {

    @Test
    void every_test_of_the_suite_fails_on_a_port_that_shows_nothing() {
        SuiteFailsOnNothing.check(OverNothing.class);
    }

    static class OverNothing extends PoolReservationsConformance {

        @Override
        void journaled(String id, ReservationEvent... events) {}

        @Override
        PoolReservations reservations() {
            return new PoolReservations() {
                @Override
                public CompletionStage<Outcome<List<Reservation>>> page(
                        PoolId pool, Optional<String> after, int limit) {
                    return CompletableFuture.completedFuture(Outcome.known(List.of()));
                }

                @Override
                public CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds) {
                    return CompletableFuture.completedFuture(Outcome.known(0));
                }
            };
        }
    }
}
