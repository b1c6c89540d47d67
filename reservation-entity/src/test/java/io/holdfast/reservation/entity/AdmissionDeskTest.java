package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.Books;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenReply;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import io.holdfast.reservation.entity.AdmissionSettings.AnswerAfter;
import io.holdfast.reservation.port.GatePressure;
import io.holdfast.reservation.port.Pause;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The gate of a node over the real scripts. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AdmissionDeskTest {

    private static final PoolId POOL = PoolId.parse("spring:shoes");
    private static final Instant OPENS = Instant.parse("2026-11-30T12:00:00Z");
    private static final Sale SALE = new Sale(2, OPENS, OPENS.plusSeconds(600), 1);

    private static final Reservation SOME = new ReservationMachine(EffectPolicies.standard()).initial("some");

    private final RedisModel redis = new RedisModel();
    private final KnownPools pools =
            KnownPools.of(POOL, new PoolStanding.Serving(1, Optional.empty(), Optional.of(SALE)));
    private final SaleKeys keys = new SaleKeys(Map.of(1, new byte[] {1}));
    private final List<Adopt> told = new ArrayList<>();
    private final List<Answer> heard = new ArrayList<>();
    private Instant now = OPENS.plusSeconds(1);
    private long nanos;
    private Optional<GatePressure.Reason> pressure = Optional.empty();
    private CompletionStage<Outcome<Reservation>> journal = CompletableFuture.completedFuture(Outcome.known(SOME));
    private final HandOver handOver = new HandOver(redis, keys, this::adopt, () -> now);

    AdmissionDeskTest() {
        redis.poolInit(new PoolInitRequest(
                POOL.value(),
                1,
                "init",
                3,
                Optional.of(new io.holdfast.lua.Sale(SALE.limit(), SALE.opensAt(), SALE.closesAt())),
                OPENS));
    }

    /** A sale with one pool never asks it for units of others. */
    private record NoPools() implements Entities<StockPool, StockPoolCommand> {
        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> ask(
                String entityId, Cause cause, StockPoolCommand command, Duration patience) {
            throw new AssertionError("asked " + entityId + " for " + command);
        }

        @Override
        public CompletionStage<Outcome<Reply<StockPool>>> look(String entityId) {
            throw new AssertionError("looked at " + entityId);
        }
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private CompletionStage<Outcome<Reservation>> adopt(Adopt adopt) {
        told.add(adopt);
        return journal;
    }

    private AdmissionDesk desk(AnswerAfter after, int adopting) {
        return new AdmissionDesk(
                pools,
                keys,
                redis,
                handOver,
                _ -> pressure,
                new AdmissionSettings(
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(5),
                        after,
                        Duration.ofMillis(200),
                        adopting,
                        Duration.ofSeconds(10)),
                new AdmissionListener() {
                    @Override
                    public void answered(Answer answer) {
                        heard.add(answer);
                    }

                    @Override
                    public void told(boolean journaled, Duration took) {}
                },
                () -> now,
                () -> nanos,
                new SaleBuckets(redis, new NoPools(), pools, Pause.real(), () -> "move", MoveListener.none()));
    }

    private final AdmissionDesk desk = desk(AnswerAfter.ADMIT, 100);

    private Answer ask(AdmissionDesk at, String user, String request, long quantity) {
        return at.admit(new Wish("spring", "shoes", user, request, quantity), Duration.ofMillis(20))
                .toCompletableFuture()
                .join();
    }

    private Answer ask(String user, String request, long quantity) {
        return ask(desk, user, request, quantity);
    }

    private String id(String user, String request) {
        return keys.reservation(1, "spring", "shoes", user, request);
    }

    private String available() {
        return redis.hash("hf:{spring:shoes}:stock").getOrDefault("available", "");
    }

    @Test
    void who_is_let_in_is_told_to_the_reservation_at_once_and_hears_the_same_again() {
        Answer first = ask("ann", "q1", 2);
        assertThat(first).isInstanceOfSatisfying(Answer.Queued.class, queued -> {
            assertThat(queued.reservation()).isEqualTo(id("ann", "q1"));
            assertThat(queued.deadline()).isEqualTo(now.plus(Duration.ofMinutes(5)));
            assertThat(queued.repeated()).isFalse();
        });
        assertThat(told).singleElement().satisfies(adopt -> {
            assertThat(adopt.order().reservationId()).isEqualTo(id("ann", "q1"));
            assertThat(adopt.order().userId()).isEqualTo("ann");
            assertThat(adopt.pool()).isEqualTo(POOL);
        });
        now = now.plusSeconds(30);
        Answer.Queued queued = (Answer.Queued) first;
        assertThat(ask("ann", "q1", 2))
                .isEqualTo(new Answer.Queued(
                        queued.reservation(), queued.deadline(), queued.at(), queued.books(), true, false));
        assertThat(told).as("a repeat costs no journal write").hasSize(1);
        assertThat(heard).hasSize(2);
    }

    @Test
    void each_reason_to_be_turned_away_has_its_answer_and_nothing_is_written() {
        ask("ann", "q1", 2);
        assertThat(ask("ann", "q2", 1)).isEqualTo(new Answer.LimitReached(2, 2));
        assertThat(ask("bob", "q1", 2)).isEqualTo(new Answer.SoldOut());
        assertThat(ask("ann", "q1", 1)).isEqualTo(new Answer.RequestReused(id("ann", "q1"), 2));
        redis.poolStatus(new PoolStatusRequest(POOL.value(), 1, "pause", PoolStatus.PAUSED, now));
        assertThat(ask("cid", "q1", 1)).isEqualTo(new Answer.Paused());
        assertThat(ask("ann", "q1", 2)).isInstanceOf(Answer.Queued.class);
        pools.stands(POOL, new PoolStanding.Serving(1));
        redis.poolStatus(new PoolStatusRequest(POOL.value(), 1, "resume", PoolStatus.OPEN, now));
        assertThat(ask("cid", "q1", 1)).isEqualTo(new Answer.NoSale());
        assertThat(available()).isEqualTo("1");
        assertThat(told).hasSize(1);
    }

    @Test
    void a_repeat_after_the_deadline_of_what_was_loaded_anew_since_hears_that_it_is_in_and_journaled() {
        Instant deadline = now.plus(Duration.ofMinutes(5));
        now = deadline.plusSeconds(30);
        rebuilt(new JournaledFence(
                id("ann", "q1"),
                Phase.RESERVED,
                2,
                0,
                0,
                0,
                new Books(1, 2, 3, 0, 1, 2, 0),
                new Books(1, 2, 3, 0, 1, 2, 0),
                Optional.of(new JournaledFence.Admitted("ann", "q1", deadline)),
                List.of()));
        now = now.plusSeconds(30);
        assertThat(ask(desk(AnswerAfter.ADOPT, 100), "ann", "q1", 2))
                .isInstanceOfSatisfying(Answer.Queued.class, queued -> {
                    assertThat(queued.reservation()).isEqualTo(id("ann", "q1"));
                    assertThat(queued.deadline()).isEqualTo(deadline);
                    assertThat(queued.repeated()).isTrue();
                    assertThat(queued.journaled()).isTrue();
                });
        assertThat(told).isEmpty();
    }

    /** The pool is loaded anew with this hold. */
    private void rebuilt(JournaledFence fence) {
        String pool = POOL.value();
        redis.poolRebuildBegin(new PoolRebuildBeginRequest(pool, 2, "again", now));
        redis.poolRebuildLoad(new PoolRebuildLoadRequest(pool, 2, "again", 1, List.of(fence), now));
        var opened = redis.poolRebuildOpen(new PoolRebuildOpenRequest(
                        pool,
                        2,
                        "again",
                        1,
                        1,
                        0,
                        9,
                        3,
                        0,
                        3 - fence.quantity(),
                        fence.quantity(),
                        0,
                        1,
                        PoolStatus.OPEN,
                        Optional.of(new io.holdfast.lua.Sale(SALE.limit(), SALE.opensAt(), SALE.closesAt())),
                        now))
                .toCompletableFuture()
                .join();
        assertThat(opened)
                .isInstanceOfSatisfying(
                        Outcome.Known.class,
                        known -> assertThat(known.value()).isInstanceOf(PoolRebuildOpenReply.Opened.class));
        pools.stands(POOL, new PoolStanding.Serving(2, Optional.empty(), Optional.of(SALE)));
    }

    @Test
    void a_window_is_kept_to_the_millisecond() {
        now = OPENS.minusSeconds(60);
        assertThat(ask("ann", "q1", 1)).isEqualTo(new Answer.NotStarted(OPENS));
        now = OPENS.minusMillis(1);
        assertThat(ask("ann", "q1", 1)).isEqualTo(new Answer.NotStarted(OPENS));
        now = OPENS;
        assertThat(ask("ann", "q1", 1)).isInstanceOf(Answer.Queued.class);
        now = SALE.closesAt().minusMillis(1);
        assertThat(ask("bob", "q1", 1)).isInstanceOf(Answer.Queued.class);
        now = SALE.closesAt();
        assertThat(ask("cid", "q1", 1)).isEqualTo(new Answer.Closed());
        assertThat(ask("bob", "q1", 1)).isInstanceOf(Answer.Queued.class);
    }

    @Test
    void a_short_pool_is_looked_at_for_a_while_and_a_unit_that_comes_back_waits_for_nothing() {
        ask("ann", "q1", 2);
        ask("bob", "q1", 1);
        assertThat(ask("cid", "q1", 1)).isEqualTo(new Answer.SoldOut());
        assertThat(ask("cid", "q1", 1)).isEqualTo(new Answer.SoldOut());
        assertThat(ask("ann", "q1", 2)).as("let in before").isInstanceOf(Answer.Queued.class);
        redis.poolAdjust(new io.holdfast.lua.PoolAdjustRequest(POOL.value(), 1, "more", 4, 2, now));
        assertThat(ask("cid", "q1", 1)).isInstanceOf(Answer.Queued.class);
        nanos += Duration.ofMillis(201).toNanos();
        assertThat(ask("dan", "q1", 1)).isEqualTo(new Answer.SoldOut());
    }

    @Test
    void while_something_is_behind_only_those_go_on_who_were_let_in_before() {
        ask("ann", "q1", 1);
        for (GatePressure.Reason reason : GatePressure.Reason.values()) {
            pressure = Optional.of(reason);
            assertThat(ask("bob", "q1", 1)).isEqualTo(new Answer.HeldBack(reason));
            assertThat(ask("ann", "q1", 1)).isInstanceOf(Answer.Queued.class);
        }
        now = SALE.closesAt();
        assertThat(ask("bob", "q1", 1)).isEqualTo(new Answer.Closed());
        assertThat(available()).isEqualTo("2");
    }

    @Test
    void a_node_hands_over_only_so_many_at_a_time() {
        journal = new CompletableFuture<>();
        AdmissionDesk narrow = desk(AnswerAfter.ADMIT, 1);
        assertThat(ask(narrow, "ann", "q1", 1)).isInstanceOf(Answer.Queued.class);
        assertThat(narrow.adopting()).isEqualTo(1);
        assertThat(ask(narrow, "bob", "q1", 1)).isEqualTo(new Answer.HeldBack(GatePressure.Reason.HAND_OFF));
        journal.toCompletableFuture().complete(Outcome.unavailable("no journal"));
        assertThat(narrow.adopting()).isZero();
        assertThat(ask(narrow, "bob", "q1", 1)).isInstanceOf(Answer.Queued.class);
    }

    @Test
    void where_the_journal_is_waited_for_nobody_is_queued_before_it_has_the_hold() {
        AdmissionDesk durable = desk(AnswerAfter.ADOPT, 100);
        journal = new CompletableFuture<>();
        assertThat(ask(durable, "ann", "q1", 1))
                .isInstanceOfSatisfying(
                        Answer.Unsure.class,
                        unsure -> assertThat(unsure.reservation()).isEqualTo(id("ann", "q1")));
        journal = CompletableFuture.completedFuture(Outcome.unavailable("no journal"));
        assertThat(ask(durable, "ann", "q1", 1)).isInstanceOf(Answer.Unsure.class);
        journal = CompletableFuture.completedFuture(Outcome.known(SOME));
        assertThat(ask(durable, "ann", "q1", 1)).isInstanceOfSatisfying(Answer.Queued.class, queued -> {
            assertThat(queued.repeated()).isTrue();
            assertThat(queued.journaled()).isTrue();
        });
        assertThat(available()).isEqualTo("2");
    }

    @Test
    void a_pool_that_does_not_serve_lets_nobody_in_and_one_that_was_loaded_anew_is_asked_about_once_more() {
        for (var entry : Map.of(
                        new PoolStanding.Unknown(), HoldDesk.Reason.POOL_UNKNOWN,
                        new PoolStanding.NotReady(), HoldDesk.Reason.POOL_NOT_READY,
                        new PoolStanding.Suspect("why"), HoldDesk.Reason.POOL_SUSPECT,
                        new PoolStanding.Rebuilding("why"), HoldDesk.Reason.POOL_REBUILDING)
                .entrySet()) {
            pools.stands(POOL, entry.getKey());
            assertThat(ask("ann", "q1", 1)).isEqualTo(new Answer.TurnedAway(entry.getValue()));
        }
        redis.put("hf:{spring:shoes}:stock", "epoch", "2");
        pools.stands(POOL, new PoolStanding.Serving(1, Optional.empty(), Optional.of(SALE)));
        assertThat(ask("ann", "q1", 1)).isEqualTo(new Answer.TurnedAway(HoldDesk.Reason.POOL_REBUILDING));
        assertThat(pools.forgotten(POOL)).isEqualTo(2);
        assertThat(pools.told(POOL))
                .as("an older epoch is no reason to distrust it")
                .isEmpty();
    }

    @Test
    void a_redis_that_must_not_be_believed_makes_the_pool_suspect() {
        redis.restart();
        assertThat(ask("ann", "q1", 1)).isEqualTo(new Answer.TurnedAway(HoldDesk.Reason.POOL_SUSPECT));
        assertThat(pools.told(POOL)).hasSize(1);
    }

    @Test
    void a_node_without_the_sales_secret_lets_nobody_in() {
        pools.stands(
                POOL,
                new PoolStanding.Serving(
                        1, Optional.empty(), Optional.of(new Sale(2, OPENS, OPENS.plusSeconds(600), 2))));
        assertThat(ask("ann", "q1", 1)).isInstanceOf(Answer.Unreached.class);
        assertThat(available()).isEqualTo("3");
    }

    @Test
    void what_nobody_took_over_is_claimed_when_it_is_due_and_counted_before() {
        journal = CompletableFuture.completedFuture(Outcome.unavailable("no journal"));
        ask("ann", "q1", 1);
        assertThat(listed()).isEqualTo(1);
        assertThat(round().claimed()).as("not due yet").isEmpty();
        now = now.plusSeconds(6);
        assertThat(round()).satisfies(round -> {
            assertThat(round.claimed()).containsExactly(id("ann", "q1"));
            assertThat(round.left()).containsExactly(id("ann", "q1"));
            assertThat(round.oldest()).contains(OPENS.plusSeconds(1));
        });
        assertThat(round().claimed()).as("under lease").isEmpty();
        journal = CompletableFuture.completedFuture(Outcome.known(SOME));
        now = now.plusSeconds(31);
        assertThat(round().left()).isEmpty();
        assertThat(listed()).isZero();
        assertThat(told)
                .extracting(adopt -> adopt.order().messageId())
                .hasSize(3)
                .containsOnly(told.getFirst().order().messageId());
        assertThat(redis.handedOff(new HandedOffRequest(POOL.value(), 1, id("ann", "q1"), now)))
                .isNotNull();
    }

    private long listed() {
        return ((Outcome.Known<Long>)
                        handOver.listed(POOL).toCompletableFuture().join())
                .value();
    }

    private HandOver.Round round() {
        return ((Outcome.Known<HandOver.Round>)
                        handOver.due(POOL, 1, SALE).toCompletableFuture().join())
                .value();
    }
}
