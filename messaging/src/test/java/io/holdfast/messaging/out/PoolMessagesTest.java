package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DifferenceReport;
import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolEvent;
import io.holdfast.reservation.domain.StockPoolEvent.ContradictionNoticed;
import io.holdfast.reservation.domain.StockPoolEvent.OperationAccepted;
import io.holdfast.reservation.domain.StockPoolEvent.OperationRefused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolArchived;
import io.holdfast.reservation.domain.StockPoolEvent.PoolClosed;
import io.holdfast.reservation.domain.StockPoolEvent.PoolInitialized;
import io.holdfast.reservation.domain.StockPoolEvent.PoolPaused;
import io.holdfast.reservation.domain.StockPoolEvent.PoolRebuilt;
import io.holdfast.reservation.domain.StockPoolEvent.PoolReopened;
import io.holdfast.reservation.domain.StockPoolEvent.PoolResumed;
import io.holdfast.reservation.domain.StockPoolEvent.RebuildStarted;
import io.holdfast.reservation.domain.StockPoolEvent.SuspicionRaised;
import io.holdfast.reservation.domain.StockPoolEvent.TotalAdjusted;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationDiffered;
import io.holdfast.reservation.domain.StockPoolEvent.VerificationStarted;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Every event of a pool, and what it announces; written as in {@link ReservationMessagesTest}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class PoolMessagesTest {

    private static final String POOL = "[m-1:soup:2026-07-25]";

    private final List<Life<StockPool, StockPoolEvent>> lives = new ArrayList<>();

    /** What was lived through so far. */
    List<Life<StockPool, StockPoolEvent>> lives() {
        return lives;
    }

    private List<String> told(Life<StockPool, StockPoolEvent> life) {
        lives.add(life);
        return life.told();
    }

    @Test
    void a_new_pool_is_told_with_its_baseline() {
        var asked = Life.pool().then(new OperationAccepted(new PoolOperation.Init("init", 10)));
        assertThat(told(asked)).isEmpty();
        assertThat(told(asked.then(new PoolInitialized("init", books(10, 1, 0, 0)))))
                .containsExactly("StockBucketInitialized" + POOL
                        + "/stock {action=INIT, operation_id=init} +10/+0/+10/+0/+0 @1.1"
                        + " {total=10, deficit=0, available=10, reserved=0, sold=0}");
    }

    @Test
    void an_adjustment_is_told_as_what_it_changed() {
        assertThat(told(adjusted(15, books(15, 4, 3, 2))))
                .containsExactly("StockBaselineAdjusted" + POOL
                        + "/stock {action=ADJUST, operation_id=a-1, baseline_version=2} +5/+0/+5/+0/+0 @1.4"
                        + " {total=15, deficit=0, available=10, reserved=3, sold=2}");
        assertThat(told(adjusted(4, books(4, 4, 3, 2))))
                .as("five are promised: all that was available goes, and one is owed")
                .first()
                .asString()
                .contains(" -6/+1/-5/+0/+0 ");
    }

    @Test
    void where_it_stands_is_told_and_moves_no_number() {
        assertThat(told(open().then(new OperationAccepted(new PoolOperation.Pause("p")))
                        .then(new PoolPaused("p", books(10, 1, 0, 0)))))
                .containsExactly("StockPoolPaused" + POOL + "/stock {status=PAUSED} @1.1"
                        + " {total=10, deficit=0, available=10, reserved=0, sold=0}");
        assertThat(told(open().then(new OperationAccepted(new PoolOperation.Pause("p")))
                        .then(new PoolPaused("p", books(10, 1, 0, 0)))
                        .then(new OperationAccepted(new PoolOperation.Resume("r")))
                        .then(new PoolResumed("r", books(10, 1, 0, 0)))))
                .first()
                .asString()
                .startsWith("StockPoolResumed" + POOL + "/stock {status=OPEN}");
        assertThat(told(open().then(new OperationAccepted(new PoolOperation.Close("c")))
                        .then(new PoolClosed("c", books(10, 1, 0, 0)))))
                .first()
                .asString()
                .startsWith("StockPoolClosed" + POOL + "/stock {status=CLOSED}");
        assertThat(told(open().then(new OperationAccepted(new PoolOperation.Close("c")))
                        .then(new PoolClosed("c", books(10, 1, 0, 0)))
                        .then(new OperationAccepted(new PoolOperation.Archive("a")))
                        .then(new PoolArchived("a", books(10, 1, 0, 0)))))
                .first()
                .asString()
                .startsWith("StockPoolArchived" + POOL + "/stock {status=ARCHIVED}");
        assertThat(told(open().then(new OperationAccepted(new PoolOperation.Close("c")))
                        .then(new PoolClosed("c", books(10, 1, 0, 0)))
                        .then(new OperationAccepted(new PoolOperation.Archive("a")))
                        .then(new PoolArchived("a", books(10, 1, 0, 0)))
                        .then(new StockPoolEvent.KeysLetGo(Life.LATER))))
                .as("what Redis forgets of it is nobody's affair")
                .isEmpty();
    }

    @Test
    void a_pool_that_is_not_believed_is_told_and_so_is_its_return() {
        var suspect = open().then(new SuspicionRaised("another Redis", 1));
        assertThat(told(suspect))
                .containsExactly("StockPoolSuspected" + POOL + "/stock {status=SUSPECT, reason=another Redis}");
        assertThat(told(suspect.then(new VerificationDiffered(
                        1,
                        new DifferenceReport(books(10, 1, 0, 0), Optional.empty(), 0, 0, List.of(), "gone"),
                        Life.LATER))))
                .isEmpty();
        assertThat(told(suspect.then(new VerificationStarted(2)))).isEmpty();
        assertThat(told(suspect.then(new StockPoolEvent.OpeningBegun(2, "VERIFY:2:7"))))
                .isEmpty();
        assertThat(told(suspect.then(new PoolReopened(2, Optional.of(books(10, 1, 0, 0))))))
                .first()
                .asString()
                .startsWith("StockPoolReopened" + POOL + "/stock {status=OPEN} @1.1 ");
        var rebuilding = suspect.then(new RebuildStarted(2, 2, "Redis lost it"));
        assertThat(told(rebuilding)).isEmpty();
        assertThat(told(rebuilding.then(new PoolRebuilt(2, books(10, 1, 0, 0), 0, Life.LATER))))
                .first()
                .asString()
                .startsWith("StockPoolReopened" + POOL + "/stock {status=OPEN} @");
    }

    @Test
    void units_that_go_to_another_bucket_are_told_as_an_adjustment_and_their_arrival_is_told_there() {
        var leaving = open().then(new OperationAccepted(
                        new PoolOperation.Give("move-1", PoolId.parse("spring:shoes:b1"), 4, OptionalLong.of(1))))
                .then(new TotalAdjusted("move-1", 2, books(6, 2, 0, 0)));
        assertThat(told(leaving)).first().asString().startsWith("StockBaselineAdjusted" + POOL);
        assertThat(told(leaving.then(new StockPoolEvent.UnitsDelivered("move-1"))))
                .isEmpty();
    }

    @Test
    void a_repair_is_told_with_the_numbers_that_were_right_all_along() {
        assertThat(told(repaired(Optional.empty())))
                .containsExactly("StockRepaired" + POOL
                        + "/stock {action=REPAIR, operation_id=repair, rule=NUMBERS_DIFFER} +0/+0/+0/+0/+0 @1.2"
                        + " {total=10, deficit=0, available=10, reserved=0, sold=0}");
        var ofAFence = repaired(Optional.of(new FenceRepair("r-1", Optional.empty(), Optional.empty())));
        lives.add(ofAFence);
        assertThat(ofAFence.everything().getLast().data()).containsEntry("reservation_id", "r-1");
    }

    private static Life<StockPool, StockPoolEvent> repaired(Optional<FenceRepair> fence) {
        return open().then(new OperationAccepted(new PoolOperation.Repair(
                        "repair", "NUMBERS_DIFFER", new Books(1, 1, 10, 0, 9, 0, 0), books(10, 2, 0, 0), fence)))
                .then(new StockPoolEvent.StockRepaired("repair", books(10, 2, 0, 0)));
    }

    @Test
    void a_refused_operation_is_its_callers_affair_and_faults_are_told_to_people() {
        assertThat(told(open().then(new OperationAccepted(adjust(4)))
                        .then(new OperationRefused("a-1", StockPoolRefusal.values()[0]))))
                .isEmpty();
        assertThat(told(open().then(new ContradictionNoticed("/x 1"))))
                .containsExactly("InventoryEventContradicted" + POOL + " {status=OPEN, cause_id=/x 1}");
        assertThat(told(open().stalled())).first().asString().startsWith("InventoryOperationDead" + POOL);
    }

    @Test
    void no_kind_of_event_is_left_out_above() {
        a_new_pool_is_told_with_its_baseline();
        an_adjustment_is_told_as_what_it_changed();
        units_that_go_to_another_bucket_are_told_as_an_adjustment_and_their_arrival_is_told_there();
        where_it_stands_is_told_and_moves_no_number();
        a_pool_that_is_not_believed_is_told_and_so_is_its_return();
        a_repair_is_told_with_the_numbers_that_were_right_all_along();
        a_refused_operation_is_its_callers_affair_and_faults_are_told_to_people();
        Set<Class<?>> met = new LinkedHashSet<>();
        lives.forEach(life -> met.addAll(life.met()));
        assertThat(met).containsExactlyInAnyOrder(StockPoolEvent.class.getPermittedSubclasses());
    }

    private static Life<StockPool, StockPoolEvent> open() {
        return Life.pool()
                .then(new OperationAccepted(new PoolOperation.Init("init", 10)))
                .then(new PoolInitialized("init", books(10, 1, 0, 0)));
    }

    private static Life<StockPool, StockPoolEvent> adjusted(long total, Books after) {
        return open().then(new OperationAccepted(adjust(total))).then(new TotalAdjusted("a-1", 2, after));
    }

    private static PoolOperation adjust(long total) {
        return new PoolOperation.Adjust("a-1", total, OptionalLong.empty());
    }

    private static Books books(long total, long version, long reserved, long sold) {
        return Books.expected(1, version, total, reserved, sold);
    }
}
