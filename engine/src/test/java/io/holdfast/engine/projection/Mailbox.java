package io.holdfast.engine.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** For tests: the outside that events are delivered to. Remembers what it acknowledged, in order; how it answers is the test's. */
final class Mailbox implements DeliveryHandler {

    interface Answer {
        /** How to answer; whatever is acknowledged by then is already in the mailbox. */
        CompletionStage<Delivery> to(List<JournalRow> rows);
    }

    private final List<String> received = new ArrayList<>();
    private int batches;
    private volatile Answer answer = rows -> CompletableFuture.completedFuture(Delivery.COMPLETE);

    void answers(Answer next) {
        answer = next;
    }

    @Override
    public String name() {
        return "mailbox";
    }

    @Override
    public CompletionStage<Delivery> deliver(List<JournalRow> rows) {
        synchronized (this) {
            batches++;
        }
        CompletionStage<Delivery> answered = answer.to(rows);
        return answered.thenApply(delivery -> {
            take(rows, delivery);
            return delivery;
        });
    }

    private synchronized void take(List<JournalRow> rows, Delivery delivery) {
        Map<String, Long> refusedFrom = new HashMap<>();
        delivery.refused()
                .forEach(each ->
                        refusedFrom.merge(each.row().persistenceId(), each.row().sequenceNumber(), Math::min));
        for (JournalRow row : rows) {
            if (row.sequenceNumber() < refusedFrom.getOrDefault(row.persistenceId(), Long.MAX_VALUE)) {
                received.add(row.eventId());
            }
        }
    }

    /** Rows that arrived although no answer told so. */
    synchronized void arrived(List<JournalRow> rows) {
        rows.forEach(row -> received.add(row.eventId()));
    }

    synchronized List<String> received() {
        return List.copyOf(received);
    }

    synchronized int batches() {
        return batches;
    }

    /** Events in the order in which each came first. */
    synchronized List<String> distinct() {
        return received.stream().distinct().toList();
    }
}
