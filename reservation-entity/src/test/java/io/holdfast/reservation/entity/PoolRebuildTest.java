package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.Passage;
import io.holdfast.lua.Fence;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.AnsweredUnder;
import io.holdfast.reservation.domain.ReservationCommand.Freeze;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.Lift;
import io.holdfast.reservation.domain.ReservationCommand.SeeEpoch;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.Resolution;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildAnswered;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildResult;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoolRebuildTest {

    private static final String STOCK = "hf:{" + Shop.POOL.value() + "}:stock";

    private final Shop shop = open(20, null);

    private static Shop open(long total, @org.jspecify.annotations.Nullable StockScripts scripts) {
        Shop shop = new Shop(scripts, EffectPolicies.Rebuild.AUTOMATIC);
        shop.give(new PoolOperation.Init("init-1", total));
        shop.runPool();
        return shop;
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private static LookReply.Seen seen(Shop shop, String reservation) {
        var outcome = shop.redis
                .look(new LookRequest(Shop.POOL.value(), reservation))
                .toCompletableFuture()
                .join();
        return (LookReply.Seen) ((Outcome.Known<LookReply>) outcome).value();
    }

    private Optional<Fence> fence(String reservation) {
        return seen(shop, reservation).fence();
    }

    private Books books() {
        return ScriptAnswers.books(seen(shop, "none").books());
    }

    private static String fenceKey(String reservation) {
        return "hf:{" + Shop.POOL.value() + "}:r:" + reservation;
    }

    private long rebuilds() {
        return shop.poolJournal.stream().filter(PoolRebuilt.class::isInstance).count();
    }

    private void lose() {
        shop.redis.wipe();
        shop.redis.restart();
        shop.suspectPool();
    }

    /** Redis has what the journals say, fence by fence and in sum. */
    private static void agrees(Shop shop) {
        long reserved = 0;
        long sold = 0;
        for (Reservation reservation : shop.reservations.values()) {
            Fences.Units units =
                    Fences.agreed(reservation, seen(shop, reservation.id()).fence());
            reserved += units.reserved();
            sold += units.sold();
        }
        var books = ScriptAnswers.books(seen(shop, "none").books());
        assertThat(books)
                .isEqualTo(Books.expected(
                        books.epoch(),
                        books.version(),
                        shop.pool.totals().orElseThrow().total(),
                        reserved,
                        sold));
    }

    private void everythingEnds() {
        shop.reservations.keySet().forEach(shop::run);
        assertThat(shop.reservations.values())
                .extracting(Reservation::status)
                .doesNotContain(
                        Status.PREPARING, Status.CONFIRMING, Status.CANCELING, Status.REFUNDING, Status.MANUAL_REVIEW);
        agrees(shop);
    }

    @Nested
    class Without_a_person {

        @Test
        void a_pool_that_redis_lost_whole_is_loaded_with_reservations_in_every_state_and_all_of_them_go_on() {
            shop.everyKindOfReservation();
            lose();
            shop.runPool();
            assertThat(shop.pool.status()).as("%s", shop.pool).isEqualTo(StockPool.Status.OPEN);
            assertThat(seen(shop, "none").trusted()).isTrue();
            assertThat(books().epoch()).isEqualTo(2);
            agrees(shop);
            everythingEnds();
            assertThat(rebuilds()).isEqualTo(1);
        }

        @Test
        void a_hold_that_redis_lost_after_it_was_answered_is_there_again_and_nobody_else_gets_its_unit() {
            shop.hold("kept", 4);
            var before = shop.redis.snapshot();
            String lost = shop.hold("lost", 16);
            shop.redis.restore(before);
            shop.redis.restart();
            String greedy = shop.reserve("greedy", 6);
            shop.run(greedy);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(fence(lost).orElseThrow().left()).isEqualTo(16);
            shop.run(greedy);
            assertThat(shop.reservation(greedy).status()).isEqualTo(Status.REJECTED);
            agrees(shop);
        }

        @Test
        void a_single_fence_that_is_gone_is_restored_and_the_operation_that_missed_it_goes_on_by_itself() {
            shop.hold("other", 3);
            String id = shop.hold("a", 2);
            shop.redis.remove(fenceKey(id));
            shop.give(id, new OrderCreatedFailed(Shop.ORDER, "no"));
            shop.run(id);
            assertThat(shop.suspicions).singleElement().asString().startsWith("MISSING");
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            shop.run(id);
            assertThat(shop.reservation(id).status()).isEqualTo(Status.CANCELED);
            agrees(shop);
        }

        @Test
        void numbers_that_drifted_are_those_of_the_journals_again() {
            String id = shop.hold("a", 3);
            shop.redis.put(STOCK, "reserved", "1");
            shop.give(id, new OrderCreatedFailed(Shop.ORDER, "no"));
            shop.run(id);
            shop.runPool();
            shop.run(id);
            assertThat(shop.reservation(id).status()).isEqualTo(Status.CANCELED);
            assertThat(books().available()).isEqualTo(20);
            agrees(shop);
        }

        @Test
        void what_redis_did_and_no_journal_knows_is_undone_and_asked_for_again() {
            String unheard = shop.reserve("unheard", 5);
            shop.attemptAndLoseTheAnswer(unheard);
            String gone = shop.hold("gone", 1);
            shop.redis.remove(fenceKey(gone));
            shop.suspectPool();
            shop.runPool();
            assertThat(fence(unheard)).isEmpty();
            assertThat(books().reserved()).isEqualTo(1);
            shop.run(unheard);
            assertThat(shop.reservation(unheard).status()).isEqualTo(Status.RESERVED);
            assertThat(books().reserved()).isEqualTo(6);
            agrees(shop);
        }

        @Test
        void a_fence_no_journal_knows_counts_no_more_and_does_not_answer_for_who_comes_later() {
            String stray = shop.hold("stray", 7);
            shop.reservations.remove(stray);
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().reserved()).isZero();
            assertThat(fence(stray)).isEmpty();
            assertThat(shop.hold("stray", 7)).isEqualTo(stray);
            assertThat(books().reserved()).isEqualTo(7);
            agrees(shop);
        }

        @Test
        void losses_that_offset_each_other_show_in_the_version() {
            var before = shop.redis.snapshot();
            String id = shop.hold("a", 1);
            shop.give(id, new OrderCreatedFailed(Shop.ORDER, "no"));
            shop.run(id);
            long version = books().version();
            shop.redis.restore(before);
            shop.redis.restart();
            shop.suspectPool();
            shop.runPool();
            assertThat(rebuilds()).isEqualTo(1);
            assertThat(books().version()).isGreaterThan(version);
        }

        @Test
        void a_deficit_is_what_it_was() {
            shop.hold("a", 18);
            shop.give(new PoolOperation.Adjust("less", 5, OptionalLong.empty()));
            shop.runPool();
            lose();
            shop.runPool();
            assertThat(books().deficit()).isEqualTo(13);
            assertThat(books().available()).isZero();
            agrees(shop);
        }

        @Test
        void a_redis_at_a_later_epoch_than_the_journal_is_overtaken() {
            shop.hold("a", 1);
            shop.redis.put(STOCK, "epoch", "7");
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().epoch()).isEqualTo(8);
            agrees(shop);
        }

        @Test
        void it_is_not_done_again_at_once_where_it_did_not_last() {
            String id = shop.hold("a", 1);
            lose();
            shop.runPool();
            shop.redis.remove(fenceKey(id));
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.SUSPECT);
            shop.now = Shop.NOW.plusSeconds(60);
            shop.give(new StockPoolCommand.WakeUp());
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(rebuilds()).isEqualTo(2);
        }

        @Test
        void reservations_of_more_than_one_page_and_chunk_are_loaded_each_once() {
            Shop big = open(5000, null);
            try (big) {
                for (int i = 0; i < 2300; i++) {
                    big.hold("item-" + i, 1);
                }
                big.redis.wipe();
                big.redis.restart();
                big.suspectPool();
                big.runPool();
                assertThat(big.pool.status()).isEqualTo(StockPool.Status.OPEN);
                assertThat(((PoolRebuilt) big.poolJournal.getLast()).fences()).isEqualTo(2300);
                agrees(big);
            }
        }
    }

    @Nested
    class While_an_operation_of_the_pool_is_in_flight {

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void an_adjustment_happens_once(boolean happened) {
            String id = shop.hold("a", 3);
            shop.give(new PoolOperation.Adjust("less", 6, OptionalLong.empty()));
            if (happened) {
                shop.attemptPool();
            }
            shop.redis.remove(fenceKey(id));
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books()).isEqualTo(Books.expected(2, books().version(), 6, 3, 0));
            assertThat(shop.pool.totals().orElseThrow().total()).isEqualTo(6);
            agrees(shop);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void a_pause_holds_afterwards(boolean happened) {
            String id = shop.hold("a", 3);
            shop.give(new PoolOperation.Pause("pause"));
            if (happened) {
                shop.attemptPool();
            }
            shop.redis.remove(fenceKey(id));
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.PAUSED);
            assertThat(seen(shop, "none").status()).isEqualTo(PoolStatus.PAUSED);
        }

        @Test
        void a_closed_pool_stays_closed_and_what_runs_in_it_ends() {
            String id = shop.hold("a", 3);
            shop.give(new PoolOperation.Close("close"));
            shop.runPool();
            lose();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.CLOSED);
            assertThat(seen(shop, "none").status()).isEqualTo(PoolStatus.CLOSED);
            shop.give(id, OrderCreated.whole(Shop.ORDER));
            shop.run(id);
            assertThat(shop.reservation(id).status()).isEqualTo(Status.CONFIRMED);
        }

        @Test
        void a_pool_with_a_gate_has_its_limit_and_window_again_also_where_redis_lost_everything() {
            var sale = new Sale(2, Shop.NOW, Shop.NOW.plusSeconds(60), 1);
            String kept = "2," + Shop.NOW.toEpochMilli() + ","
                    + Shop.NOW.plusSeconds(60).toEpochMilli();
            Shop fresh = new Shop(null, EffectPolicies.Rebuild.AUTOMATIC);
            try (fresh) {
                fresh.give(new PoolOperation.Init("init-1", 10, Optional.empty(), Optional.of(sale)));
                fresh.runPool();
                assertThat(fresh.redis.hash(STOCK)).containsEntry("sale", kept);
                fresh.redis.wipe();
                fresh.suspectPool();
                fresh.runPool();
                assertThat(fresh.pool.status()).isEqualTo(StockPool.Status.OPEN);
                assertThat(fresh.redis.hash(STOCK)).containsEntry("sale", kept).containsEntry("epoch", "2");
            }
        }

        @Test
        void a_pool_that_was_being_created_with_numbers_from_elsewhere_is_created_with_its_own() {
            Shop fresh = new Shop(null, EffectPolicies.Rebuild.AUTOMATIC);
            try (fresh) {
                fresh.give(new PoolOperation.Init("init-1", 10));
                fresh.attemptPool();
                fresh.redis.put(STOCK, "available", "3");
                fresh.redis.put(STOCK, "sold", "7");
                fresh.suspectPool();
                fresh.runPool();
                assertThat(fresh.pool.status()).isEqualTo(StockPool.Status.OPEN);
                assertThat(fresh.pool.latestBooks()).contains(Books.expected(2, 2, 10, 0, 0));
            }
        }
    }

    @Nested
    class Of_a_pool_that_is_being_created {

        /** The creation is done by the rebuild then, and nobody comes back to it. */
        @Test
        void the_final_stock_of_a_sale_is_set_out_as_by_its_creation() {
            try (Shop creating = new Shop(null, EffectPolicies.Rebuild.AUTOMATIC)) {
                var sale = new Sale(2, Shop.NOW, Shop.NOW.plusSeconds(60), 1);
                creating.give(new PoolOperation.Init("init-1", 20, Optional.empty(), Optional.of(sale)));
                creating.give(new StockPoolCommand.Rebuild());
                creating.runPool();

                assertThat(creating.pool).isInstanceOf(StockPool.Open.class);
                assertThat(creating.finalStock)
                        .containsExactly(
                                "at least 20 by INIT:init-1, the pool not there",
                                "exactly 20 by INIT:init-1, the pool there");
            }
        }

        @Test
        void one_without_a_sale_has_no_final_stock() {
            try (Shop creating = new Shop(null, EffectPolicies.Rebuild.AUTOMATIC)) {
                creating.give(new PoolOperation.Init("init-1", 20));
                creating.give(new StockPoolCommand.Rebuild());
                creating.runPool();

                assertThat(creating.pool).isInstanceOf(StockPool.Open.class);
                assertThat(creating.finalStock).isEmpty();
            }
        }
    }

    @Nested
    class Asked_for {

        @Test
        void of_a_pool_that_is_well_it_changes_nothing_but_the_epoch() {
            shop.everyKindOfReservation();
            Books before = books();
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().epoch()).isEqualTo(before.epoch() + 1);
            agrees(shop);
            everythingEnds();
        }

        @Test
        void calls_of_the_epoch_before_change_nothing_and_are_told_the_one_of_now() {
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            Books before = books();
            assertThat(shop.redis
                            .tryHold(new TryRequest(Shop.POOL.value(), 1, "late", 1, Shop.NOW))
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(Outcome.known(new GuardRefusal.StaleEpoch(2)));
            assertThat(books()).isEqualTo(before);
            String id = shop.hold("a", 1);
            assertThat(shop.reservation(id).latestBooks().orElseThrow().epoch()).isEqualTo(2);
        }

        @Test
        void an_outcome_from_before_it_is_not_recorded_and_the_operation_is_asked_for_again() {
            String id = shop.reserve("a", 1);
            Outcome<ReservationCommand> late = shop.attempt(id).orElseThrow();
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            assertThat(books().reserved()).isZero();
            shop.give(id, new AnsweredUnder(0, new HoldAnswered(new HoldAnswer.Granted(books()))));
            shop.give(id, ((Outcome.Known<ReservationCommand>) generation(0, late)).value());
            assertThat(shop.reservation(id).status()).isEqualTo(Status.PREPARING);
            shop.run(id);
            assertThat(shop.reservation(id).status()).isEqualTo(Status.RESERVED);
            agrees(shop);
        }

        private static Outcome<ReservationCommand> generation(long number, Outcome<ReservationCommand> outcome) {
            return outcome.map(answer -> new AnsweredUnder(number, answer));
        }

        @Test
        void tells_only_reservations_that_owe_something() {
            shop.hold("held", 1);
            shop.reserve("owing", 1);
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            assertThat(shop.reservationJournal)
                    .filteredOn(ReservationEvent.EpochSeen.class::isInstance)
                    .hasSize(1);
        }

        @Test
        void costs_a_reservation_that_goes_on_after_it_one_line_of_its_journal() {
            String held = shop.hold("held", 1);
            String owing = shop.reserve("owing", 1);
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            shop.reservationJournal.clear();
            shop.run(owing);
            String later = shop.hold("later", 1);
            assertThat(shop.reservationJournal)
                    .as("told by the rebuild, and asked for since")
                    .noneMatch(ReservationEvent.EpochSeen.class::isInstance);
            for (Fact fact : List.of(OrderCreated.whole(Shop.ORDER), new OrderCanceled(Optional.empty(), "no"))) {
                shop.give(held, fact);
                shop.run(held);
            }
            assertThat(shop.reservationJournal)
                    .filteredOn(ReservationEvent.EpochSeen.class::isInstance)
                    .containsExactly(new ReservationEvent.EpochSeen(0, Shop.POOL, 2));
            assertThat(shop.reservation(owing).status()).isEqualTo(Status.RESERVED);
            assertThat(shop.reservation(later).status()).isEqualTo(Status.RESERVED);
            assertThat(shop.reservation(held).status()).isEqualTo(Status.REFUNDED);
            agrees(shop);
        }

        /** What a node has that was cut off from the fleet: it can't write the journal of a reservation that others have taken over. */
        @Test
        void a_copy_of_a_reservation_that_was_left_behind_moves_nothing_under_the_new_epoch() {
            for (String ending : List.of("canceled", "refunded", "denied", "by-hand")) {
                String id = shop.reserve(ending, ending.equals("denied") ? 100 : 1);
                Reservation leftBehind = shop.reservation(id);
                switch (ending) {
                    case "canceled" -> {
                        shop.run(id);
                        shop.give(id, new OrderCreatedFailed(Shop.ORDER, "no"));
                    }
                    case "refunded" -> {
                        shop.run(id);
                        shop.give(id, new OrderCanceled(Optional.of(Shop.ORDER), "no"));
                    }
                    case "by-hand" -> {
                        shop.give(id, new Freeze("disputed"));
                        shop.give(id, new Lift(new Resolution.StandAs(Resolution.Ending.CANCELED), "gone"));
                    }
                    default -> {}
                }
                shop.run(id);
                Reservation ended = shop.reservation(id);
                shop.give(new StockPoolCommand.Rebuild());
                shop.runPool();
                Books before = books();
                shop.reservations.put(id, leftBehind);
                assertThat(shop.attempt(id))
                        .as(ending)
                        .contains(Outcome.known(new SeeEpoch(0, new PoolEpoch(Shop.POOL, before.epoch()))));
                assertThat(books()).as(ending).isEqualTo(before);
                assertThat(seen(shop, id).fence()).as(ending).isEmpty();
                shop.reservations.put(id, ended);
                agrees(shop);
            }
        }

        @Test
        void an_operation_that_waits_for_a_review_has_not_happened_and_happens_once_when_that_is_over() {
            String id = shop.reserve("a", 2);
            shop.attemptAndLoseTheAnswer(id);
            shop.give(id, new Freeze("disputed"));
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            assertThat(books().reserved()).isZero();
            shop.give(id, new Lift(new Resolution.Continue(), "clear"));
            shop.run(id);
            assertThat(books().reserved()).isEqualTo(2);
            agrees(shop);
        }
    }

    /** What a node has that was cut off from the fleet: it can't write the journal of a pool that others have taken over. */
    @Nested
    class By_a_copy_that_was_left_behind {

        @Test
        void opens_nothing_after_the_pool_was_loaded_changed_and_lost_again() {
            shop.hold("held", 2);
            shop.give(new StockPoolCommand.Rebuild());
            StockPoolEffect leftBehind = shop.owedByPool();
            shop.runPool();
            shop.give(new PoolOperation.Adjust("more", 30, OptionalLong.empty()));
            shop.runPool();
            shop.now = Shop.NOW.plusSeconds(3600);
            shop.redis.wipe();

            assertThat(shop.attemptPoolLeftBehind(leftBehind)).isInstanceOf(Outcome.Unavailable.class);

            assertThat(seen(shop, "none").status()).isEqualTo(PoolStatus.REBUILDING);
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().epoch()).isEqualTo(3);
            assertThat(books().total()).isEqualTo(30);
            agrees(shop);
        }

        @Test
        void opens_nothing_that_was_closed_since_it_was_to_be_compared() {
            shop.redis.restart();
            shop.suspectPool();
            StockPoolEffect leftBehind = shop.owedByPool();
            shop.runPool();
            shop.give(new PoolOperation.Close("close"));
            shop.runPool();
            shop.redis.restart();

            assertThat(shop.attemptPoolLeftBehind(leftBehind)).isInstanceOf(Outcome.Unavailable.class);

            assertThat(seen(shop, "none").trusted()).isFalse();
            shop.suspectPool();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.CLOSED);
            assertThat(seen(shop, "none").status()).isEqualTo(PoolStatus.CLOSED);
        }
    }

    @Nested
    class Of_a_group {

        @Test
        void a_line_that_is_held_because_its_group_is_has_its_fence_and_its_units_again() {
            List<String> lines = shop.reserveTogether(2, 3);
            shop.run(lines.getFirst());
            assertThat(shop.reservation(lines.getLast()).status()).isEqualTo(Status.PREPARING);
            lose();
            shop.runPool();
            assertThat(books().reserved()).isEqualTo(5);
            agrees(shop);
            shop.run(lines.getLast());
            assertThat(shop.reservation(lines.getLast()).status()).isEqualTo(Status.RESERVED);
            assertThat(shop.reservation(lines.getLast())
                            .latestBooks()
                            .orElseThrow()
                            .epoch())
                    .isEqualTo(2);
            assertThat(books().reserved()).isEqualTo(5);
            agrees(shop);
        }

        @Test
        void that_was_held_in_redis_and_in_no_journal_is_held_no_more_and_is_decided_anew() {
            List<String> lines = shop.reserveTogether(2, 3);
            shop.attemptAndLoseTheAnswer(lines.getFirst());
            assertThat(books().reserved()).isEqualTo(5);
            lose();
            shop.runPool();
            assertThat(books().reserved()).isZero();
            shop.hold("quicker", 18);
            lines.forEach(shop::run);
            assertThat(lines)
                    .allSatisfy(id -> assertThat(shop.reservation(id).status()).isEqualTo(Status.REJECTED));
            agrees(shop);
        }
    }

    @Nested
    class An_attempt {

        @Test
        void whose_opening_was_not_heard_is_answered_by_the_next() {
            shop.hold("a", 2);
            shop.give(new StockPoolCommand.Rebuild());
            Outcome<StockPoolCommand> first = shop.attemptPool().orElseThrow();
            assertThat(first).isInstanceOf(Outcome.Known.class);
            assertThat(shop.attemptPool().orElseThrow()).isEqualTo(first);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            agrees(shop);
        }

        @Test
        void is_not_answered_by_one_in_another_process() {
            shop.hold("a", 2);
            shop.give(new StockPoolCommand.Rebuild());
            shop.attemptPool();
            shop.redis.remove(fenceKey(shop.reservations.keySet().iterator().next()));
            shop.redis.restart();
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            agrees(shop);
        }

        @Test
        void opens_nothing_when_redis_restarts_or_is_flushed_in_the_middle_and_the_next_one_does() {
            shop.hold("a", 2);
            for (Runnable mishap : List.<Runnable>of(shop.redis::restart, shop.redis::wipe, () -> {
                shop.redis.wipe();
                shop.redis.restart();
            })) {
                shop.give(new StockPoolCommand.Rebuild());
                shop.whenAskedAgain = mishap;
                assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
                shop.runPool();
                assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
                agrees(shop);
            }
        }

        @Test
        void that_another_has_overtaken_opens_nothing() {
            shop.hold("a", 2);
            shop.give(new StockPoolCommand.Rebuild());
            shop.whenAskedAgain = () -> {
                shop.runPool();
                assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
                shop.hold("after", 1);
            };
            assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
            assertThat(books().reserved()).isEqualTo(3);
            agrees(shop);
        }

        @Test
        void reads_the_view_only_when_it_is_whole() {
            shop.hold("a", 1);
            shop.give(new StockPoolCommand.Rebuild());
            for (Passage notWhole : List.of(
                    new Passage.NotYet(new JournalPosition(3), "it is at 3"),
                    new Passage.Passed(
                            List.of(new ParkedEntity(
                                    "reservation_view", "reservation|r-1", 1, "unreadable", 1, Shop.NOW, Shop.NOW)),
                            0))) {
                shop.passage = notWhole;
                assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
                assertThat(seen(shop, "none").status()).isEqualTo(PoolStatus.REBUILDING);
                shop.passage = new Passage.Passed(List.of(), 0);
                shop.whenReadNext = () -> shop.passage = notWhole;
                assertThat(shop.attemptPool().orElseThrow()).isInstanceOf(Outcome.Unavailable.class);
                assertThat(seen(shop, "none").status()).isEqualTo(PoolStatus.REBUILDING);
            }
            shop.passage = new Passage.Passed(List.of(), 1);
            shop.runPool();
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        }

        @ParameterizedTest
        @ValueSource(ints = {7, 8})
        void asks_for_a_chunk_again_after_growing_pauses_and_not_for_ever(int times) {
            List<Object> refused = new ArrayList<>();
            try (RedisModel model = new RedisModel();
                    Shop busy = open(10, refusingChunks(model, refused, times))) {
                busy.hold("a", 1);
                busy.give(new StockPoolCommand.Rebuild());
                assertThat(busy.attemptPool().orElseThrow() instanceof Outcome.Known)
                        .isEqualTo(times < 8);
                assertThat(busy.pauses).hasSize(7).isSorted().last().isEqualTo(Duration.ofSeconds(2));
                busy.runPool();
                assertThat(busy.pool.status()).isEqualTo(StockPool.Status.OPEN);
            }
        }

        private static StockScripts refusingChunks(RedisModel model, List<Object> refused, int times) {
            return (StockScripts) Proxy.newProxyInstance(
                    StockScripts.class.getClassLoader(),
                    new Class<?>[] {StockScripts.class},
                    (_, method, arguments) -> {
                        if (arguments[0] instanceof PoolRebuildLoadRequest && refused.size() < times) {
                            refused.add(arguments[0]);
                            return CompletableFuture.completedFuture(
                                    Outcome.unavailable("Request queue size exceeded"));
                        }
                        return method.invoke(model, arguments);
                    });
        }

        @Test
        void of_an_earlier_rebuild_says_nothing_of_this_one() {
            shop.give(new StockPoolCommand.Rebuild());
            shop.runPool();
            Books old = books();
            shop.give(new StockPoolCommand.Rebuild());
            shop.give(new RebuildAnswered(1, new RebuildResult.Opened(old, 0)));
            assertThat(shop.pool.status()).isEqualTo(StockPool.Status.REBUILDING);
        }
    }

    /** Whatever the lives of its reservations, a pool that lost everything has what their journals say, and they go on. */
    @Test
    void random_days_end_the_same_with_a_loss_at_any_point() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            try (Shop day = open(30, null)) {
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    happens(day, random, ids, i);
                }
                day.now = Shop.NOW.plusSeconds(3600);
                day.redis.wipe();
                day.redis.restart();
                day.suspectPool();
                day.runPool();
                assertThat(day.pool.status()).as("seed %d: %s", seed, day.pool).isEqualTo(StockPool.Status.OPEN);
                agrees(day);
                day.reservations.keySet().forEach(day::run);
                agrees(day);
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
    }

    private static void happens(Shop day, Random random, List<String> ids, int step) {
        if (ids.isEmpty() || random.nextInt(3) == 0) {
            String id = day.reserve("item-" + step, 1 + random.nextInt(3));
            ids.add(id);
            outcome(day, random, id);
            return;
        }
        String id = ids.get(random.nextInt(ids.size()));
        switch (random.nextInt(7)) {
            case 0, 1 -> day.give(id, OrderCreated.whole(Shop.ORDER));
            case 2 -> day.give(id, new OrderCreated(Shop.ORDER, OptionalLong.of(1)));
            case 3 -> day.give(id, new OrderCreatedFailed(Shop.ORDER, "no"));
            case 4, 5 ->
                day.give(
                        id,
                        new RefundRequested(
                                Optional.of(Shop.ORDER), "r-" + random.nextInt(3), 1, random.nextInt(3) > 0));
            default -> {
                day.now = day.now.plusSeconds(120);
                if (random.nextInt(4) == 0) {
                    day.redis.wipe();
                    day.suspectPool();
                    day.runPool();
                }
            }
        }
        outcome(day, random, id);
    }

    private static void outcome(Shop day, Random random, String id) {
        switch (random.nextInt(4)) {
            case 0 -> {}
            case 1 -> day.attempt(id);
            default -> day.run(id);
        }
    }
}
