package io.holdfast.reservation.domain;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lines of one order that are held all together or not at all. Each of them has the whole group in its journal, so that any of them can
 * bring the others in. One of them decides: what it journals of its Try is what became of the group.
 *
 * @param lines at least two, in the order of their reservation ids
 */
public record Group(List<GroupLine> lines) {

    /** @throws IllegalArgumentException if there are fewer than two lines, two of one reservation, or lines of two orders */
    public Group {
        lines = lines.stream()
                .sorted(Comparator.comparing(GroupLine::reservationId))
                .toList();
        Set<String> ids = new HashSet<>();
        lines.forEach(line -> ids.add(line.reservationId()));
        if (lines.size() < 2 || ids.size() < lines.size()) {
            throw new IllegalArgumentException("a group needs at least two lines, each of another reservation");
        }
        String order = lines.getFirst().terms().line().orderId();
        if (lines.stream().anyMatch(line -> !line.terms().line().orderId().equals(order))) {
            throw new IllegalArgumentException("the lines of a group must be of one order");
        }
    }

    /** What became of a group. */
    public enum Fate {
        /** Nothing that is journaled. */
        OPEN,
        /** All lines are held, or were. */
        HELD,
        /** No line is held, nor ever will be. */
        REJECTED
    }

    /** Identity: the same lines, pools and quantities have the same, and others have another. */
    public String id() {
        return ReservationIds.digest("group|"
                + lines.stream()
                        .map(line -> line.reservationId() + "|" + line.pool().value() + "|"
                                + line.terms().quantity())
                        .collect(Collectors.joining("|")));
    }

    /** The line that decides: the first. */
    public GroupLine deciding() {
        return lines.getFirst();
    }

    /** Whether this line decides. */
    public boolean isDecidedBy(String reservationId) {
        return deciding().reservationId().equals(reservationId);
    }

    /** The line of this reservation. */
    public Optional<GroupLine> line(String reservationId) {
        return lines.stream()
                .filter(line -> line.reservationId().equals(reservationId))
                .findFirst();
    }

    /** The lines but for this one. */
    public List<GroupLine> without(String reservationId) {
        return lines.stream()
                .filter(line -> !line.reservationId().equals(reservationId))
                .toList();
    }

    /** Whether the other asks for the same; which pools its lines were given is a matter of each line. */
    public boolean asksTheSame(Group other) {
        return terms().equals(other.terms());
    }

    private List<Terms> terms() {
        return lines.stream().map(GroupLine::terms).toList();
    }

    /** What the journal of the deciding line says became of this group. */
    public Fate fateBy(Reservation deciding) {
        return switch (deciding.unmarked()) {
            case Reservation.None _ -> Fate.OPEN;
            case Reservation.Preparing preparing -> isOf(preparing.claim()) ? Fate.OPEN : Fate.REJECTED;
            case Reservation.Rejected _ -> Fate.REJECTED;
            case Reservation.Canceled canceled ->
                canceled.account().isPresent()
                                && canceled.claim().filter(this::isOf).isPresent()
                        ? Fate.HELD
                        : Fate.REJECTED;
            case Reservation.Accounted accounted -> isOf(accounted.claim()) ? Fate.HELD : Fate.REJECTED;
        };
    }

    /** How a line of the group stands to it, before the deciding line has journaled anything. */
    public enum Standing {
        /** It was never asked for, and may yet be. */
        NOT_ASKED,
        /** It has the group in its journal, and does not know what became of it; also where a person ended it meanwhile. */
        WAITS,
        /** It can't be one of this group any more. */
        NEVER,
        /** It has journaled what became of the group. */
        KNOWS
    }

    /** How this line stands to the group. */
    public Standing standing(Reservation line) {
        return switch (line.unmarked()) {
            case Reservation.None _ -> Standing.NOT_ASKED;
            case Reservation.Preparing preparing -> isOf(preparing.claim()) ? Standing.WAITS : Standing.NEVER;
            case Reservation.Canceled canceled ->
                canceled.claim().filter(this::isOf).isEmpty()
                        ? Standing.NEVER
                        : canceled.account().isPresent() ? Standing.KNOWS : Standing.WAITS;
            case Reservation.Claimed claimed -> isOf(claimed.claim()) ? Standing.KNOWS : Standing.NEVER;
        };
    }

    private boolean isOf(Claim claim) {
        return claim.group().filter(this::equals).isPresent();
    }
}
