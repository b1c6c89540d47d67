package io.holdfast.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.reconciliation.RecordedFinding.State;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolEvent;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RepairsTest {

    private final Shelf shelf = new Shelf();

    private Comparison compared() throws SQLException {
        var comparison = new Comparison(Shelf.POOL, Optional.empty(), Shelf.NOW, Shelf.NOW, shelf.sides(100));
        while (!comparison.done()) {
            comparison.step();
            shelf.found(Shelf.NO_DATABASE, "run-1", Shelf.POOL.value(), comparison.takeFindings());
        }
        return comparison;
    }

    private void repaired() throws SQLException {
        repaired(compared());
    }

    private void repaired(Comparison comparison) throws SQLException {
        var repairs = new Repairs(
                shelf.run(RunRequest.Mode.REPAIR),
                Shelf.POOL,
                comparison.numbers(),
                shelf.sides(100),
                shelf,
                InstantSource.fixed(Shelf.NOW));
        while (!repairs.done()) {
            repairs.step(Shelf.NO_DATABASE);
        }
    }

    private State state() {
        return shelf.recorded.getFirst().state();
    }

    @Test
    void a_missing_fence_is_put_back_in_one_operation_that_leaves_the_numbers_as_they_are() throws SQLException {
        String id = shelf.hold(1);
        var fence = shelf.fences.remove(id);
        Books before = shelf.books;
        repaired();
        assertThat(shelf.asked).containsExactly("repair");
        assertThat(state()).isEqualTo(State.REPAIRED);
        assertThat(shelf.fences).containsEntry(id, fence);
        assertThat(shelf.books.sameNumbers(before)).isTrue();
        assertThat(shelf.books.version()).isEqualTo(before.version() + 1);
    }

    private static final Sale SALE = new Sale(5, Shelf.BEFORE, Shelf.NOW.plusSeconds(60), 1);

    @Test
    void what_a_gate_let_in_and_no_journal_knows_is_handed_over_and_not_taken_back() throws SQLException {
        var sale = new Shelf(Optional.of(SALE));
        sale.hold(1);
        String id = sale.letIn(2);
        Books before = sale.books;
        settled(sale);
        assertThat(sale.handedOver).containsExactly(id + " u2 2");
        assertThat(sale.asked).isEmpty();
        assertThat(sale.books).isEqualTo(before);
        assertThat(sale.recorded)
                .filteredOn(one -> one.finding().type() == FindingType.FENCE_UNKNOWN)
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo(State.REPAIRED));
    }

    @Test
    void it_stays_found_while_its_reservation_can_not_be_told() throws SQLException {
        var sale = new Shelf(Optional.of(SALE));
        sale.letIn(2);
        sale.reservationsAway = true;
        settled(sale);
        assertThat(sale.recorded)
                .filteredOn(one -> one.finding().type() == FindingType.FENCE_UNKNOWN)
                .singleElement()
                .satisfies(one -> assertThat(one.state()).isEqualTo(State.OPEN));
    }

    @Test
    void a_fence_that_no_gate_wrote_is_a_persons_to_decide_in_a_sale_too() throws SQLException {
        var sale = new Shelf(Optional.of(SALE));
        String id = sale.hold(1);
        sale.journal.remove(id);
        settled(sale);
        assertThat(sale.handedOver).isEmpty();
        assertThat(sale.recorded)
                .filteredOn(one -> one.finding().type() == FindingType.FENCE_UNKNOWN)
                .singleElement()
                .satisfies(one -> assertThat(one.finding().kind()).isEqualTo(FindingClass.MANUAL));
    }

    @Test
    void numbers_are_left_alone_while_what_a_gate_let_in_gets_into_its_journals() throws SQLException {
        var sale = new Shelf(Optional.of(SALE));
        sale.hold(1);
        String id = sale.letIn(2);
        Books before = sale.books;
        sale.listed = 1;
        sale.missing = 1;
        // By the time fences are looked for that no journal knows, this one is known.
        sale.meanwhile = () -> {
            if (sale.journal.size() == 1) {
                var known = sale.journal.firstEntry().getValue();
                sale.journal.put(id, known);
            }
        };
        settled(sale);
        assertThat(sale.recorded).isEmpty();
        assertThat(sale.asked).isEmpty();
        assertThat(sale.books).isEqualTo(before);
    }

    @Test
    void the_ledger_lacks_nothing_while_what_a_gate_let_in_is_on_its_list() throws SQLException {
        for (long listed : new long[] {1, 0}) {
            var sale = new Shelf(Optional.of(SALE));
            sale.hold(1);
            sale.missing = 1;
            sale.listed = listed;
            settled(sale);
            assertThat(sale.recorded.stream().anyMatch(one -> one.finding().type() == FindingType.LEDGER_INCOMPLETE))
                    .isEqualTo(listed == 0);
        }
    }

    @Test
    void a_hold_that_fell_off_the_list_of_its_gate_is_all_the_ledger_lacks() throws SQLException {
        for (boolean moved : new boolean[] {false, true}) {
            for (int missing : new int[] {1, 2}) {
                var sale = new Shelf(Optional.of(SALE));
                String known = sale.hold(1);
                String id = sale.letIn(2);
                sale.missing = missing;
                if (moved) {
                    // Traffic: what is held is not known for sure, and the fences are looked through all the same.
                    sale.meanwhile = () -> sale.touch(known);
                }
                settled(sale);
                assertThat(sale.recorded)
                        .extracting(one ->
                                one.finding().type() + " " + one.finding().kind())
                        .contains("FENCE_UNKNOWN REPAIR");
                assertThat(sale.handedOver).containsExactly(id + " u2 2");
                assertThat(sale.recorded.stream()
                                .anyMatch(one -> one.finding().type() == FindingType.LEDGER_INCOMPLETE))
                        .as("%d changes are missing", missing)
                        .isEqualTo(missing > 1);
            }
        }
    }

    private static void settled(Shelf sale) throws SQLException {
        var comparison = new Comparison(Shelf.POOL, Optional.empty(), Shelf.NOW, Shelf.NOW, sale.sides(100));
        while (!comparison.done()) {
            comparison.step();
            sale.found(Shelf.NO_DATABASE, "run-1", Shelf.POOL.value(), comparison.takeFindings());
        }
        var repairs = new Repairs(
                sale.run(RunRequest.Mode.REPAIR),
                Shelf.POOL,
                comparison.numbers(),
                sale.sides(100),
                sale,
                InstantSource.fixed(Shelf.NOW));
        while (!repairs.done()) {
            repairs.step(Shelf.NO_DATABASE);
        }
    }

    @Test
    void three_lost_races_pause_the_pool_for_one_check_and_it_goes_on() throws SQLException {
        shelf.fences.remove(shelf.hold(1));
        shelf.lostWhileOpen = 3;
        repaired();
        assertThat(shelf.asked)
                .containsExactly(
                        "repair", "repair", "repair", "kept that it will be paused", "pause", "repair", "resume");
        assertThat(shelf.racesLost).isEqualTo(3);
        assertThat(state()).isEqualTo(State.REPAIRED);
        assertThat(shelf.pool().status()).isEqualTo(StockPool.Status.OPEN);
        assertThat(shelf.paused).isEmpty();
    }

    @Test
    void two_lost_races_disturb_nobody() throws SQLException {
        shelf.fences.remove(shelf.hold(1));
        shelf.lostWhileOpen = 2;
        repaired();
        assertThat(shelf.asked).containsExactly("repair", "repair", "repair");
        assertThat(state()).isEqualTo(State.REPAIRED);
    }

    @Test
    void a_repair_that_loses_also_while_the_pool_is_paused_is_left_and_the_pool_goes_on() throws SQLException {
        shelf.fences.remove(shelf.hold(1));
        shelf.lostWhileOpen = 3;
        shelf.lostWhilePaused = 3;
        repaired();
        assertThat(shelf.asked).endsWith("pause", "repair", "repair", "repair", "resume");
        assertThat(state()).isEqualTo(State.OPEN);
        assertThat(shelf.pool().status()).isEqualTo(StockPool.Status.OPEN);
    }

    @Test
    void a_pool_that_somebody_has_paused_is_neither_paused_nor_resumed() throws SQLException {
        shelf.fences.remove(shelf.hold(1));
        pausedBy("somebody");
        shelf.lostWhilePaused = 3;
        repaired();
        assertThat(shelf.asked).containsExactly("repair", "repair", "repair", "repair");
        assertThat(state()).isEqualTo(State.REPAIRED);
        assertThat(shelf.pool().status()).isEqualTo(StockPool.Status.PAUSED);
    }

    @Test
    void a_pool_that_a_node_paused_and_never_resumed_is_resumed_unless_somebody_else_has_paused_it_since()
            throws SQLException {
        pausedBy("reconcile-1");
        Repairs.resume(Shelf.NO_DATABASE, shelf, shelf.sides(100), "run-1", Shelf.POOL, "reconcile-1");
        assertThat(shelf.pool().status()).isEqualTo(StockPool.Status.OPEN);
        pausedBy("reconcile-2");
        pausedBy("somebody");
        Repairs.resume(Shelf.NO_DATABASE, shelf, shelf.sides(100), "run-1", Shelf.POOL, "reconcile-2");
        assertThat(shelf.pool().status()).isEqualTo(StockPool.Status.PAUSED);
    }

    private void pausedBy(String operation) {
        shelf.happened(new StockPoolEvent.OperationAccepted(new PoolOperation.Pause(operation)));
        shelf.happened(new StockPoolEvent.PoolPaused(operation, shelf.books));
    }

    @Test
    void numbers_that_moved_on_are_put_right_by_the_difference_that_was_found() throws SQLException {
        shelf.hold(1);
        shelf.books = new Books(1, 101, 1_000_000, 0, 1_000_000, 0, 0);
        Comparison comparison = compared();
        assertThat(shelf.found).extracting(Finding::type).containsExactly(FindingType.NUMBERS_DIFFER);
        shelf.hold(2);
        repaired(comparison);
        assertThat(shelf.books.sameNumbers(Books.expected(1, 0, 1_000_000, 4, 0)))
                .isTrue();
    }

    @Test
    void a_pool_in_which_too_many_fences_differ_is_loaded_anew_and_none_is_put_back_one_by_one() throws SQLException {
        for (int i = 0; i < 150; i++) {
            shelf.hold(i);
        }
        var whole = Map.copyOf(shelf.fences);
        shelf.fences.clear();
        shelf.whenSuspected = () -> shelf.fences.putAll(whole);
        repaired();
        assertThat(shelf.asked).containsExactly("suspect");
        assertThat(shelf.recorded)
                .extracting(RecordedFinding::state)
                .doesNotContain(State.OPEN)
                .filteredOn(State.REPAIRED::equals)
                .hasSize(1);
    }

    @Test
    void what_agrees_by_the_time_of_the_repair_is_left_alone() throws SQLException {
        String id = shelf.hold(1);
        var fence = shelf.fences.remove(id);
        Comparison comparison = compared();
        shelf.fences.put(id, fence);
        repaired(comparison);
        assertThat(shelf.asked).isEmpty();
        assertThat(state()).isEqualTo(State.GONE);
    }
}
