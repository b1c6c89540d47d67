package io.holdfast.reservation.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.PoolStanding;
import io.holdfast.testkit.suite.SuiteFailsOnNothing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SuitesFailOnNothingTest {

    @Test
    void every_test_of_reservations_of_a_pool_fails_on_a_port_that_shows_nothing() {
        SuiteFailsOnNothing.check(NothingShown.class);
    }

    @Test
    void every_test_of_where_pools_stand_fails_on_a_port_that_always_says_the_same() {
        SuiteFailsOnNothing.check(SameStanding.class);
    }

    @Test
    void every_test_of_compensations_fails_on_a_port_that_gives_nothing_back() {
        SuiteFailsOnNothing.check(NothingGivenBack.class);
    }

    private static <T> CompletionStage<Outcome<T>> known(T value) {
        return CompletableFuture.completedFuture(Outcome.known(value));
    }

    static class NothingShown extends PoolReservationsConformance {

        @Override
        void journaled(String id, ReservationEvent... events) {}

        @Override
        PoolReservations reservations() {
            return new PoolReservations() {
                @Override
                public CompletionStage<Outcome<List<Reservation>>> page(
                        PoolId pool, Optional<String> after, int limit) {
                    return known(List.of());
                }

                @Override
                public CompletionStage<Outcome<Integer>> mayBeOf(PoolId pool, List<String> reservationIds) {
                    return known(0);
                }
            };
        }
    }

    static class SameStanding extends PoolDirectoryConformance {

        private static final PoolStanding SAME = new PoolStanding.Serving(7);

        @Override
        protected PoolDirectory directory() {
            return new PoolDirectory() {
                @Override
                public CompletionStage<Outcome<PoolStanding>> standing(PoolId pool) {
                    return known(SAME);
                }

                @Override
                public void suspect(PoolId pool, long epoch, String evidence) {}

                @Override
                public void forget(PoolId pool) {}
            };
        }

        @Override
        protected Outcome<PoolStanding> asked(PoolId pool) {
            return directory().standing(pool).toCompletableFuture().join();
        }

        @Override
        protected void stands(PoolId pool, PoolStanding standing) {}

        @Override
        protected void nobodyAnswers() {}

        @Override
        protected List<String> told(PoolId pool) {
            return List.of();
        }
    }

    static class NothingGivenBack extends CompensationsConformance {

        @Override
        protected Compensations over(StockScripts scripts, PoolDirectory pools) {
            return new Compensations() {
                @Override
                public CompletionStage<Outcome<CompensationAnswer>> release(ReleaseHold effect) {
                    return known(new CompensationAnswer.Contradicted("NOTHING", Map.of()));
                }

                @Override
                public CompletionStage<Outcome<CompensationAnswer>> refund(RefundHold effect) {
                    return known(new CompensationAnswer.Contradicted("NOTHING", Map.of()));
                }

                @Override
                public CompletionStage<Outcome<CompensationAnswer>> await(AwaitCompensation effect) {
                    return known(new CompensationAnswer.Contradicted("NOTHING", Map.of()));
                }
            };
        }
    }
}
