package io.holdfast.reservation.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.domain.StockPoolEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LedgerChangesTest {

    private static final String POOL = "m-1:soup:2026-07-25";

    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
    private final JournalCodec<ReservationEvent> reservations = JournalCodec.of(ReservationEvent.class);
    private final JournalCodec<StockPoolEvent> pools = JournalCodec.of(StockPoolEvent.class);

    private List<LedgerChange> changes(List<JournalRow> journal) {
        Map<String, Reservation> states = new HashMap<>();
        Optional<PoolBaseline> baseline = Optional.empty();
        List<LedgerChange> changes = new ArrayList<>();
        for (JournalRow row : journal) {
            if (row.machine().equals(ReservationMachine.NAME)) {
                ReservationEvent event =
                        ((Entry.Happened<ReservationEvent>) reservations.decode(row.payload())).event();
                Reservation state = states.computeIfAbsent(row.entityId(), machine::initial);
                ReservationChanges.of(state, event).ifPresent(changes::add);
                states.put(row.entityId(), machine.evolve(state, event));
            } else {
                StockPoolEvent event = ((Entry.Happened<StockPoolEvent>) pools.decode(row.payload())).event();
                var step = PoolBaseline.next(baseline, row.entityId(), row.sequenceNumber(), event);
                step.ifPresent(next -> changes.add(next.change()));
                Optional<PoolBaseline> known = baseline;
                baseline = step.map(PoolBaseline.Step::after).or(() -> known);
            }
        }
        return changes;
    }

    private static Books after(Books before, StockMove move, Books as) {
        return new Books(
                as.epoch(),
                as.version(),
                before.total() + move.total(),
                before.deficit() + move.deficit(),
                before.available() + move.available(),
                before.reserved() + move.reserved(),
                before.sold() + move.sold());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void each_change_leads_from_the_numbers_before_to_those_after_and_no_version_is_left_out(long seed) {
        var story = Story.random(POOL, seed, 150);
        Books before = new Books(1, 0, 0, 0, 0, 0, 0);
        for (LedgerChange change : changes(story.journal())) {
            Books nothing = new Books(0, 0, 0, 0, 0, 0, 0);
            assertThat(after(change.action().opens() ? nothing : before, change.move(), change.after()))
                    .as(change.operationId())
                    .isEqualTo(change.after());
            assertThat(change.after().version()).isEqualTo(before.version() + 1);
            assertThat(change.after().epoch())
                    .isEqualTo(before.epoch() + (change.action() == LedgerAction.REBUILD ? 1 : 0));
            before = change.after();
        }
        assertThat(before).isEqualTo(story.redis.books());
    }

    @Test
    void operations_are_named_as_redis_knows_them() {
        var story = new Story(POOL, 10);
        story.begin();
        story.hold("a", 3);
        story.confirm("a", 3, 2);
        story.refund("a", new Refund("r-1", 1, true), 2);
        story.hold("b", 1);
        story.cancel("b", 1);
        story.adjust("more", 12);
        story.rebuild();
        String a = Story.id("a");
        String b = Story.id("b");
        assertThat(changes(story.journal()))
                .extracting(change -> change.action() + " " + change.operationId() + " " + change.quantity())
                .containsExactly(
                        "INIT init 10",
                        "TRY TRY:" + a + " 3",
                        "CONFIRM CONFIRM:" + a + " 2",
                        "REFUND REFUND:" + a + ":r-1 1",
                        "TRY TRY:" + b + " 1",
                        "CANCEL RELEASE:" + b + " 1",
                        "ADJUST more 2",
                        "REBUILD rebuild:1 12");
    }

    @Test
    void sold_goods_that_are_not_restocked_move_nothing_and_held_ones_count_as_sold() {
        var story = new Story(POOL, 10);
        story.begin();
        story.hold("a", 3);
        story.confirm("a", 3, 3);
        story.refund("a", new Refund("r-1", 1, false), 3);
        story.hold("b", 2);
        Refund kept = new Refund("r-2", 2, false);
        story.reservation("b", new ReservationEvent.RefundStarted(kept, 2));
        story.reservation("b", new ReservationEvent.HoldRefunded(kept, story.redis.keptSold(2)));
        List<LedgerChange> changes = changes(story.journal());
        assertThat(changes)
                .extracting(LedgerChange::action)
                .doesNotContainSequence(LedgerAction.REFUND, LedgerAction.REFUND);
        assertThat(changes.getLast().move()).isEqualTo(new StockMove(0, 0, 0, -2, 2));
        assertThat(changes).hasSize(5);
    }

    @Test
    void a_refund_after_its_pool_was_archived_is_the_reservations_alone_and_the_book_stays_as_it_was_closed() {
        var story = new Story(POOL, 10);
        story.begin();
        story.hold("a", 3);
        story.confirm("a", 3, 3);
        List<LedgerChange> closed = changes(story.journal());
        Refund late = new Refund("r-1", 2, true);
        story.reservation("a", new ReservationEvent.RefundStarted(late, 3));
        story.reservation("a", new ReservationEvent.RefundRecorded(late));
        assertThat(changes(story.journal())).isEqualTo(closed);
        assertThat(closed.getLast().after().sold()).isEqualTo(3);
    }

    @Test
    void a_denied_hold_and_a_release_of_nothing_move_nothing() {
        var story = new Story(POOL, 1);
        story.request("a", 5);
        story.reservation(
                "a",
                new ReservationEvent.HoldDenied(
                        io.holdfast.reservation.domain.DenialReason.SHORT, story.redis.books()));
        assertThat(changes(story.journal())).isEmpty();
    }

    @Test
    void an_init_found_after_holds_had_moved_the_numbers_opens_with_what_init_wrote() {
        Books found = new Books(1, 3, 10, 0, 7, 2, 1);
        var step = PoolBaseline.next(Optional.empty(), POOL, 4, new StockPoolEvent.PoolInitialized("init", found))
                .orElseThrow();
        assertThat(step.change().after()).isEqualTo(new Books(1, 1, 10, 0, 10, 0, 0));
    }

    @Test
    void a_pool_rebuilt_while_it_was_being_created_has_one_opening() {
        Books rebuilt = new Books(2, 2, 10, 0, 10, 0, 0);
        assertThat(PoolBaseline.next(
                        Optional.empty(), POOL, 4, new StockPoolEvent.PoolRebuilt(1, rebuilt, 0, Instant.EPOCH)))
                .isEmpty();
        var step = PoolBaseline.next(Optional.empty(), POOL, 5, new StockPoolEvent.PoolInitialized("init", rebuilt))
                .orElseThrow();
        assertThat(step.change().after()).isEqualTo(rebuilt);
    }

    @Test
    void a_repair_takes_a_version_and_changes_no_sum() {
        Books right = new Books(1, 8, 10, 0, 7, 2, 1);
        var step = PoolBaseline.next(
                        Optional.of(new PoolBaseline(10, 3)), POOL, 4, new StockPoolEvent.StockRepaired("r-1", right))
                .orElseThrow();
        assertThat(step.change().action()).isEqualTo(LedgerAction.REPAIR);
        assertThat(step.change().move()).isEqualTo(new StockMove(0, 0, 0, 0, 0));
        assertThat(step.change().after()).isEqualTo(right);
        assertThat(step.after()).isEqualTo(new PoolBaseline(10, 4));
    }

    @Test
    void a_pool_that_was_never_created_can_not_be_adjusted() {
        assertThatIllegalStateException()
                .isThrownBy(() -> PoolBaseline.next(
                        Optional.empty(),
                        POOL,
                        1,
                        new StockPoolEvent.TotalAdjusted("a", 2, new Books(1, 2, 5, 0, 5, 0, 0))))
                .withMessageContaining("before it was created");
    }

    @ParameterizedTest
    @CsvSource({
        "m:d:2026-07-25, 2026-07-25",
        "m:d:2024-02-29, 2024-02-29",
        "m:d, infinity",
        "m:d:b1, infinity",
        "m:d:0000-01-01, infinity",
        "2026-07-25:2026-07-25, infinity",
        "m:x2026-07-25, infinity",
        "m:2026-07-25, infinity",
        "m:d:20260725xx, infinity"
    })
    void the_day_of_a_pool_is_its_third_part_or_none(String pool, String day) {
        assertThat(LedgerDay.of(pool)).isEqualTo(day);
    }
}
