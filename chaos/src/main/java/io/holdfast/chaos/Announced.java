package io.holdfast.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What others are told of reservations without asking.
 *
 * @param journaled ids of what is to be told, by the journals: {@code reservation|ID#NUMBER}
 * @param streamed ids of what somebody who follows the stream of events was told, in order
 * @param called ids of what a webhook's receiver has taken, in order
 */
record Announced(List<String> journaled, List<String> streamed, List<String> called) {

    /** The types of events that are followed. */
    static final List<String> TYPES = List.of("InventoryReserved", "InventoryConfirmed", "InventoryCanceled");

    /** The entries of journals of which every one is told by an event of these types, and by one. */
    static final Set<String> ENTRIES =
            Set.of("HoldGranted", "HoldAdopted", "HoldConfirmed", "HoldReleased", "AdmissionWasLost", "TombstoneSet");

    /** Nobody is told, and nothing is there to tell. */
    static final Announced NOTHING = new Announced(List.of(), List.of(), List.of());

    Announced {
        journaled = List.copyOf(journaled);
        streamed = List.copyOf(streamed);
        called = List.copyOf(called);
    }

    /** The id under which an entry is told. */
    static String id(String reservation, long sequence) {
        return "reservation|" + reservation + "#" + sequence;
    }

    /** A stream tells everything once; a webhook's receiver is told everything; both in the order of each journal. */
    List<Violation> check() {
        List<Violation> found = new ArrayList<>();
        Set<String> once = new HashSet<>();
        streamed.stream()
                .filter(id -> !once.add(id))
                .forEach(id -> found.add(new Violation("a stream tells everything once", id + " was told twice")));
        missing(streamed)
                .forEach(id -> found.add(new Violation("a stream tells everything once", id + " was never told")));
        missing(called).forEach(id -> found.add(new Violation("a webhook tells everything", id + " was never taken")));
        outOfOrder(streamed).forEach(id -> found.add(new Violation("what is told is told in order", id)));
        outOfOrder(called).forEach(id -> found.add(new Violation("what is told is told in order", id)));
        return found;
    }

    private List<String> missing(List<String> told) {
        Set<String> all = new HashSet<>(told);
        return journaled.stream().filter(id -> !all.contains(id)).toList();
    }

    /** Those that came for the first time after a later one of the same journal had. */
    private static List<String> outOfOrder(List<String> told) {
        Map<String, Long> latest = new HashMap<>();
        Set<String> seen = new HashSet<>();
        List<String> late = new ArrayList<>();
        for (String id : told) {
            int number = id.lastIndexOf('#');
            if (number > 0 && seen.add(id)) {
                long sequence = Long.parseLong(id.substring(number + 1));
                if (latest.merge(id.substring(0, number), sequence, Math::max) > sequence) {
                    late.add(id);
                }
            }
        }
        return late;
    }
}
