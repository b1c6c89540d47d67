package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.TryRequest;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.entity.HoldDesk.Answer;
import io.holdfast.reservation.entity.HoldDesk.Reason;
import io.holdfast.reservation.port.DayPools;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HoldDeskTest {

    private final Shop shop = Shop.open(3);
    private final List<String> asked = new ArrayList<>();
    private final List<PoolId> opened = new ArrayList<>();
    private Outcome<DayPools.Opening> opening = Outcome.known(DayPools.Opening.NOTHING_SET_OUT);

    private CompletionStage<Outcome<DayPools.Opening>> open(PoolId pool) {
        opened.add(pool);
        return CompletableFuture.completedStage(opening);
    }

    private final List<SoldOutRequest> looks = new ArrayList<>();
    private Optional<Outcome<SoldOutReply>> redisSays = Optional.empty();
    private Instant now = Shop.NOW;
    private final HoldDesk.Redis redis = new HoldDesk.Redis() {
        @Override
        public CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request) {
            looks.add(request);
            return redisSays
                    .<CompletionStage<Outcome<SoldOutReply>>>map(CompletableFuture::completedStage)
                    .orElseGet(() -> shop.redis.soldOut(request));
        }

        @Override
        public CompletionStage<Outcome<LookReply>> look(LookRequest request) {
            return shop.redis.look(request);
        }
    };
    private final HoldDesk desk = desk(shop.directory());

    private HoldDesk desk(PoolDirectory pools) {
        return new HoldDesk(new InShop(), pools, this::open, redis, () -> now, Duration.ofSeconds(10));
    }

    @Test
    void a_pool_that_serves_has_its_reservation_asked_and_nobody_looks() {
        assertThat(status(hold("i1", 2))).isEqualTo(Reservation.Status.RESERVED);
        assertThat(looks).isEmpty();
    }

    @Test
    void the_first_who_comes_too_late_is_recorded_the_next_ones_leave_no_trace() {
        hold("i1", 3);

        assertThat(status(hold("i2", 1))).isEqualTo(Reservation.Status.REJECTED);
        assertThat(hold("i3", 1)).isEqualTo(new Answer.TurnedAway(Reason.SOLD_OUT));
        assertThat(hold("i4", 1)).isEqualTo(new Answer.TurnedAway(Reason.SOLD_OUT));
        assertThat(asked).containsExactly(id("i1"), id("i2"));
    }

    @Test
    void whoever_was_turned_away_without_a_trace_gets_a_unit_that_came_back_under_the_same_ids() {
        String first = hold1("i1", 3);
        hold("i2", 1);
        hold("i3", 1);
        shop.give(first, new Fact.OrderCreatedFailed(Shop.ORDER, "card declined"));
        shop.run(first);

        assertThat(status(hold("i3", 1))).isEqualTo(Reservation.Status.RESERVED);
        assertThat(status(hold("i4", 1))).isEqualTo(Reservation.Status.RESERVED);
        assertThat(looks)
                .as("the first look found stock, so the next request does not look")
                .hasSize(2);
    }

    @Test
    void a_repeat_of_a_hold_is_answered_by_its_reservation_after_the_pool_sold_out() {
        hold("i1", 3);
        hold("i2", 1);

        assertThat(status(hold("i1", 3))).isEqualTo(Reservation.Status.RESERVED);
        assertThat(status(hold("i2", 1))).isEqualTo(Reservation.Status.REJECTED);
    }

    @Test
    void a_smaller_wish_that_fits_is_never_turned_away() {
        hold("i1", 2);
        assertThat(status(hold("i2", 2))).isEqualTo(Reservation.Status.REJECTED);

        assertThat(status(hold("i3", 1))).isEqualTo(Reservation.Status.RESERVED);
    }

    @Test
    void a_suspect_pool_turns_away_as_suspect_whatever_it_lacks() {
        hold("i1", 3);
        hold("i2", 1);
        shop.suspectPool();

        assertThat(hold("i3", 1)).isEqualTo(new Answer.TurnedAway(Reason.POOL_SUSPECT));
        assertThat(status(hold("i1", 3))).as("a repeat").isEqualTo(Reservation.Status.RESERVED);
    }

    @Test
    void a_look_that_is_not_answered_or_not_to_be_trusted_leaves_it_to_the_reservation() {
        hold("i1", 3);
        hold("i2", 1);
        redisSays = Optional.of(Outcome.unknown("no answer"));
        assertThat(status(hold("i3", 1))).isEqualTo(Reservation.Status.REJECTED);

        redisSays = Optional.empty();
        shop.redis.restart();
        assertThat(hold("i4", 1)).isInstanceOf(Answer.Asked.class);
        assertThat(asked).contains(id("i3"), id("i4"));
    }

    @Test
    void a_pool_that_is_rebuilt_turns_first_tries_away_until_it_is_open_to_all_and_repeats_never() {
        hold("i1", 1);
        shop.give(new StockPoolCommand.Rebuild());
        assertThat(hold("i2", 1)).isEqualTo(new Answer.TurnedAway(Reason.POOL_REBUILDING));
        assertThat(status(hold("i1", 1))).isEqualTo(Reservation.Status.RESERVED);
        shop.runPool();
        assertThat(hold("i2", 1)).isEqualTo(new Answer.TurnedAway(Reason.POOL_REBUILDING));
        assertThat(status(hold("i1", 1))).isEqualTo(Reservation.Status.RESERVED);
        now = Shop.NOW.plusSeconds(10);
        assertThat(status(hold("i2", 1))).isEqualTo(Reservation.Status.RESERVED);
    }

    @Test
    void a_bucket_of_a_sale_turns_first_tries_away_since_it_knows_neither_the_users_limit_nor_the_other_buckets() {
        hold("i1", 1);
        Sale sale = new Sale(1, Shop.NOW, Shop.NOW.plusSeconds(60), 1);
        Sale split = new Sale(1, Shop.NOW, Shop.NOW.plusSeconds(60), 1, Optional.of(new Buckets(2, 0)));
        var pools = KnownPools.of(Shop.POOL, new PoolStanding.Serving(1, Optional.empty(), Optional.of(split)));
        var bucket = desk(pools);

        assertThat(join(bucket.hold(request("i2", 1, named()), cause("i2"), Duration.ZERO)))
                .isEqualTo(new Answer.TurnedAway(Reason.PART_OF_SALE));
        assertThat(asked).containsExactly(id("i1"));
        assertThat(status(join(bucket.hold(request("i1", 1, named()), cause("i1"), Duration.ZERO))))
                .as("a repeat")
                .isEqualTo(Reservation.Status.RESERVED);
        pools.stands(Shop.POOL, new PoolStanding.Serving(1, Optional.empty(), Optional.of(sale)));
        assertThat(status(join(bucket.hold(request("i2", 1, named()), cause("i2"), Duration.ZERO))))
                .as("a sale with one pool")
                .isEqualTo(Reservation.Status.RESERVED);
    }

    @Test
    void a_pool_that_does_not_exist_turns_away_without_a_trace() {
        Shop empty = new Shop();
        var elsewhere = desk(empty.directory());

        assertThat(join(elsewhere.hold(request("i1", 1, named()), cause("i1"), Duration.ZERO)))
                .isEqualTo(new Answer.TurnedAway(Reason.POOL_UNKNOWN));
        assertThat(asked).isEmpty();
    }

    @Test
    void the_first_who_asks_for_a_day_that_is_set_out_has_its_pool_created_and_is_served() {
        Shop empty = new Shop();
        var elsewhere = desk(empty.directory());
        opening = Outcome.known(DayPools.Opening.EXISTS);

        assertThat(status(join(elsewhere.hold(request("i1", 1, named()), cause("i1"), Duration.ZERO))))
                .isEqualTo(Reservation.Status.RESERVED);
        assertThat(opened).containsExactly(Shop.POOL);
    }

    @Test
    void whoever_asks_while_the_pool_of_a_day_is_created_waits_for_it_too() {
        var beingCreated = desk(new PoolDirectory() {
            @Override
            public CompletionStage<Outcome<PoolStanding>> standing(PoolId pool) {
                return CompletableFuture.completedStage(Outcome.known(new PoolStanding.NotReady()));
            }

            @Override
            public void suspect(PoolId pool, long epoch, String evidence) {
                throw new AssertionError(evidence);
            }

            @Override
            public void forget(PoolId pool) {
                // the standing does not change here
            }
        });
        assertThat(join(beingCreated.hold(request("i1", 1, named()), cause("i1"), Duration.ZERO)))
                .as("a pool that is nobody's day")
                .isEqualTo(new Answer.TurnedAway(Reason.POOL_NOT_READY));
        opening = Outcome.known(DayPools.Opening.EXISTS);

        assertThat(status(join(beingCreated.hold(request("i1", 1, named()), cause("i1"), Duration.ZERO))))
                .isEqualTo(Reservation.Status.RESERVED);
    }

    @Test
    void while_the_pool_of_a_day_can_not_be_created_whoever_asks_is_turned_away_for_now() {
        Shop empty = new Shop();
        var elsewhere = desk(empty.directory());
        for (Outcome<DayPools.Opening> trouble :
                List.<Outcome<DayPools.Opening>>of(Outcome.unknown("no answer"), Outcome.unavailable("down"))) {
            opening = trouble;
            assertThat(join(elsewhere.hold(request("i1", 1, named()), cause("i1"), Duration.ZERO)))
                    .isEqualTo(new Answer.TurnedAway(Reason.POOL_NOT_READY));
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void a_repeat_has_no_pool_created_for_a_day_that_came_later() {
        hold("i1", 2);
        Shop empty = new Shop();
        var afterMidnight = desk(empty.directory());
        var tomorrow = new PoolChoice.Derived(PoolId.parse("m-1:soup:2026-07-26"));

        assertThat(status(join(afterMidnight.hold(request("i1", 2, tomorrow), cause("i1"), Duration.ZERO))))
                .isEqualTo(Reservation.Status.RESERVED);
        assertThat(opened).isEmpty();
    }

    @Test
    void a_retry_after_midnight_finds_the_hold_of_the_day_before() {
        hold("i1", 3);
        hold("i2", 1);
        PoolId yesterday = Shop.POOL.dayBefore().orElseThrow();
        shop.redis.poolInit(new PoolInitRequest(yesterday.value(), 1, "init-y", 5, Shop.NOW));
        shop.redis.tryHold(new TryRequest(yesterday.value(), 1, id("i5"), 1, Shop.NOW));

        var derived = new PoolChoice.Derived(Shop.POOL);
        assertThat(join(desk.hold(request("i5", 1, derived), cause("i5"), Duration.ZERO)))
                .as("has a fence in the pool of yesterday")
                .isInstanceOf(Answer.Asked.class);
        assertThat(join(desk.hold(request("i6", 1, derived), cause("i6"), Duration.ZERO)))
                .isEqualTo(new Answer.TurnedAway(Reason.SOLD_OUT));
    }

    private Answer hold(String item, long quantity) {
        return join(desk.hold(request(item, quantity, named()), cause(item), Duration.ZERO));
    }

    private String hold1(String item, long quantity) {
        hold(item, quantity);
        return id(item);
    }

    private static Answer join(CompletionStage<Answer> answer) {
        return answer.toCompletableFuture().join();
    }

    private static PoolChoice named() {
        return new PoolChoice.Named(Shop.POOL);
    }

    private static Cause cause(String item) {
        return new Cause(item, "hash", Cause.Kind.REQUEST, "client", Optional.empty());
    }

    private static String id(String item) {
        return line(item).reservationId();
    }

    private static Line line(String item) {
        return new Line("m-1", "soup", Shop.ORDER, item, Optional.empty());
    }

    private static ReservationCommand.Reserve request(String item, long quantity, PoolChoice pool) {
        return new ReservationCommand.Reserve(
                new Terms(line(item), quantity, new OrderType.InstantOrder()), pool, Shop.NOW.plusSeconds(900));
    }

    private static Reservation.Status status(Answer answer) {
        return switch (answer) {
            case Answer.Asked(Outcome<Reply<Reservation>> outcome) ->
                ((Outcome.Known<Reply<Reservation>>) outcome).value().state().status();
            case Answer.TurnedAway(Reason reason) -> throw new AssertionError("turned away: " + reason);
        };
    }

    /** The reservations of the shop, each driven to rest by whoever asks. */
    private final class InShop implements Entities<Reservation, ReservationCommand> {

        @Override
        public CompletionStage<Outcome<Reply<Reservation>>> ask(
                String entityId, Cause cause, ReservationCommand command, Duration patience) {
            asked.add(entityId);
            shop.give(entityId, command);
            shop.run(entityId);
            return look(entityId);
        }

        @Override
        public CompletionStage<Outcome<Reply<Reservation>>> look(String entityId) {
            return CompletableFuture.completedStage(Outcome.known(
                    new Reply<>(entityId, 1, Verdict.done(), false, shop.reservation(entityId), List.of())));
        }
    }
}
