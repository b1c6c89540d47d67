package io.holdfast.reservation.domain;

import static io.holdfast.reservation.domain.A.LATER;
import static io.holdfast.reservation.domain.A.LINE;
import static io.holdfast.reservation.domain.A.NOW;
import static io.holdfast.reservation.domain.A.POOL;
import static io.holdfast.reservation.domain.A.TERMS;
import static io.holdfast.reservation.domain.A.books;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.reservation.domain.Group.Fate;
import io.holdfast.reservation.domain.Group.Standing;
import io.holdfast.reservation.domain.ReservationEvent.HoldDenied;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldReleased;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationEvent.ReleaseStarted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewLifted;
import io.holdfast.reservation.domain.ReservationEvent.ReviewOpened;
import io.holdfast.reservation.domain.ReservationEvent.TombstoneSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GroupTest {

    private static final GroupLine FIRST = new GroupLine(POOL, TERMS);
    private static final GroupLine SECOND = line("bread", "item-2", 3);
    private static final Group GROUP = new Group(List.of(FIRST, SECOND));
    private static final String DECIDING = GROUP.deciding().reservationId();
    private static final ReservationEvent REQUESTED =
            new HoldRequested(GROUP.deciding().pool(), GROUP.deciding().terms(), LATER, Optional.of(GROUP));
    private static final Cancellation FAILED =
            new Cancellation(Cancellation.Cause.ORDER_CREATED_FAILED, Optional.of(A.ORDER), "no");
    private static final ReservationMachine MACHINE = new ReservationMachine(A.POLICIES);

    private static GroupLine line(String dish, String item, long quantity) {
        return new GroupLine(
                PoolId.parse("m-1:" + dish + ":2026-07-25"),
                new Terms(
                        new Line("m-1", dish, A.ORDER, item, Optional.empty()),
                        quantity,
                        new OrderType.InstantOrder()));
    }

    private static Reservation after(ReservationEvent... past) {
        Reservation state = MACHINE.initial(DECIDING);
        for (ReservationEvent event : past) {
            state = MACHINE.evolve(state, event);
        }
        return state;
    }

    @Test
    void lines_are_in_the_order_of_their_ids_however_they_are_given() {
        Group turned = new Group(List.of(SECOND, FIRST));

        assertThat(turned).isEqualTo(GROUP);
        assertThat(turned.id()).isEqualTo(GROUP.id());
        assertThat(turned.lines())
                .extracting(GroupLine::reservationId)
                .isSortedAccordingTo(String::compareTo)
                .containsExactlyInAnyOrder(LINE.reservationId(), SECOND.reservationId());
        assertThat(turned.deciding()).isEqualTo(turned.lines().getFirst());
    }

    @Test
    void other_lines_quantities_or_pools_are_another_group() {
        List<Group> others = List.of(
                new Group(List.of(FIRST, line("bread", "item-2", 4))),
                new Group(List.of(FIRST, line("bread", "item-3", 3))),
                new Group(List.of(FIRST, new GroupLine(PoolId.parse("m-1:bread:2026-07-26"), SECOND.terms()))),
                new Group(List.of(FIRST, SECOND, line("tea", "item-4", 1))));

        assertThat(others).allSatisfy(other -> {
            assertThat(other).isNotEqualTo(GROUP);
            assertThat(other.id()).isNotEqualTo(GROUP.id());
        });
    }

    @Test
    void it_needs_two_lines_of_one_order_and_no_line_twice() {
        GroupLine elsewhere = new GroupLine(
                POOL,
                new Terms(
                        new Line("m-1", "soup", "order-2", "item-9", Optional.empty()),
                        1,
                        new OrderType.InstantOrder()));

        assertThatThrownBy(() -> new Group(List.of(FIRST))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Group(List.of(FIRST, FIRST))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Group(List.of(FIRST, elsewhere))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_request_must_be_a_line_of_its_group() {
        assertThatThrownBy(() -> new ReservationCommand.Reserve(
                        line("tea", "item-4", 1).terms(), new PoolChoice.Named(POOL), LATER, Optional.of(GROUP)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void its_fate_is_what_the_deciding_line_has_journaled() {
        ReservationEvent granted = new HoldGranted(books(2, 5, 0));
        ReservationEvent denied = new HoldDenied(DenialReason.OTHER_LINE, books(1, 0, 0));
        ReservationEvent frozen = new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));
        ReservationEvent alone =
                new HoldRequested(GROUP.deciding().pool(), GROUP.deciding().terms(), LATER);

        assertThat(GROUP.fateBy(after())).isEqualTo(Fate.OPEN);
        assertThat(GROUP.fateBy(after(REQUESTED))).isEqualTo(Fate.OPEN);
        assertThat(GROUP.fateBy(after(REQUESTED, frozen))).isEqualTo(Fate.OPEN);
        assertThat(GROUP.fateBy(after(REQUESTED, granted))).isEqualTo(Fate.HELD);
        assertThat(GROUP.fateBy(after(REQUESTED, granted, new ReleaseStarted(FAILED))))
                .isEqualTo(Fate.HELD);
        assertThat(GROUP.fateBy(
                        after(REQUESTED, granted, new ReleaseStarted(FAILED), new HoldReleased(5, books(3, 0, 0)))))
                .as("held, and given back since")
                .isEqualTo(Fate.HELD);
        assertThat(GROUP.fateBy(after(REQUESTED, denied))).isEqualTo(Fate.REJECTED);
        assertThat(GROUP.fateBy(after(
                        REQUESTED,
                        frozen,
                        new ReviewLifted(new Resolution.StandAs(Resolution.Ending.CANCELED), "nothing held"))))
                .isEqualTo(Fate.REJECTED);
        assertThat(GROUP.fateBy(after(new TombstoneSet(FAILED)))).isEqualTo(Fate.REJECTED);
        assertThat(GROUP.fateBy(after(alone))).isEqualTo(Fate.REJECTED);
        assertThat(GROUP.fateBy(after(alone, granted))).isEqualTo(Fate.REJECTED);
    }

    @Test
    void a_line_stands_to_its_group_as_its_journal_says() {
        ReservationEvent frozen = new ReviewOpened(new Review(Review.Trigger.FROZEN, "disputed", Map.of()));
        ReservationEvent alone =
                new HoldRequested(GROUP.deciding().pool(), GROUP.deciding().terms(), LATER);
        ReservationEvent granted = new HoldGranted(books(2, 5, 0));

        assertThat(GROUP.standing(after())).isEqualTo(Standing.NOT_ASKED);
        assertThat(GROUP.standing(after(REQUESTED))).isEqualTo(Standing.WAITS);
        assertThat(GROUP.standing(after(REQUESTED, frozen))).isEqualTo(Standing.WAITS);
        assertThat(GROUP.standing(after(
                        REQUESTED,
                        frozen,
                        new ReviewLifted(new Resolution.StandAs(Resolution.Ending.CANCELED), "nothing held"))))
                .as("a person ended it, and that says nothing of the group")
                .isEqualTo(Standing.WAITS);
        assertThat(GROUP.standing(after(new TombstoneSet(FAILED)))).isEqualTo(Standing.NEVER);
        assertThat(GROUP.standing(after(alone))).isEqualTo(Standing.NEVER);
        assertThat(GROUP.standing(after(alone, granted))).isEqualTo(Standing.NEVER);
        assertThat(GROUP.standing(after(REQUESTED, granted))).isEqualTo(Standing.KNOWS);
        assertThat(GROUP.standing(after(REQUESTED, new HoldDenied(DenialReason.SHORT, books(1, 0, 0)))))
                .isEqualTo(Standing.KNOWS);
        assertThat(GROUP.standing(
                        after(REQUESTED, granted, new ReleaseStarted(FAILED), new HoldReleased(5, books(3, 0, 0)))))
                .isEqualTo(Standing.KNOWS);
    }

    @Test
    void each_line_owes_the_try_of_its_group_and_nothing_of_its_own() {
        Reservation line = after(REQUESTED);

        assertThat(MACHINE.owe(line).effects())
                .containsExactly(new ReservationEffect.TryGroup(
                        DECIDING, GROUP.deciding().pool(), GROUP, LATER, 0, Optional.empty(), A.POLICIES.script()));
        assertThat(MACHINE.owe(line).effects().getFirst().operationId()).isEqualTo("TRY:" + DECIDING);
        assertThat(NOW).isBefore(LATER);
    }
}
