package io.holdfast.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lua.Fence;
import io.holdfast.lua.Phase;
import io.holdfast.reconciliation.RunStore.PoolOutcome;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.StockPoolEvent;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ComparisonTest {

    private final Shelf shelf = new Shelf();

    private Comparison compared(Optional<Proof> proof) throws SQLException {
        var comparison = new Comparison(Shelf.POOL, proof, Shelf.NOW, Shelf.NOW, shelf.sides(100));
        while (!comparison.done()) {
            comparison.step();
        }
        return comparison;
    }

    private Comparison compared() throws SQLException {
        return compared(Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 1_000, 20_000})
    void the_rows_held_do_not_grow_with_the_pool(int reservations) throws SQLException {
        for (int i = 0; i < reservations; i++) {
            shelf.hold(i);
        }
        Comparison comparison = compared();
        assertThat(comparison.counts().compared()).isEqualTo(reservations);
        assertThat(comparison.outcome()).isInstanceOf(PoolOutcome.Consistent.class);
        assertThat(shelf.held).allMatch(rows -> rows <= Comparison.PAGE);
        assertThat(shelf.pages).allMatch(rows -> rows <= Comparison.PAGE);
    }

    @Test
    void what_had_an_event_while_redis_was_read_is_read_again_and_no_finding() throws SQLException {
        String id = shelf.hold(1);
        Fence fence = shelf.fences.remove(id);
        // The row that was read is of before; by the time it is read again both sides have gone on.
        shelf.meanwhile = () -> {
            if (shelf.fences.put(id, fence) == null && !shelf.pages.isEmpty()) {
                shelf.touch(id);
            }
        };
        shelf.meanwhile.run();
        shelf.fences.remove(id);
        Comparison comparison = compared();
        assertThat(shelf.found).isEmpty();
        assertThat(comparison.counts().findings()).isZero();
    }

    @Test
    void what_moves_whenever_it_is_looked_at_is_postponed() throws SQLException {
        String id = shelf.hold(1);
        shelf.fences.remove(id);
        shelf.meanwhile = () -> shelf.touch(id);
        Comparison comparison = compared();
        assertThat(shelf.found).isEmpty();
        assertThat(comparison.counts().postponed()).isEqualTo(1);
        assertThat(shelf.moved).isPositive();
    }

    @Test
    void what_is_newer_than_the_watermark_is_not_judged() throws SQLException {
        String id = shelf.hold(1);
        shelf.fences.remove(id);
        shelf.journal.compute(
                id,
                (_, viewed) ->
                        new JournalSide.Viewed(viewed.state(), Shelf.NOW.plusMillis(1), viewed.sequenceNumber()));
        assertThat(compared().counts().postponed()).isEqualTo(1);
        assertThat(shelf.found).isEmpty();
    }

    private void moving() {
        shelf.meanwhile = () -> shelf.books =
                Books.expected(1, shelf.books.version() + 1, shelf.books.total(), shelf.books.version() - 98, 0);
    }

    @Test
    void a_pool_that_moves_while_it_is_read_is_judged_by_its_ledger_alone() throws SQLException {
        shelf.hold(1);
        moving();
        shelf.ledger = version -> Optional.of(Books.expected(1, version, shelf.books.total(), version - 99, 0));
        Comparison comparison = compared();
        assertThat(shelf.found).isEmpty();
        assertThat(((PoolOutcome.Consistent) comparison.outcome()).proof().books())
                .isPresent();
    }

    @Test
    void a_pool_that_moves_and_differs_from_its_ledger_at_that_version_is_found() throws SQLException {
        shelf.hold(1);
        moving();
        shelf.ledger = version -> Optional.of(Books.expected(1, version, shelf.books.total(), version - 98, 0));
        compared();
        assertThat(shelf.found).extracting(Finding::type).containsExactly(FindingType.NUMBERS_DIFFER);
        assertThat(shelf.found).extracting(Finding::kind).containsExactly(FindingClass.REPAIR);
    }

    @Test
    void a_change_that_the_ledger_lacks_is_a_persons_unless_something_is_owed() throws SQLException {
        shelf.hold(1);
        shelf.missing = 1;
        shelf.owing = true;
        assertThat(compared().counts().postponed()).isEqualTo(1);
        assertThat(shelf.found).isEmpty();
        shelf.owing = false;
        compared();
        assertThat(shelf.found)
                .extracting(finding -> finding.type() + " " + finding.kind())
                .containsExactly("LEDGER_INCOMPLETE MANUAL");
    }

    @Test
    void a_ledger_that_is_not_what_reservations_and_redis_come_to_is_a_persons() throws SQLException {
        shelf.hold(1);
        shelf.ledger = version -> Optional.of(Books.expected(1, version, shelf.books.total(), 1, 0));
        compared();
        assertThat(shelf.found)
                .extracting(finding -> finding.type() + " " + finding.kind())
                .containsExactly("LEDGER_DIFFERS MANUAL");
    }

    @Test
    void a_pool_whose_numbers_are_those_that_were_proved_costs_one_look() throws SQLException {
        shelf.hold(1);
        Comparison first = compared();
        Proof proof = ((PoolOutcome.Consistent) first.outcome()).proof();
        shelf.pages.clear();
        assertThat(compared(Optional.of(proof)).outcome()).isEqualTo(new PoolOutcome.Unchanged());
        assertThat(shelf.pages).isEmpty();
    }

    @Test
    void a_number_that_changed_without_a_version_is_seen_although_nothing_has_moved() throws SQLException {
        shelf.hold(1);
        Proof proof = ((PoolOutcome.Consistent) compared().outcome()).proof();
        shelf.books = new Books(1, shelf.books.version(), 1_000_000, 0, 999_999, 2, 0);
        assertThat(compared(Optional.of(proof)).outcome()).isInstanceOf(PoolOutcome.Differs.class);
    }

    @Test
    void a_pool_that_redis_does_not_serve_is_told_to_verify_itself_and_compared_by_the_next_run() throws SQLException {
        shelf.hold(1);
        shelf.trusted = false;
        Comparison met = compared();
        assertThat(shelf.asked).containsExactly("suspect");
        assertThat(met.toldToVerify()).isTrue();
        assertThat(met.outcome()).isInstanceOf(PoolOutcome.Skipped.class);
        List<Finding> named = met.takeFindings();
        assertThat(named).extracting(Finding::type).containsExactly(FindingType.NOT_COMPARED);
        assertThat(named).extracting(Finding::kind).containsExactly(FindingClass.WAIT);
        assertThat(named.getFirst().evidence().journal())
                .contains("another process")
                .contains("verifies itself now");

        shelf.trusted = true;
        Comparison next = compared();
        assertThat(next.takeFindings()).isEmpty();
        assertThat(next.outcome()).isInstanceOf(PoolOutcome.Consistent.class);
        assertThat(shelf.asked).containsExactly("suspect");
    }

    @Test
    void numbers_that_were_proved_before_do_not_hide_that_redis_does_not_serve_the_pool() throws SQLException {
        shelf.hold(1);
        Proof proof = ((PoolOutcome.Consistent) compared().outcome()).proof();
        shelf.trusted = false;
        assertThat(compared(Optional.of(proof)).toldToVerify()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"created", "verified", "loaded anew"})
    void a_pool_that_became_what_its_journal_says_before_that_was_looked_at_is_compared(String what)
            throws SQLException {
        shelf.hold(1);
        Books now = shelf.books;
        switch (what) {
            case "created" -> shelf.gone = true;
            case "verified" -> shelf.trusted = false;
            case "loaded anew" -> shelf.books = Books.expected(0, 1, now.total(), 0, 0);
            default -> throw new AssertionError(what);
        }
        shelf.whenLookedAt = () -> {
            shelf.gone = false;
            shelf.trusted = true;
            shelf.books = now;
        };
        assertThat(compared().outcome()).isInstanceOf(PoolOutcome.Consistent.class);
        assertThat(shelf.found).isEmpty();
        assertThat(shelf.asked).isEmpty();
    }

    @Test
    void a_pool_that_redis_has_not_although_it_was_looked_for_again_is_lost() throws SQLException {
        shelf.gone = true;
        assertThat(compared().outcome()).isInstanceOf(PoolOutcome.Differs.class);
        assertThat(shelf.found).extracting(Finding::type).containsExactly(FindingType.POOL_LOST);
    }

    @Test
    void a_pool_that_knows_already_is_not_told() throws SQLException {
        shelf.trusted = false;
        shelf.happened(new StockPoolEvent.SuspicionRaised("a hold met another process", 1));
        Comparison met = compared();
        assertThat(met.outcome()).isInstanceOf(PoolOutcome.Skipped.class);
        assertThat(met.toldToVerify()).isFalse();
        assertThat(shelf.asked).isEmpty();
    }

    @Test
    void many_differences_are_counted_and_the_pool_is_loaded_anew() throws SQLException {
        for (int i = 0; i < 600; i++) {
            shelf.fences.remove(shelf.hold(i));
        }
        compared();
        assertThat(shelf.found).extracting(Finding::type).contains(FindingType.TOO_MANY);
        assertThat(shelf.held).allMatch(rows -> rows <= 2 * Comparison.PAGE);
    }

    @Test
    void fences_of_nobody_are_looked_for_only_when_the_sums_differ() throws SQLException {
        shelf.hold(1);
        shelf.fences.put("stranger", new Fence(Phase.RESERVED, 3, 0, 0, 0, Map.of()));
        compared();
        assertThat(shelf.found).isEmpty();
        shelf.books = Books.expected(1, shelf.books.version() + 1, shelf.books.total(), 5, 0);
        compared();
        assertThat(shelf.found).extracting(Finding::type).containsExactly(FindingType.FENCE_UNKNOWN);
        assertThat(shelf.found).extracting(Finding::kind).containsExactly(FindingClass.MANUAL);
    }
}
