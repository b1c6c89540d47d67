package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Admission;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Cancellation;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.OrderCreateRequested;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationCommand.Adopt;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Holds that a gate let in, from Redis to their journals and to their ends. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AdmittedHoldsTest {

    private static final Sale SALE = new Sale(3, Shop.NOW, Shop.NOW.plusSeconds(600), 1);
    private static final String PREFIX = "hf:{" + Shop.POOL.value() + "}:";

    private final Shop shop = new Shop(null, EffectPolicies.Rebuild.AUTOMATIC);
    private final HandOver handOver;

    AdmittedHoldsTest() {
        shop.give(new PoolOperation.Init("init-1", 10, Optional.empty(), Optional.of(SALE)));
        shop.runPool();
        handOver = shop.handOver;
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private static String id(String user, String request) {
        return Shop.KEYS.reservation(1, Shop.POOL.merchant(), Shop.POOL.dish(), user, request);
    }

    private String admit(String user, String request, long quantity) {
        assertThat(asked(user, request, quantity)).isInstanceOf(AdmitReply.Queued.class);
        return id(user, request);
    }

    private AdmitReply asked(String user, String request, long quantity) {
        String id = id(user, request);
        Outcome<AdmitReply> reply = shop.redis
                .admit(new AdmitRequest(
                        Shop.POOL.value(),
                        epoch(),
                        id,
                        user,
                        request,
                        quantity,
                        Shop.NOW.plusSeconds(300),
                        Shop.NOW.plusSeconds(5),
                        Shop.NOW))
                .toCompletableFuture()
                .join();
        return ((Outcome.Known<AdmitReply>) reply).value();
    }

    /** Lets somebody in whose adoption is under way for long, and has Redis go back to what it had before. */
    private Adopt letInAndForgotten(String user, long quantity, long seconds) {
        var before = shop.redis.snapshot();
        var queued = (AdmitReply.Queued) asked(user, "q1", quantity);
        shop.redis.restore(before);
        return handOver.adopt(
                Shop.POOL,
                SALE,
                id(user, "q1"),
                new Admission(
                        quantity, user, "q1", queued.deadline(), queued.at().plusSeconds(seconds), queued.books()));
    }

    /** The pool is compared and opened: no journal knows of what was forgotten. */
    private void openedWithout() {
        shop.redis.restart();
        shop.suspectPool();
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        assertThat(epoch()).isEqualTo(1);
    }

    private void othersTake(String... users) {
        for (String user : users) {
            admit(user, "q1", 3);
        }
        handOverAll();
        for (String user : users) {
            shop.run(id(user, "q1"));
        }
    }

    /** It is in its journal at last; taking it off the list shows that it is gone. */
    private String adopted(Adopt adopt) {
        String id = adopt.order().reservationId();
        shop.give(id, adopt);
        assertThat(shop.reservation(id).status()).isEqualTo(Status.RESERVED);
        shop.run(id);
        assertThat(shop.suspicions).last().asString().startsWith("MISSING");
        return id;
    }

    private void promised(long reserved, long available) {
        assertThat(shop.pool.status()).as("%s", shop.pool).isEqualTo(StockPool.Status.OPEN);
        assertThat(shop.redis.hash(PREFIX + "stock"))
                .containsEntry("reserved", Long.toString(reserved))
                .containsEntry("available", Long.toString(available))
                .containsEntry("deficit", "0");
    }

    @Test
    void one_that_is_adopted_after_others_got_its_units_ends_and_nothing_is_sold_twice() {
        Adopt late = letInAndForgotten("ann", 3, 0);
        openedWithout();
        othersTake("bob", "carl", "dan");
        String lost = adopted(late);
        shop.runPool();
        promised(9, 1);
        assertThat(epoch()).isEqualTo(2);
        assertThat(shop.reservation(lost))
                .isInstanceOfSatisfying(
                        Reservation.Canceled.class,
                        ended -> assertThat(ended.cancellation().cause()).isEqualTo(Cancellation.Cause.ADMISSION_LOST));
        shop.run(lost);
        assertThat(shop.requested)
                .extracting(OrderCreateRequested::reservationId)
                .doesNotContain(lost)
                .hasSize(3);

        // Its user is told so: at once where there is nothing left, else when what is let in anew has gone back.
        assertThat(asked("ann", "q1", 3)).isInstanceOf(AdmitReply.SoldOut.class);
        shop.give(id("bob", "q1"), new OrderCreatedFailed(id("bob", "q1"), "no"));
        shop.run(id("bob", "q1"));
        admit("ann", "q1", 3);
        handOverAll();
        shop.run(lost);
        promised(6, 4);
        assertThat(asked("ann", "q1", 3)).isInstanceOf(AdmitReply.Fenced.class);
    }

    @Test
    void one_that_is_adopted_while_its_units_are_there_is_loaded_and_goes_on() {
        Adopt late = letInAndForgotten("ann", 3, 0);
        openedWithout();
        othersTake("bob", "carl");
        String kept = adopted(late);
        shop.runPool();
        promised(9, 1);
        shop.run(kept);
        assertThat(shop.reservation(kept).status()).isEqualTo(Status.RESERVED);
        assertThat(shop.requested)
                .extracting(OrderCreateRequested::reservationId)
                .contains(kept);
        assertThat(held("ann")).isEqualTo("3");
    }

    @Test
    void of_several_those_that_were_let_in_first_are_loaded_as_long_as_they_fit() {
        Adopt second = letInAndForgotten("ann", 3, 2);
        Adopt first = letInAndForgotten("eve", 2, 1);
        Adopt third = letInAndForgotten("fay", 2, 3);
        openedWithout();
        othersTake("bob", "carl");
        shop.give(second.order().reservationId(), second);
        shop.give(third.order().reservationId(), third);
        adopted(first);
        shop.runPool();
        // Of the four units left the first gets two; the second does not fit into the rest, the third does.
        assertThat(shop.reservation(first.order().reservationId()).status()).isEqualTo(Status.RESERVED);
        assertThat(shop.reservation(second.order().reservationId()).status()).isEqualTo(Status.CANCELED);
        assertThat(shop.reservation(third.order().reservationId()).status()).isEqualTo(Status.RESERVED);
        promised(10, 0);
    }

    @Test
    void a_mark_does_not_keep_units_that_others_have() {
        Adopt late = letInAndForgotten("ann", 3, 0);
        openedWithout();
        othersTake("bob", "carl", "dan");
        String lost = late.order().reservationId();
        shop.give(lost, late);
        shop.give(lost, new ReservationCommand.Freeze("somebody doubts it"));
        shop.suspectPool();
        shop.runPool();
        promised(9, 1);
        assertThat(shop.reservation(lost).status()).isEqualTo(Status.MANUAL_REVIEW);
        assertThat(shop.reservation(lost).unmarked()).isInstanceOf(Reservation.Canceled.class);
    }

    @Test
    void where_its_order_was_decided_before_it_could_be_ended_the_pool_is_read_again() {
        Adopt late = letInAndForgotten("ann", 3, 0);
        openedWithout();
        othersTake("bob", "carl", "dan");
        String lost = adopted(late);
        shop.beforeOneEnds = id -> shop.give(id, new OrderCreatedFailed(id, "deadline"));
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.REBUILDING);
        shop.beforeOneEnds = _ -> {};
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        shop.run(lost);
        assertThat(shop.reservation(lost).status()).isEqualTo(Status.CANCELED);
        promised(9, 1);
    }

    @Test
    void a_pool_whose_total_was_lowered_below_what_is_promised_has_no_room_for_one_that_redis_lost() {
        String listed = admit("ann", "q1", 3);
        othersTake("bob", "carl");
        shop.give(new PoolOperation.Adjust("lower", 7, OptionalLong.empty()));
        shop.runPool();
        assertThat(shop.redis.hash(PREFIX + "stock")).containsEntry("deficit", "2");
        shop.give(listed, new ReservationCommand.Freeze("so that it is not handed off"));
        shop.redis.wipe();
        shop.redis.restart();
        shop.suspectPool();
        shop.runPool();
        promised(6, 1);
        assertThat(shop.reservation(listed).unmarked()).isInstanceOf(Reservation.Canceled.class);
    }

    private long epoch() {
        return shop.pool.latestBooks().map(Books::epoch).orElseThrow();
    }

    private void handOverAll() {
        assertThat(handOver.all(Shop.POOL, epoch(), Optional.of(SALE))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Outcome.Known.class);
    }

    private String held(String user) {
        return shop.redis.hash(PREFIX + "notes").getOrDefault("u:" + user, "nothing");
    }

    private List<String> listed() {
        return List.copyOf(shop.redis.scores(PREFIX + "due").keySet());
    }

    @Test
    void what_is_listed_gets_into_its_journal_and_then_off_the_list_and_its_order_is_asked_for_once() {
        String id = admit("ann", "q1", 2);
        assertThat(listed()).containsExactly(id);
        handOverAll();
        assertThat(listed()).isEmpty();
        assertThat(shop.reservation(id).status()).isEqualTo(Status.RESERVED);
        shop.run(id);
        assertThat(shop.requested)
                .containsExactly(new OrderCreateRequested(
                        Shop.KEYS.message(1, "ORDER_CREATE_REQUESTED", id, 1),
                        id,
                        "q1",
                        Shop.POOL.merchant(),
                        Shop.POOL.dish(),
                        "ann",
                        2,
                        Shop.NOW,
                        Shop.NOW.plusSeconds(300)));
        handOverAll();
        shop.run(id);
        assertThat(shop.requested).hasSize(1);
    }

    @Test
    void its_order_ends_it_and_the_user_may_ask_again_for_what_went_back() {
        String sold = admit("ann", "q1", 2);
        String failed = admit("ann", "q2", 1);
        String canceled = admit("bob", "q1", 3);
        handOverAll();
        List.of(sold, failed, canceled).forEach(shop::run);
        assertThat(held("ann")).isEqualTo("3");

        shop.give(sold, OrderCreated.whole(sold));
        shop.give(failed, new OrderCreatedFailed(failed, "no"));
        shop.give(canceled, new OrderCanceled(Optional.of(canceled), "buyer"));
        List.of(sold, failed, canceled).forEach(shop::run);

        assertThat(shop.reservation(sold).status()).isEqualTo(Status.CONFIRMED);
        assertThat(shop.reservation(failed).status()).isEqualTo(Status.CANCELED);
        assertThat(shop.reservation(canceled).status()).isEqualTo(Status.REFUNDED);
        assertThat(held("ann")).isEqualTo("2");
        assertThat(held("bob")).isEqualTo("nothing");
        assertThat(shop.suspicions).isEmpty();
    }

    @Test
    void one_whose_order_had_failed_before_goes_back_to_the_pool() {
        String id = id("ann", "q1");
        shop.give(id, new OrderCreatedFailed(id, "deadline"));
        admit("ann", "q1", 2);
        handOverAll();
        shop.run(id);
        assertThat(shop.reservation(id).status()).isEqualTo(Status.CANCELED);
        assertThat(held("ann")).isEqualTo("nothing");
        assertThat(shop.redis.hash(PREFIX + "stock"))
                .containsEntry("available", "10")
                .containsEntry("reserved", "0");
        assertThat(listed()).isEmpty();
        assertThat(shop.requested).isEmpty();
    }

    @Test
    void a_comparison_hands_over_first_and_then_finds_no_difference() {
        String id = admit("ann", "q1", 2);
        shop.redis.restart();
        shop.suspectPool();
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        assertThat(epoch()).isEqualTo(1);
        assertThat(listed()).isEmpty();
        assertThat(shop.reservation(id).status()).isEqualTo(Status.RESERVED);
        shop.run(id);
        assertThat(shop.requested).hasSize(1);
    }

    @Test
    void a_rebuild_hands_over_first_and_then_knows_holds_users_and_requests_again() {
        String known = admit("ann", "q1", 2);
        handOverAll();
        String listed = admit("bob", "q1", 1);
        shop.redis.remove(PREFIX + "r:" + known);
        shop.redis.restart();
        shop.suspectPool();
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        assertThat(epoch()).isEqualTo(2);
        assertThat(shop.reservation(listed).status()).isEqualTo(Status.RESERVED);
        assertThat(shop.redis.hash(PREFIX + "stock"))
                .containsEntry("reserved", "3")
                .containsEntry("available", "7");
        assertThat(held("ann")).isEqualTo("2");
        assertThat(held("bob")).isEqualTo("1");
        admit("bob", "q1", 1);
        List.of(known, listed).forEach(shop::run);
        assertThat(shop.requested)
                .extracting(OrderCreateRequested::reservationId)
                .containsExactly(known, listed);
        assertThat(listed()).isEmpty();
    }

    @Test
    void a_redis_that_lost_everything_lists_nothing_and_the_claim_is_gone_but_never_sold_twice() {
        String known = admit("ann", "q1", 2);
        handOverAll();
        String lost = admit("bob", "q1", 1);
        shop.redis.wipe();
        shop.redis.restart();
        shop.suspectPool();
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.OPEN);
        assertThat(shop.reservation(lost).status()).isEqualTo(Status.NONE);
        assertThat(held("ann")).isEqualTo("2");
        assertThat(shop.redis.hash(PREFIX + "stock"))
                .containsEntry("reserved", "2")
                .containsEntry("available", "8");
        shop.run(known);
        admit("bob", "q1", 1);
        handOverAll();
        shop.run(lost);
        assertThat(shop.requested)
                .extracting(OrderCreateRequested::reservationId)
                .containsExactly(known, lost);
    }
}
