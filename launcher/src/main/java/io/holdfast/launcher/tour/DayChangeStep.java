package io.holdfast.launcher.tour;

import io.holdfast.launcher.Api.Answer;
import io.holdfast.reservation.domain.ReservationIds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/**
 * Midnight, at a merchant whose wall clock is so that it comes within seconds. New requests use the next day's pool; what was held before goes
 * on where it was, and only when it has ended is the old day's pool archived.
 */
final class DayChangeStep implements Step {

    private static final String MERCHANT = "night-kitchen";
    private static final String DISH = "stew";
    private static final Duration TO_MIDNIGHT = Duration.ofSeconds(8);
    private static final int DAY_SECONDS = 86_400;

    @Override
    public String title() {
        return "Midnight: the next day's pool takes over, and yesterday's is archived when its holds have ended";
    }

    @Override
    public boolean needsKafka() {
        return true;
    }

    @Override
    public void walk(Stage stage) throws Exception {
        var report = stage.report();
        ZoneOffset zone = zoneWithMidnightAt(Instant.now().plus(TO_MIDNIGHT));
        // The offset as a zone's name has it: without colons.
        String name = "UTC" + DateTimeFormatter.ofPattern("xxxx").format(zone);
        stage.setOut(MERCHANT, DISH, Map.of("every_day", 10, "zone", name));
        var evening = stage.holdFor(MERCHANT, DISH, "item-evening", 2, Map.of());
        String yesterday = evening.text("/terms/pool");
        String id = ReservationIds.journalFirst(MERCHANT, DISH, "item-evening");

        report.does("wait for midnight at " + name);
        var closed = becomes(stage, yesterday, "CLOSED");
        report.answered(closed);
        var morning = stage.holdFor(MERCHANT, DISH, "item-morning", 1, Map.of());
        var late = stage.holdIn(yesterday, "item-late", 1);
        var again = stage.holdFor(MERCHANT, DISH, "item-evening", 2, Map.of());
        stage.orderCreated("evt-evening", MERCHANT, DISH, "item-evening", 2);
        var confirmed = stage.becomes(id, "CONFIRMED");
        var archived = becomes(stage, yesterday, "ARCHIVED");
        report.answered(archived);
        var refunded = stage.refund(id, "refund-late", 1);
        var after = stage.api().get("/v1/pools/" + yesterday);

        report.check(
                "after midnight a new request is held in the next day's pool, " + morning.text("/terms/pool"),
                morning.text("/status").equals("RESERVED")
                        && !morning.text("/terms/pool").equals(yesterday));
        report.check(
                "yesterday's pool takes no new hold: POOL_CLOSED",
                closed.text("/status").equals("CLOSED") && late.text("/code").equals("POOL_CLOSED"));
        report.check(
                "a retry after midnight hears of the hold of the evening",
                again.text("/status").equals("RESERVED")
                        && again.text("/terms/pool").equals(yesterday));
        report.check(
                "the order created after midnight sells out of yesterday's pool",
                confirmed.text("/status").equals("CONFIRMED")
                        && archived.number("/journal/books/sold") == 2
                        && archived.number("/journal/books/reserved") == 0);
        report.check(
                "when nothing runs in it any more it is archived, and its numbers are its last: a later refund is only"
                        + " recorded",
                archived.text("/status").equals("ARCHIVED")
                        && refunded.status() == 200
                        && after.number("/journal/books/sold") == 2);
    }

    private static Answer becomes(Stage stage, String pool, String status) throws InterruptedException {
        return Wait.until(
                Stage.PATIENCE,
                () -> stage.api().get("/v1/pools/" + pool),
                answer -> answer.text("/status").equals(status));
    }

    private static ZoneOffset zoneWithMidnightAt(Instant moment) {
        int second = LocalTime.ofInstant(moment, ZoneOffset.UTC).toSecondOfDay();
        // Of the two that fit, the one nearer to UTC.
        return ZoneOffset.ofTotalSeconds(second > DAY_SECONDS / 2 ? DAY_SECONDS - second : -second);
    }
}
