package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** A scheduled order: created by an event, kept reserved, and confirmed at its processing time although nobody asks again. */
final class ScheduledOrderStep implements Step {

    private static final String DISH = "bento";
    private static final String ITEM = "item-scheduled";
    private static final Duration AHEAD = Duration.ofSeconds(4);

    @Override
    public String title() {
        return "A scheduled order over Kafka: reserved when it is created, sold at its processing time";
    }

    @Override
    public boolean needsKafka() {
        return true;
    }

    @Override
    public void walk(Stage stage) throws Exception {
        stage.setOut(Stage.MERCHANT, DISH, Map.of("every_day", 10));
        Instant due = Instant.now().plus(AHEAD).truncatedTo(ChronoUnit.MILLIS);
        var held = stage.holdFor(Stage.MERCHANT, DISH, ITEM, 2, Map.of("processing_time", due.toString()));
        String id = Stage.idOf(DISH, ITEM);
        stage.orderCreated("evt-scheduled", Stage.MERCHANT, DISH, ITEM, 2);
        Optional<JsonNode> scheduled = stage.broker().told(Broker.LIFECYCLE, "InventoryConfirmScheduled", id);
        var confirmed = stage.becomes(id, "CONFIRMED");
        Optional<Instant> begun = begun(stage, id);
        var report = stage.report();
        scheduled.ifPresent(message -> report.saw("from " + Broker.LIFECYCLE + ": due at " + message.path("due_at")));
        begun.ifPresent(
                at -> report.saw("confirmed " + Duration.between(due, at).toMillis() + " ms after its time"));
        report.check(
                "the first who asks has the day's pool made from the baseline: " + held.text("/terms/pool"),
                held.text("/status").equals("RESERVED"));
        report.check(
                "the created order keeps its units reserved until it is due",
                scheduled
                        .filter(message -> message.path("due_at").asText().equals(due.toString()))
                        .isPresent());
        report.check(
                "it is confirmed by itself, and not before its time",
                confirmed.text("/status").equals("CONFIRMED")
                        && begun.filter(at -> !at.isBefore(due)).isPresent());
    }

    /** When its Confirm began, by its journal. */
    private static Optional<Instant> begun(Stage stage, String reservation) {
        var journal = stage.api().get("/v1/reservations/" + reservation + "/journal");
        return StreamSupport.stream(journal.body().path("entries").spliterator(), false)
                .filter(entry -> entry.path("event").asText().equals("ConfirmStarted"))
                .map(entry -> Instant.parse(entry.path("at").asText()))
                .findFirst();
    }
}
