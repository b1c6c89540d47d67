package io.holdfast.messaging.in;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.projection.ParkedEntity;
import io.holdfast.messaging.Desk;
import io.holdfast.messaging.Recording;
import io.holdfast.messaging.View;
import io.holdfast.messaging.event.Announcement;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.Events;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.Reading;
import io.holdfast.messaging.in.EventHandling.Ending;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationEvent.FactRefused;
import io.holdfast.reservation.domain.ReservationRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Delivery with the real machine, without a broker. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EventHandlingTest {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");

    private final Desk desk = new Desk();
    private final View view = new View(desk);
    private final Recording seen = new Recording();
    private final ConcurrentLinkedQueue<String> parkedRows = new ConcurrentLinkedQueue<>();
    private volatile boolean parkingFails;
    private final Persistence persistence =
            new Persistence(new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), 2, 0), () -> 0.5, seen);
    private final EventHandling handling = new EventHandling(
            desk,
            Optional.empty(),
            view,
            view,
            (event, announcement, reason) -> {
                if (parkingFails) {
                    return CompletableFuture.completedFuture(Outcome.unavailable("no database"));
                }
                parkedRows.add(announcement.cause().id());
                return CompletableFuture.completedFuture(Outcome.known(false));
            },
            new Permits(4),
            persistence,
            seen);
    private final EventReader reader = new EventReader(4096, Set.of());

    private CompletableFuture<Ending> give(String type, String id, String data) {
        RawEvent raw = Events.order(type, id, data);
        Announcement announcement = ((Reading.Understood) reader.read(raw)).announcement();
        return handling.handle(raw, announcement).toCompletableFuture();
    }

    private static Ending ended(CompletableFuture<Ending> ending) throws Exception {
        return ending.get(10, TimeUnit.SECONDS);
    }

    private static String byLine(String order, String item) {
        return "{'order_id':'" + order + "','lines':[{'merchant':'m-1','dish':'soup','order_item_id':'" + item + "'}]}";
    }

    private static String plain(String order) {
        return "{'order_id':'" + order + "'}";
    }

    // ---- named

    @Test
    void a_created_order_confirms_its_hold() throws Exception {
        String id = desk.hold("o-1", "i-1");
        assertThat(ended(give("OrderCreated", "e-1", byLine("o-1", "i-1")))).isEqualTo(new Ending.Delivered(1));
        assertThat(desk.status(id)).isEqualTo(Status.CONFIRMING);
    }

    @Test
    void an_event_before_its_hold_is_kept_for_it_or_ends_it() throws Exception {
        ended(give("OrderCreated", "e-1", byLine("o-1", "i-1")));
        String created = desk.hold("o-1", "i-1");
        assertThat(desk.status(created)).isEqualTo(Status.CONFIRMING);

        ended(give("OrderCreatedFailed", "e-2", byLine("o-2", "i-2")));
        String failed = desk.hold("o-2", "i-2");
        assertThat(desk.status(failed)).isEqualTo(Status.CANCELED);
    }

    @Test
    void the_same_event_again_changes_nothing() throws Exception {
        String id = desk.hold("o-1", "i-1");
        ended(give("OrderCreated", "e-1", byLine("o-1", "i-1")));
        List<String> once = desk.events(id);
        ended(give("OrderCreated", "e-1", byLine("o-1", "i-1")));
        ended(give("OrderCreated", "e-2", byLine("o-1", "i-1")));
        assertThat(desk.events(id)).isEqualTo(once);
        assertThat(seen.told).contains("OrderCreated Pending again");
    }

    @Test
    void another_payload_under_the_same_id_marks_the_reservation_and_moves_nothing() throws Exception {
        String id = desk.hold("o-1", "i-1");
        ended(give("OrderCreated", "e-1", byLine("o-1", "i-1")));
        assertThat(ended(give("OrderCanceled", "e-1", byLine("o-1", "i-1")))).isEqualTo(new Ending.Delivered(1));
        assertThat(desk.status(id)).isEqualTo(Status.MANUAL_REVIEW);
        assertThat(desk.state(id).unmarked().status()).isEqualTo(Status.CONFIRMING);
    }

    @Test
    void news_of_another_order_is_refused_and_that_is_the_end_of_it() throws Exception {
        String id = desk.hold("o-1", "i-1");
        assertThat(ended(give("OrderCreated", "e-1", byLine("o-2", "i-1")))).isEqualTo(new Ending.Delivered(1));
        assertThat(desk.status(id)).isEqualTo(Status.RESERVED);
        assertThat(desk.events(id)).last().isEqualTo("FactRefused");
    }

    private static String lines(String order, String... lines) {
        return "{'order_id':'" + order + "','lines':[" + String.join(",", lines) + "]}";
    }

    private static String line(String item, int quantity) {
        return "{'merchant':'m-1','dish':'soup','order_item_id':'" + item + "','quantity':" + quantity + "}";
    }

    private Optional<ReservationRefusal> refusedLast(String id) {
        return desk.journal(id).getLast() instanceof Entry.Happened<ReservationEvent>(FactRefused refused, var _)
                ? Optional.of(refused.reason())
                : Optional.empty();
    }

    @Test
    void what_a_created_order_names_is_checked_line_by_line_and_each_mismatch_has_its_end() throws Exception {
        String fits = desk.hold("o-1", "fits");
        String less = desk.hold("o-1", "less");
        String more = desk.hold("o-1", "more");
        String others = desk.hold("o-2", "others");
        String unknown = Desk.line("o-1", "unknown").reservationId();
        String event =
                lines("o-1", line("fits", 2), line("less", 1), line("more", 3), line("others", 2), line("unknown", 2));

        assertThat(ended(give("OrderCreated", "e-1", event))).isEqualTo(new Ending.Delivered(5));

        assertThat(desk.status(fits)).isEqualTo(Status.CONFIRMING);
        assertThat(desk.status(less)).as("the rest goes back").isEqualTo(Status.CONFIRMING);
        assertThat(desk.status(more)).isEqualTo(Status.RESERVED);
        assertThat(refusedLast(more)).contains(ReservationRefusal.ORDER_EXCEEDS_HOLD);
        assertThat(desk.status(others)).isEqualTo(Status.RESERVED);
        assertThat(refusedLast(others)).contains(ReservationRefusal.OTHER_ORDER);
        assertThat(desk.events(unknown)).as("kept for its hold").containsExactly("FactNoted", "RequestAwaited");

        ended(give("OrderCreated", "e-2", lines("o-1", line("fits", 1))));
        assertThat(refusedLast(fits)).as("another quantity").contains(ReservationRefusal.ORDER_QUANTITY_CONFLICT);
    }

    @Test
    void an_order_may_be_told_line_by_line_and_a_line_that_is_left_out_is_left_alone() throws Exception {
        String first = desk.hold("o-1", "first");
        String second = desk.hold("o-1", "second");
        List<String> held = desk.events(second);

        ended(give("OrderCreated", "e-1", lines("o-1", line("first", 2))));
        assertThat(desk.status(first)).isEqualTo(Status.CONFIRMING);
        assertThat(desk.events(second)).isEqualTo(held);

        ended(give("OrderCreated", "e-2", lines("o-1", line("second", 2))));
        assertThat(desk.status(second)).isEqualTo(Status.CONFIRMING);
    }

    @Test
    void every_order_of_the_same_events_twice_comes_to_an_end_that_fits_the_first_decision() throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            String order = "o-" + seed;
            String item = "i-" + seed;
            String id = desk.hold(order, item);
            List<List<String>> events = new ArrayList<>();
            for (int copy = 0; copy < 2; copy++) {
                events.add(List.of("OrderCreated", order + "-c"));
                events.add(List.of("OrderCreatedFailed", order + "-f"));
                events.add(List.of("OrderCanceled", order + "-x"));
            }
            Collections.shuffle(events, new Random(seed));
            for (List<String> event : events) {
                ended(give(event.get(0), event.get(1), byLine(order, item)));
            }
            Status expected = switch (events.getFirst().getFirst()) {
                case "OrderCreated" -> Status.CONFIRMING;
                case "OrderCreatedFailed" -> Status.CANCELING;
                default -> Status.REFUNDING;
            };
            assertThat(desk.status(id)).as("seed " + seed + " " + events).isEqualTo(expected);
        }
    }

    @Test
    void a_hint_confirms_only_what_is_due_by_the_reservations_own_time() throws Exception {
        Instant due = NOW.plusSeconds(3600);
        String id = desk.hold("o-1", "i-1", new OrderType.ScheduledOrder(due));
        ended(give("OrderCreated", "e-1", byLine("o-1", "i-1")));
        assertThat(desk.status(id)).isEqualTo(Status.CREATED_RESERVED);

        hint(id, "h-1");
        assertThat(desk.status(id)).isEqualTo(Status.CREATED_RESERVED);
        desk.clock(due);
        hint(id, "h-1");
        assertThat(desk.status(id)).isEqualTo(Status.CONFIRMING);
        hint(id, "h-1");
        assertThat(desk.status(id)).isEqualTo(Status.CONFIRMING);
    }

    private void hint(String reservation, String id) throws Exception {
        RawEvent raw = Events.hint(id, "{'reservation_id':'" + reservation + "'}");
        Announcement announcement = ((Reading.Understood) reader.read(raw)).announcement();
        assertThat(ended(handling.handle(raw, announcement).toCompletableFuture()))
                .isEqualTo(new Ending.Delivered(1));
    }

    // ---- away

    @Test
    void who_does_not_answer_is_asked_until_it_does() throws Exception {
        String here = desk.hold("o-1", "i-1");
        String gone = desk.hold("o-1", "i-2");
        desk.away(gone, true);
        CompletableFuture<Ending> ending = give(
                "OrderCreated",
                "e-1",
                "{'order_id':'o-1','inventory_reservation_ids':['" + here + "','" + gone + "']}");
        await().until(() -> desk.asked(gone) > 5);
        assertThat(desk.status(here)).isEqualTo(Status.CONFIRMING);
        assertThat(ending).isNotDone();
        desk.away(gone, false);
        assertThat(ended(ending)).isEqualTo(new Ending.Delivered(2));
        assertThat(desk.status(gone)).isEqualTo(Status.CONFIRMING);
    }

    @Test
    void one_whose_journal_cant_be_read_parks_the_event_and_not_the_others() throws Exception {
        String id = desk.hold("o-1", "i-1");
        desk.allAway(Optional.of(EngineRefusal.JOURNAL_UNREADABLE.asReason()));
        assertThat(ended(give("OrderCreated", "e-1", byLine("o-1", "i-1"))))
                .isInstanceOfSatisfying(
                        Ending.Parked.class,
                        parked -> assertThat(parked.reason()).contains(id, "JOURNAL_UNREADABLE"));
        assertThat(parkedRows).containsExactly("/orders e-1");
    }

    @Test
    void whoever_waits_is_let_go_when_messaging_stops() {
        desk.away(Desk.line("o-1", "i-1").reservationId(), true);
        CompletableFuture<Ending> ending = give("OrderCreated", "e-1", byLine("o-1", "i-1"));
        persistence.stop();
        assertThat(ending)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("messaging stops");
        assertThat(parkedRows).isEmpty();
    }

    // ---- unnamed

    @Test
    void an_event_that_names_nobody_is_for_all_of_its_order() throws Exception {
        String one = desk.hold("o-1", "i-1");
        String two = desk.hold("o-1", "i-2");
        String other = desk.hold("o-2", "i-3");
        assertThat(ended(give("OrderCreatedFailed", "e-1", plain("o-1")))).isEqualTo(new Ending.Delivered(2));
        assertThat(desk.status(one)).isEqualTo(Status.CANCELING);
        assertThat(desk.status(two)).isEqualTo(Status.CANCELING);
        assertThat(desk.status(other)).isEqualTo(Status.RESERVED);
    }

    @Test
    void a_view_that_lags_is_waited_for() throws Exception {
        String id = desk.hold("o-1", "i-1");
        view.lag(true);
        CompletableFuture<Ending> ending = give("OrderCreated", "e-1", plain("o-1"));
        await().until(() -> seen.retried.get() > 3);
        assertThat(ending).isNotDone();
        view.lag(false);
        assertThat(ended(ending)).isEqualTo(new Ending.Delivered(1));
        assertThat(desk.status(id)).isEqualTo(Status.CONFIRMING);
    }

    @Test
    void an_unknown_order_is_parked_once_that_is_sure() throws Exception {
        view.lag(true);
        CompletableFuture<Ending> ending = give("OrderCreated", "e-1", plain("o-1"));
        await().until(() -> seen.retried.get() > 3);
        assertThat(parkedRows).isEmpty();
        view.lag(false);
        assertThat(ended(ending)).isInstanceOf(Ending.Parked.class);
        assertThat(parkedRows).containsExactly("/orders e-1");
        assertThat(seen.parked).singleElement().asString().contains("no reservation of order o-1");
    }

    @Test
    void parking_is_tried_until_it_is_done() throws Exception {
        parkingFails = true;
        CompletableFuture<Ending> ending = give("OrderCreated", "e-1", plain("o-1"));
        await().until(() -> seen.retried.get() > 3);
        assertThat(ending).isNotDone();
        parkingFails = false;
        assertThat(ended(ending)).isInstanceOf(Ending.Parked.class);
    }

    @Test
    void what_the_view_has_set_aside_is_asked_itself() throws Exception {
        String shown = desk.hold("o-1", "i-1");
        String hidden = desk.hold("o-1", "i-2");
        String strange = desk.hold("o-2", "i-3");
        view.park(List.of(setAside(hidden), setAside(strange)), List.of(hidden, strange));
        assertThat(ended(give("OrderCreated", "e-1", plain("o-1")))).isEqualTo(new Ending.Delivered(2));
        assertThat(desk.status(shown)).isEqualTo(Status.CONFIRMING);
        assertThat(desk.status(hidden)).isEqualTo(Status.CONFIRMING);
        assertThat(desk.status(strange)).isEqualTo(Status.RESERVED);
    }

    private static ParkedEntity setAside(String id) {
        return new ParkedEntity("reservation_view", "reservation|" + id, 1, "broken", 0, NOW, NOW);
    }
}
