package io.holdfast.lua.script;

import io.holdfast.lua.Books;
import io.holdfast.lua.Fence;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.PoolRepairRequest.FenceRepair;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Fences as arguments: one line each, as {@code shared.lua} reads them. */
final class FenceLines {

    private static final String NONE = "NONE";

    private FenceLines() {}

    static String text(List<JournaledFence> fences) {
        StringBuilder lines = new StringBuilder(fences.size() * 128);
        for (JournaledFence fence : fences) {
            append(lines.isEmpty() ? lines : lines.append('\n'), fence);
        }
        return lines.toString();
    }

    /** Whose they are, in their order. */
    static List<String> reservations(List<JournaledFence> fences) {
        return fences.stream().map(JournaledFence::reservation).toList();
    }

    private static void append(StringBuilder line, JournaledFence fence) {
        line.append(fence.reservation())
                .append(' ')
                .append(fence.phase().name())
                .append(' ')
                .append(fence.quantity())
                .append(' ')
                .append(fence.confirmed())
                .append(' ')
                .append(fence.released())
                .append(' ')
                .append(fence.refunded());
        append(line.append(' '), fence.hold());
        if (fence.latest().equals(fence.hold())) {
            line.append(" =");
        } else {
            append(line.append(' '), fence.latest());
        }
        fence.admitted()
                .ifPresent(by -> line.append(" @")
                        .append(by.user())
                        .append(',')
                        .append(by.request())
                        .append(',')
                        .append(by.deadline().toEpochMilli()));
        for (JournaledFence.Refund refund : fence.refunds()) {
            line.append(' ')
                    .append(refund.id())
                    .append(',')
                    .append(refund.quantity())
                    .append(',')
                    .append(refund.restock() ? '1' : '0');
        }
    }

    private static void append(StringBuilder line, Books books) {
        line.append(books.epoch())
                .append(' ')
                .append(books.version())
                .append(' ')
                .append(books.total())
                .append(' ')
                .append(books.deficit())
                .append(' ')
                .append(books.available())
                .append(' ')
                .append(books.reserved())
                .append(' ')
                .append(books.sold());
    }

    /** The fence a repair leaves; empty where it leaves fences alone. */
    static String text(Optional<FenceRepair> repair) {
        return repair.map(named ->
                        named.journaled().map(fence -> text(List.of(fence))).orElse(named.reservation() + " " + NONE))
                .orElse("");
    }

    /** The fence of this reservation, of which nothing is said. */
    static String nothingOf(Optional<String> reservation) {
        return reservation.map(id -> id + " " + NONE).orElse("");
    }

    /** The fence a repair was decided on; empty where it leaves fences alone. */
    static String seen(Optional<FenceRepair> repair) {
        return repair.map(named -> named.seen().map(FenceLines::seen).orElse(NONE))
                .orElse("");
    }

    private static String seen(Fence fence) {
        return fence.phase() + "," + fence.quantity() + "," + fence.confirmed() + "," + fence.released() + ","
                + fence.refunded();
    }

    /** What these lines begin with, in their order: the reservations they are about, or the pools. */
    static Stream<String> firstWords(String lines) {
        return lines.lines().map(line -> line.split(" ", 2)[0]);
    }
}
