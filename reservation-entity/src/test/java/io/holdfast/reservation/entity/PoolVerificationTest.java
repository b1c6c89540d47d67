package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.Passage;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DifferenceReport;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.Finding;
import io.holdfast.reservation.domain.StockPoolCommand.VerificationAnswered;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoolVerificationTest {

    private final Shop shop = Shop.open(10);

    @AfterEach
    void close() {
        shop.close();
    }

    private LookReply.Seen seen() {
        var outcome = shop.redis
                .look(new LookRequest(Shop.POOL.value(), "none"))
                .toCompletableFuture()
                .join();
        return (LookReply.Seen) ((Outcome.Known<LookReply>) outcome).value();
    }

    private Books books() {
        return ScriptAnswers.books(seen().books());
    }

    private static Passage parked(String persistenceId) {
        return new Passage.Passed(
                List.of(new ParkedEntity("reservation_view", persistenceId, 1, "unreadable", 1, Shop.NOW, Shop.NOW)),
                0);
    }

    private DifferenceReport report() {
        return ((StockPool.Suspect) shop.pool).report().orElseThrow();
    }

    @Nested
    class A_redis_that_restarted_with_all_data {

        @Test
        void serves_no_hold_until_the_pool_is_verified_and_then_goes_on() {
            shop.hold("a", 2);
            shop.redis.restart();
            String b = shop.reserve("b", 1);
            shop.run(b);
            assertThat(shop.reservation(b).status()).isEqualTo(Status.PREPARING);
            assertThat(shop.suspicions).singleElement().asString().startsWith("POOL_SUSPECT");
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            shop.run(b);
            assertThat(shop.reservation(b).status()).isEqualTo(Status.RESERVED);
            assertThat(books()).isEqualTo(Books.expected(1, 3, 10, 3, 0));
        }

        @Test
        void is_trusted_again_with_reservations_in_every_state() {
            shop.give(new PoolOperation.Adjust("more", 20, OptionalLong.empty()));
            shop.runPool();
            shop.everyKindOfReservation();
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).as("%s", shop.pool).isEqualTo(StockPool.Status.OPEN);
            assertThat(seen().trusted()).isTrue();
            shop.reservations.keySet().forEach(shop::run);
            assertThat(shop.reservations.values())
                    .extracting(Reservation::status)
                    .doesNotContain(
                            Status.PREPARING,
                            Status.CONFIRMING,
                            Status.CANCELING,
                            Status.REFUNDING,
                            Status.MANUAL_REVIEW);
            assertThat(books().balanced()).isTrue();
        }

        @Test
        void is_trusted_with_a_line_that_does_not_know_yet_that_its_group_is_held() {
            List<String> lines = shop.reserveTogether(2, 3);
            shop.run(lines.getFirst());
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().reserved()).isEqualTo(5);
            shop.run(lines.getLast());
            assertThat(shop.reservation(lines.getLast()).status()).isEqualTo(Status.RESERVED);
            assertThat(books().reserved()).isEqualTo(5);
        }

        @Test
        void keeps_a_deficit() {
            shop.hold("a", 8);
            shop.give(new PoolOperation.Adjust("less", 5, OptionalLong.empty()));
            shop.runPool();
            assertThat(books().deficit()).isEqualTo(3);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().deficit()).isEqualTo(3);
        }
    }

    @Nested
    class A_redis_that_lost_something {

        @Test
        void the_fence_of_a_hold_that_was_turned_down_is_missed_although_no_number_shows_it() {
            String denied = shop.hold("denied", 11);
            assertThat(shop.reservation(denied).status()).isEqualTo(Status.REJECTED);
            shop.redis.remove("hf:{" + Shop.POOL.value() + "}:r:" + denied);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            assertThat(report().first())
                    .singleElement()
                    .satisfies(
                            difference -> assertThat(difference.reservationId()).isEqualTo(denied));
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status())
                    .as("no fence of it belongs to the new epoch")
                    .isEqualTo(StockPool.Status.OPEN);
        }

        @Test
        void the_fence_of_a_line_that_does_not_know_yet_that_its_group_is_held_is_missed() {
            List<String> lines = shop.reserveTogether(2, 3);
            shop.run(lines.getFirst());
            shop.redis.remove("hf:{" + Shop.POOL.value() + "}:r:" + lines.getLast());
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            assertThat(report().first())
                    .singleElement()
                    .satisfies(
                            difference -> assertThat(difference.reservationId()).isEqualTo(lines.getLast()));
        }

        @Test
        void a_hold_that_was_answered_reserved_is_named_and_nobody_else_gets_its_unit() {
            shop.hold("kept", 4);
            var before = shop.redis.snapshot();
            String lost = shop.hold("lost", 6);
            assertThat(shop.reservation(lost).status()).isEqualTo(Status.RESERVED);
            shop.redis.restore(before);
            shop.redis.restart();
            String greedy = shop.reserve("greedy", 6);
            shop.run(greedy);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            assertThat(report().differing()).isEqualTo(1);
            assertThat(report().first())
                    .containsExactly(
                            new DifferenceReport.Difference(lost, "RESERVED, so RESERVED with 6 left", "no fence"));
            shop.run(greedy);
            assertThat(shop.reservation(greedy).status()).isEqualTo(Status.PREPARING);
            assertThat(books().reserved()).isEqualTo(4);
        }

        @Test
        void a_lost_confirm_is_named() {
            String id = shop.hold("a", 1);
            var before = shop.redis.snapshot();
            shop.give(id, OrderCreated.whole(Shop.ORDER));
            shop.run(id);
            shop.redis.restore(before);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(report().first())
                    .containsExactly(new DifferenceReport.Difference(
                            id, "CONFIRMED, so CONFIRMED with 1 left", "RESERVED with 1 left"));
        }

        @Test
        void a_lost_release_is_named() {
            String id = shop.hold("a", 1);
            var before = shop.redis.snapshot();
            shop.give(id, new OrderCreatedFailed(Shop.ORDER, "no"));
            shop.run(id);
            shop.redis.restore(before);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(report().differing()).isEqualTo(1);
        }

        @Test
        void everything_lost_names_the_holds_and_keeps_the_pool_shut() {
            String id = shop.hold("a", 1);
            shop.redis.wipe();
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            assertThat(report().actual()).isEmpty();
            assertThat(report().summary()).isEqualTo("Redis has no such pool");
            assertThat(report().first())
                    .extracting(DifferenceReport.Difference::reservationId)
                    .containsExactly(id);
            shop.give(new StockPoolCommand.Verify());
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
        }

        @Test
        void a_fence_without_a_reservation_shows_in_the_numbers() {
            String id = shop.hold("a", 2);
            shop.reservations.remove(id);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(report().differing()).isZero();
            assertThat(report().summary()).contains("do not add up");
            assertThat(report().expected().reserved()).isZero();
            assertThat(report().actual().orElseThrow().reserved()).isEqualTo(2);
        }

        @Test
        void only_the_first_differences_are_named_however_many_there_are() {
            var empty = shop.redis.snapshot();
            shop.give(new PoolOperation.Adjust("more", 2000, OptionalLong.empty()));
            shop.runPool();
            for (int i = 0; i < 1100; i++) {
                shop.hold("item-" + i, 1);
            }
            shop.redis.restore(empty);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(report().compared()).isEqualTo(1100);
            assertThat(report().differing()).isEqualTo(1100);
            assertThat(report().first()).hasSize(DifferenceReport.NAMED);
        }

        @Test
        void it_is_opened_when_a_later_comparison_is_equal() {
            var before = shop.redis.snapshot();
            shop.hold("a", 1);
            var after = shop.redis.snapshot();
            shop.redis.restore(before);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            shop.redis.restore(after);
            shop.give(new StockPoolCommand.Verify());
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }
    }

    @Nested
    class While_an_operation_of_the_pool_is_in_flight {

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void an_adjustment_may_have_happened_or_not(boolean happened) {
            shop.hold("a", 3);
            shop.give(new PoolOperation.Adjust("less", 6, OptionalLong.empty()));
            if (happened) {
                shop.attemptPool();
            }
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books()).isEqualTo(Books.expected(1, books().version(), 6, 3, 0));
            assertThat(shop.pool.totals().orElseThrow().total()).isEqualTo(6);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void a_pause_may_have_happened_or_not_and_holds_afterwards(boolean happened) {
            shop.give(new PoolOperation.Pause("pause"));
            if (happened) {
                shop.attemptPool();
            }
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.PAUSED);
            assertThat(seen().status()).isEqualTo(PoolStatus.PAUSED);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void a_close_too(boolean happened) {
            shop.give(new PoolOperation.Close("close"));
            if (happened) {
                shop.attemptPool();
            }
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.CLOSED);
            assertThat(seen().status()).isEqualTo(PoolStatus.CLOSED);
        }
    }

    @Nested
    class While_the_pool_is_being_created {

        private final Shop fresh = new Shop();

        @AfterEach
        void closeIt() {
            fresh.close();
        }

        @Test
        void it_goes_on_being_created_where_redis_has_nothing() {
            fresh.give(new PoolOperation.Init("init-1", 10));
            fresh.attemptPool();
            fresh.redis.wipe();
            fresh.redis.restart();
            fresh.suspectPool();
            fresh.runPool();
            assertThat(fresh.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }

        @Test
        void it_is_created_where_redis_has_it() {
            fresh.give(new PoolOperation.Init("init-1", 10));
            fresh.attemptPool();
            fresh.redis.restart();
            fresh.runPool();
            assertThat(fresh.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(fresh.pool.latestBooks()).contains(Books.expected(1, 1, 10, 0, 0));
        }

        @Test
        void a_pool_that_redis_has_from_elsewhere_is_taken_over_only_if_its_numbers_fit() {
            shop.hold("a", 1);
            fresh.give(new PoolOperation.Init("other-key", 10));
            fresh.redis.restore(shop.redis.snapshot());
            fresh.runPool();
            assertThat(fresh.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
        }
    }

    @Nested
    class An_attempt_that_can_not_be_finished {

        @Test
        void waits_for_a_view_that_lags() {
            shop.redis.restart();
            shop.suspectPool();
            shop.passage = new Passage.NotYet(new JournalPosition(3), "it is at 3");
            assertThat(shop.attemptPool()).contains(Outcome.unavailable("the view has not caught up: it is at 3"));
            assertThat(seen().trusted()).isFalse();
            shop.passage = new Passage.Passed(List.of(), 0);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }

        @Test
        void waits_for_reservations_the_view_has_set_aside() {
            shop.suspectPool();
            shop.passage = new Passage.Passed(
                    List.of(new ParkedEntity(
                            "reservation_view", "reservation|r-1", 1, "unreadable", 1, Shop.NOW, Shop.NOW)),
                    0);
            assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
            shop.passage = new Passage.Passed(
                    List.of(new ParkedEntity(
                            "reservation_view", "stock-pool|p", 1, "unreadable", 1, Shop.NOW, Shop.NOW)),
                    0);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }

        @Test
        void whose_answer_was_lost_is_answered_equal_although_holds_went_on() {
            shop.redis.restart();
            shop.suspectPool();
            StockPool suspect = shop.pool;
            Outcome<StockPoolCommand> lost = shop.attemptPool().orElseThrow();
            assertThat(lost).isInstanceOf(Outcome.Known.class);
            shop.give(((Outcome.Known<StockPoolCommand>) lost).value());
            shop.hold("a", 2);
            shop.pool = suspect;
            Outcome<StockPoolCommand> again = shop.attemptPool().orElseThrow();
            assertThat(again)
                    .isEqualTo(Outcome.known(
                            new VerificationAnswered(1, new Finding.Equal(Books.expected(1, 2, 10, 2, 0)))));
        }

        @Test
        void waits_for_reservations_set_aside_only_if_they_may_be_of_this_pool() {
            shop.suspectPool();
            shop.passage = parked("reservation|r-1");
            assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
            shop.elsewhere.add("r-1");
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }

        /** What has happened since the pages were read shows only if the view is asked again. */
        @Test
        void opens_nothing_where_the_view_was_rebuilt_or_set_something_aside_while_it_was_read() {
            shop.hold("held", 1);
            shop.suspectPool();
            for (Passage after : List.of(
                    new Passage.Passed(List.of(), 1),
                    parked("reservation|r-1"),
                    new Passage.NotYet(new JournalPosition(0), "it is rebuilt"))) {
                shop.passage = new Passage.Passed(List.of(), 0);
                shop.whenReadNext = () -> shop.passage = after;
                assertThat(shop.attemptPool().orElseThrow()).as("%s", after).isInstanceOf(Outcome.Unavailable.class);
                assertThat(seen().trusted()).isFalse();
            }
            shop.passage = new Passage.Passed(List.of(), 1);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }

        /** The last second held X and released Y: the sums are equal, the fence of X is gone. */
        @Test
        void opens_nothing_when_redis_restarts_after_the_last_look_with_losses_that_offset_each_other() {
            String y = shop.hold("y", 1);
            var before = shop.redis.snapshot();
            String x = shop.hold("x", 1);
            shop.give(y, new OrderCreatedFailed(Shop.ORDER, "no"));
            shop.run(y);
            String last = shop.reserve("owes-a-try", 1);
            shop.suspectPool();
            shop.whenAskedAgain = () -> {
                shop.redis.restore(before);
                shop.redis.restart();
            };
            assertThat(shop.attemptPool().orElseThrow())
                    .isInstanceOfSatisfying(
                            Outcome.Unavailable.class,
                            starts -> assertThat(starts.why()).contains("NotFrozen"));
            assertThat(seen().trusted()).isFalse();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            assertThat(report().first())
                    .extracting(DifferenceReport.Difference::reservationId)
                    .contains(x)
                    .doesNotContain(last);
        }

        @Test
        void opens_nothing_when_it_comes_late_after_another_attempt_has_opened_the_pool() {
            shop.hold("held", 1);
            shop.suspectPool();
            StockPool suspect = shop.pool;
            var before = new AtomicReference<>(shop.redis.snapshot());
            shop.whenAskedAgain = () -> {
                shop.runPool();
                assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
                before.set(shop.redis.snapshot());
                shop.hold("after", 1);
                shop.redis.restore(before.get());
                shop.redis.restart();
                shop.pool = suspect;
            };
            assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
            assertThat(seen().trusted()).isFalse();
            shop.runPool();
            assertThat(report().differing()).isEqualTo(1);
        }

        @Test
        void starts_over_when_redis_restarts_in_the_middle() {
            shop.redis.restart();
            shop.suspectPool();
            shop.passage = new Passage.NotYet(new JournalPosition(3), "slow");
            shop.attemptPool();
            shop.redis.restart();
            shop.passage = new Passage.Passed(List.of(), 0);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(seen().trusted()).isTrue();
        }
    }

    /** Scripts of which every look is refused so many times before it is answered. */
    private static StockScripts refusingLooks(RedisModel model, int times) {
        Map<Object, Integer> asked = new HashMap<>();
        return (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(),
                new Class<?>[] {StockScripts.class},
                (_, method, arguments) ->
                        arguments[0] instanceof LookRequest && asked.merge(arguments[0], 1, Integer::sum) <= times
                                ? CompletableFuture.completedFuture(Outcome.unavailable("Request queue size exceeded"))
                                : method.invoke(model, arguments));
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 8})
    void a_look_that_is_refused_is_repeated_after_growing_pauses_and_not_for_ever(int times) {
        try (RedisModel model = new RedisModel();
                Shop busy = new Shop(refusingLooks(model, times))) {
            busy.give(new PoolOperation.Init("init-1", 10));
            busy.runPool();
            busy.hold("a", 1);
            busy.suspectPool();
            busy.runPool();
            assertThat(busy.pool.status()).isEqualTo(times < 8 ? StockPool.Status.OPEN : StockPool.Status.SUSPECT);
            assertThat(busy.pauses).hasSize(7).isSorted().last().isEqualTo(Duration.ofSeconds(2));
        }
    }

    @Nested
    class A_pool_that_stays_different {

        private void compare(int times) {
            for (int i = 0; i < times; i++) {
                shop.attemptPool()
                        .map(outcome -> ((Outcome.Known<StockPoolCommand>) outcome).value())
                        .ifPresent(shop::give);
            }
        }

        @Test
        void journals_what_it_differs_in_once() {
            String lost = shop.hold("lost", 1);
            shop.redis.remove("hf:{" + Shop.POOL.value() + "}:r:" + lost);
            shop.suspectPool();
            shop.runPool();
            shop.give(new StockPoolCommand.Verify());
            int journaled = shop.poolJournal.size();
            compare(10);
            assertThat(shop.poolJournal).hasSize(journaled);
            String another = shop.hold("another", 1);
            assertThat(shop.reservation(another).status()).isEqualTo(Status.PREPARING);
            compare(10);
            assertThat(shop.poolJournal).hasSize(journaled + 1);
            assertThat(report().compared()).isEqualTo(2);
        }

        @Test
        void tells_a_reservation_once_for_as_long_as_redis_keeps_it_frozen() {
            shop.reserve("not-tried", 1);
            shop.redis.put("hf:{" + Shop.POOL.value() + "}:stock", "available", "9");
            shop.suspectPool();
            shop.runPool();
            shop.give(new StockPoolCommand.Verify());
            compare(5);
            assertThat(tellings()).isEqualTo(1);
            shop.redis.restart();
            compare(5);
            assertThat(tellings()).isEqualTo(2);
        }

        private long tellings() {
            return shop.reservationJournal.stream()
                    .filter(ReservationEvent.VerificationSeen.class::isInstance)
                    .count();
        }
    }

    /** An attempt that opened the pool unheard: what Redis served since counts for the journal only if the reservation is told anew. */
    @Test
    void a_reservation_is_told_again_once_the_pool_was_served_in_between() {
        String id = shop.reserve("in-flight", 1);
        shop.suspectPool();
        StockPool suspect = shop.pool;
        shop.attemptPool();
        assertThat(seen().trusted()).isTrue();
        long told = shop.reservation(id).asked().orElseThrow().generation();
        shop.pool = suspect;
        shop.attemptPool();
        assertThat(shop.reservation(id).asked().orElseThrow().generation()).isNotEqualTo(told);
    }

    @Test
    void a_pool_frozen_under_the_same_process_is_frozen_in_redis_too() {
        shop.hold("a", 1);
        shop.suspectPool();
        shop.passage = new Passage.NotYet(new JournalPosition(3), "slow");
        shop.attemptPool();
        assertThat(seen().status()).isEqualTo(PoolStatus.SUSPECT);
        assertThat(seen().trusted()).isFalse();
    }
}
