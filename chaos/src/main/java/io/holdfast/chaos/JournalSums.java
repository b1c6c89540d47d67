package io.holdfast.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the events of reservations add up to, computed from their JSON alone. */
final class JournalSums {

    private final Map<String, Sum> sums = new TreeMap<>();
    private final List<Picture.Move> moves = new ArrayList<>();
    private final List<String> announced = new ArrayList<>();

    private static final class Sum {
        private String pool = "";
        private long quantity;
        private long sequence;
        private long held;
        private long reserved;
        private long sold;
        private boolean confirmed;
        private boolean lost;
        private final Map<String, Long> refunds = new HashMap<>();
    }

    /** Takes the next event of a reservation. */
    void event(String id, long sequence, String type, JsonNode data) {
        Sum sum = sums.computeIfAbsent(id, _ -> new Sum());
        sum.sequence = sequence;
        if (Announced.ENTRIES.contains(type)) {
            announced.add(Announced.id(id, sequence));
        }
        switch (type) {
            case "HoldRequested" -> asked(sum, data);
            case "HoldAdopted", "AdmissionCameLate" -> {
                asked(sum, data);
                granted(id, sum, data, "TRY");
            }
            case "HoldGranted" -> granted(id, sum, data, "TRY");
            case "HoldConfirmed" -> {
                sum.reserved -=
                        data.at("/confirmed").asLong() + data.at("/released").asLong();
                sum.sold += data.at("/confirmed").asLong();
                sum.confirmed = true;
                moved(sum, data, "CONFIRM " + id);
            }
            case "HoldReleased", "AdmissionReturned" -> {
                sum.reserved -= data.at("/released").asLong();
                moved(sum, data, "RELEASE " + id);
            }
            case "HoldRefunded" -> refunded(id, sum, data);
            case "AdmissionWasLost" -> {
                sum.reserved = 0;
                sum.lost = true;
            }
            default -> {} // it moves no units
        }
    }

    private static void asked(Sum sum, JsonNode data) {
        sum.pool = data.at("/pool").asText();
        sum.quantity = data.at("/terms/quantity").asLong();
    }

    private void granted(String id, Sum sum, JsonNode data, String operation) {
        sum.held = sum.quantity;
        sum.reserved = sum.quantity;
        moved(sum, data, operation + " " + id);
    }

    private void refunded(String id, Sum sum, JsonNode data) {
        String refund = data.at("/refund/id").asText();
        long units = data.at("/refund/quantity").asLong();
        boolean restock = data.at("/refund/restock").asBoolean();
        sum.refunds.merge(refund, units, Long::sum);
        if (sum.confirmed) {
            sum.sold -= restock ? units : 0;
        } else {
            sum.reserved -= units;
            sum.sold += restock ? 0 : units;
        }
        if (restock || !sum.confirmed) {
            moved(sum, data, "REFUND " + id + " " + refund);
        }
    }

    private void moved(Sum sum, JsonNode data, String operation) {
        moves.add(new Picture.Move(
                sum.pool,
                data.at("/books/epoch").asLong(),
                data.at("/books/version").asLong(),
                operation));
    }

    /** Ids of the events that tell of what is in the journals. */
    List<String> announced() {
        return List.copyOf(announced);
    }

    List<Picture.Move> moves() {
        return List.copyOf(moves);
    }

    /**
     * All reservations.
     *
     * @param shown the status of each, as the read side has it
     */
    Map<String, Picture.Hold> holds(Map<String, String> shown) {
        Map<String, Picture.Hold> holds = new TreeMap<>();
        sums.forEach((id, sum) -> holds.put(
                id,
                new Picture.Hold(
                        Shelf.whole(sum.pool),
                        shown.getOrDefault(id, "not shown"),
                        sum.sequence,
                        sum.held,
                        sum.reserved,
                        sum.sold,
                        sum.refunds,
                        sum.lost)));
        return holds;
    }
}
