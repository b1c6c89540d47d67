package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.engine.projection.Passage;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolOperation.Archive;
import io.holdfast.reservation.domain.PoolOperation.Close;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a pool, over the real scripts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PoolArchivingTest {

    private final Shop shop = Shop.open(10);

    private String sold(String item, long quantity) {
        String id = shop.hold(item, quantity);
        shop.give(id, Fact.OrderCreated.whole(Shop.ORDER));
        shop.run(id);
        return id;
    }

    private void close() {
        shop.give(new Close("close-1"));
        shop.runPool();
    }

    private void archive(String key) {
        shop.give(new Archive(key));
        shop.runPool();
    }

    private static Fact refund(String id, long quantity) {
        return new Fact.RefundRequested(Optional.of(Shop.ORDER), id, quantity, true);
    }

    private Status status(String id) {
        return shop.reservation(id).status();
    }

    private PoolStatus redis() {
        Outcome<LookReply> outcome = shop.redis
                .look(new LookRequest(Shop.POOL.value(), "nobody"))
                .toCompletableFuture()
                .join();
        return outcome instanceof Outcome.Known<LookReply>(LookReply.Seen seen) ? seen.status() : PoolStatus.REBUILDING;
    }

    @Test
    void a_closed_pool_whose_reservations_have_ended_is_archived_in_redis_and_journal() {
        sold("i1", 4);
        String canceled = shop.hold("i2", 2);
        shop.give(canceled, new Fact.OrderCreatedFailed(Shop.ORDER, "card declined"));
        shop.run(canceled);
        shop.hold("i3", 20);
        close();
        archive("archive-1");

        assertThat(shop.pool).isInstanceOf(StockPool.Archived.class);
        assertThat(shop.pool.latestBooks().orElseThrow().sold()).isEqualTo(4);
        assertThat(shop.pool.latestBooks().orElseThrow().available()).isEqualTo(6);
        assertThat(redis()).isEqualTo(PoolStatus.ARCHIVED);
    }

    @Test
    void its_keys_go_after_a_while_once_it_has_ended_and_those_of_no_other_pool() {
        String id = sold("i1", 4);
        close();
        assertThat(List.of(lives("stock"), lives("ops"), lives("r:" + id))).containsOnly(-1L);
        archive("archive-1");
        assertThat(List.of(lives("stock"), lives("ops"), lives("r:" + id))).containsOnly(Shop.KEPT.toMillis());

        String tooLate = shop.reserve("i2", 1);
        shop.run(tooLate);
        assertThat(status(tooLate)).isEqualTo(Status.REJECTED);
        assertThat(shop.redis.hash("hf:{" + Shop.POOL.value() + "}:r:" + tooLate))
                .as("nothing is left behind that would live for ever")
                .isEmpty();
    }

    @Test
    void no_key_goes_by_itself_before_the_journal_says_that_the_pool_has_ended_wherever_it_is_interrupted() {
        String id = sold("i1", 4);
        close();
        shop.give(new Archive("archive-1"));
        shop.attemptPool(); // whose answer is lost, with its node
        assertThat(redis()).isEqualTo(PoolStatus.ARCHIVED);
        assertThat(List.of(lives("stock"), lives("ops"), lives("r:" + id))).containsOnly(-1L);

        shop.redis.restart(); // so it is compared, and is a closed pool again until it is archived anew
        shop.attemptPool();
        shop.suspectPool();
        shop.give(((Outcome.Known<StockPoolCommand>) shop.attemptPool().orElseThrow()).value());
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.CLOSED);
        assertThat(redis()).isEqualTo(PoolStatus.CLOSED);
        assertThat(List.of(lives("stock"), lives("ops"), lives("r:" + id))).containsOnly(-1L);

        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
        assertThat(List.of(lives("stock"), lives("ops"), lives("r:" + id))).containsOnly(Shop.KEPT.toMillis());
    }

    @Test
    void its_keys_are_let_go_once_and_whatever_redis_became_meanwhile() {
        String id = sold("i1", 4);
        close();
        shop.give(new Archive("archive-1"));
        shop.give(((Outcome.Known<StockPoolCommand>) shop.attemptPool().orElseThrow()).value());
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
        shop.redis.restart();
        shop.attemptPool(); // whose answer is lost
        shop.runPool();
        assertThat(lives("r:" + id)).isEqualTo(Shop.KEPT.toMillis());
        assertThat(lives("stock")).isEqualTo(Shop.KEPT.toMillis());
        assertThat(shop.poolJournal.getLast()).isEqualTo(new StockPoolEvent.KeysLetGo(Shop.NOW.plus(Shop.KEPT)));
        assertThat(shop.attemptPool()).isEmpty();
    }

    @Test
    void a_pool_that_redis_has_lost_by_then_has_nothing_to_let_go() {
        sold("i1", 4);
        close();
        shop.give(new Archive("archive-1"));
        shop.give(((Outcome.Known<StockPoolCommand>) shop.attemptPool().orElseThrow()).value());
        shop.redis.wipe();
        shop.runPool();
        assertThat(shop.poolJournal.getLast()).isEqualTo(new StockPoolEvent.KeysLetGo(Shop.NOW));
        assertThat(shop.attemptPool()).isEmpty();
    }

    @Test
    void one_that_is_not_drained_keeps_its_keys() {
        String held = shop.hold("i1", 1);
        close();
        archive("archive-1");
        assertThat(List.of(lives("stock"), lives("ops"), lives("r:" + held))).containsOnly(-1L);
    }

    private long lives(String key) {
        return shop.redis.lives("hf:{" + Shop.POOL.value() + "}:" + key);
    }

    @Test
    void whatever_has_not_ended_keeps_it_open_to_its_end() {
        String held = shop.hold("i1", 1);
        String scheduled = shop.reserve("i2", 1, new OrderType.ScheduledOrder(Shop.NOW.plusSeconds(3600)));
        shop.run(scheduled);
        shop.give(scheduled, Fact.OrderCreated.whole(Shop.ORDER));
        String preparing = shop.reserve("i3", 1);
        close();
        archive("archive-1");
        assertThat(shop.poolJournal.getLast())
                .isEqualTo(new StockPoolEvent.OperationRefused("archive-1", StockPoolRefusal.NOT_DRAINED));
        assertThat(redis()).isEqualTo(PoolStatus.CLOSED);

        shop.give(held, Fact.OrderCreated.whole(Shop.ORDER));
        shop.run(held);
        assertThat(status(held)).as("the old day's holds go on").isEqualTo(Status.CONFIRMED);
        shop.give(scheduled, refund("r-1", 1));
        shop.run(scheduled);
        archive("archive-2");
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.CLOSED);

        shop.run(preparing);
        assertThat(status(preparing)).isEqualTo(Status.REJECTED);
        archive("archive-3");
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
    }

    /** Each alone: where several keep the pool open, one that does not would not be noticed. */
    @ParameterizedTest
    @EnumSource(names = {"PREPARING", "RESERVED", "CREATED_RESERVED", "CONFIRMING", "CANCELING", "REFUNDING"})
    void a_single_reservation_that_has_not_ended_keeps_it_open(Status status) {
        assertThat(status(one(status))).isEqualTo(status);
        close();
        shop.give(new Archive("archive-1"));
        // Once, for a pool that is taken for drained and is not becomes suspect, is compared, and is archived again,
        // without end.
        assertThat(shop.attemptPool())
                .contains(Outcome.<StockPoolCommand>known(
                        new StockPoolCommand.OperationTurnedDown("archive-1", StockPoolRefusal.NOT_DRAINED)));
        assertThat(redis()).isEqualTo(PoolStatus.CLOSED);
    }

    private String one(Status status) {
        return switch (status) {
            case PREPARING -> shop.reserve("i1", 1);
            case RESERVED -> shop.hold("i1", 1);
            case CREATED_RESERVED -> scheduled();
            case CONFIRMING -> told(shop.hold("i1", 1), Fact.OrderCreated.whole(Shop.ORDER));
            case CANCELING -> told(shop.hold("i1", 1), new Fact.OrderCreatedFailed(Shop.ORDER, "card declined"));
            case REFUNDING -> told(scheduled(), refund("r-1", 1));
            case NONE, CONFIRMED, CANCELED, REFUNDED, REJECTED, MANUAL_REVIEW ->
                throw new IllegalArgumentException(status + " is no state of work");
        };
    }

    private String scheduled() {
        String id = shop.reserve("i1", 1, new OrderType.ScheduledOrder(Shop.NOW.plusSeconds(3600)));
        shop.run(id);
        return told(id, Fact.OrderCreated.whole(Shop.ORDER));
    }

    private String told(String id, Fact fact) {
        shop.give(id, fact);
        return id;
    }

    @Test
    void a_review_keeps_it_open() {
        String frozen = sold("i1", 1);
        shop.give(frozen, new ReservationCommand.Freeze("disputed"));
        close();
        archive("archive-1");
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.CLOSED);
    }

    @Test
    void a_refund_after_the_end_is_in_the_journals_alone() {
        String id = sold("i1", 4);
        close();
        archive("archive-1");
        shop.give(id, refund("r-1", 3));
        shop.run(id);

        assertThat(shop.reservationJournal.getLast()).isInstanceOf(ReservationEvent.RefundRecorded.class);
        assertThat(status(id)).isEqualTo(Status.CONFIRMED);
        shop.give(id, refund("r-2", 1));
        shop.run(id);
        assertThat(status(id)).isEqualTo(Status.REFUNDED);
        assertThat(shop.pool.latestBooks().orElseThrow().sold())
                .as("the pool's books are closed")
                .isEqualTo(4);
        assertThat(shop.suspicions).isEmpty();
    }

    @Test
    void nothing_of_an_archived_pool_is_asked_of_redis_not_even_when_that_is_gone() {
        String id = sold("i1", 4);
        String late = shop.reserve("i2", 1);
        shop.run(late);
        shop.give(late, new Fact.OrderCreatedFailed(Shop.ORDER, "card declined"));
        shop.run(late);
        String never = shop.reserve("i3", 1);
        close();
        shop.run(never);
        archive("archive-1");
        shop.redis.wipe();

        shop.give(id, refund("r-1", 4));
        shop.run(id);
        String tooLate = shop.reserve("i4", 1);
        shop.run(tooLate);

        assertThat(status(id)).isEqualTo(Status.REFUNDED);
        assertThat(status(tooLate)).isEqualTo(Status.REJECTED);
        assertThat(shop.suspicions).isEmpty();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
    }

    @Test
    void a_refund_that_redis_did_before_is_recorded_as_done_there_before_the_end() {
        String id = sold("i1", 4);
        close();
        shop.give(id, refund("r-1", 3));
        shop.attemptAndLoseTheAnswer(id);
        shop.give(new Archive("archive-1"));

        assertThat(shop.attemptPool())
                .hasValueSatisfying(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
        assertThat(redis()).isEqualTo(PoolStatus.ARCHIVED);
        shop.run(id);
        assertThat(shop.reservationJournal.getLast()).isInstanceOf(ReservationEvent.HoldRefunded.class);
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
        assertThat(shop.pool.latestBooks().orElseThrow().sold()).isEqualTo(1);
    }

    @Test
    void a_refund_between_the_end_in_redis_and_in_the_journal_waits_and_then_comes_late() {
        String id = sold("i1", 4);
        close();
        shop.give(new Archive("archive-1"));
        shop.attemptPool(); // whose answer is lost
        shop.give(id, refund("r-1", 3));
        assertThat(shop.attempt(id))
                .hasValueSatisfying(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));

        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
        shop.run(id);
        assertThat(shop.reservationJournal.getLast()).isInstanceOf(ReservationEvent.RefundRecorded.class);
        assertThat(shop.pool.latestBooks().orElseThrow().sold()).isEqualTo(4);
    }

    @Test
    void a_view_that_lags_or_has_set_something_aside_says_nothing() {
        sold("i1", 4);
        close();
        shop.give(new Archive("archive-1"));
        shop.passage = new Passage.NotYet(new JournalPosition(3), "slow");
        assertThat(shop.attemptPool())
                .hasValueSatisfying(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
        shop.passage = new Passage.Passed(List.of(parked()), 0);
        assertThat(shop.attemptPool())
                .hasValueSatisfying(outcome -> assertThat(outcome).isInstanceOf(Outcome.Unavailable.class));
        assertThat(redis()).isEqualTo(PoolStatus.CLOSED);
        shop.elsewhere.add("r-9");
        shop.runPool();
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
    }

    private static ParkedEntity parked() {
        return new ParkedEntity(
                "reservation_view",
                "reservation|r-9",
                3,
                "unreadable",
                1,
                Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60));
    }

    @Test
    void a_redis_that_restarted_meanwhile_makes_it_suspect_first_and_it_is_archived_anew_afterwards() {
        sold("i1", 4);
        close();
        shop.give(new Archive("archive-1"));
        shop.attemptPool();
        shop.redis.restart();
        shop.runPool();
        assertThat(shop.poolJournal).anyMatch(StockPoolEvent.SuspicionRaised.class::isInstance);
        assertThat(shop.pool.status()).isEqualTo(StockPool.Status.ARCHIVED);
        assertThat(redis()).isEqualTo(PoolStatus.ARCHIVED);
    }

    @Test
    void units_reserved_that_no_reservation_holds_make_it_suspect() {
        sold("i1", 4);
        close();
        shop.redis.put("hf:{" + Shop.POOL.value() + "}:stock", "reserved", "1");
        shop.give(new Archive("archive-1"));
        assertThat(shop.attemptPool())
                .hasValueSatisfying(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Known.class,
                                known -> assertThat(known.value()).isInstanceOf(StockPoolCommand.Suspect.class)));
    }
}
