package io.holdfast.messaging.in;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.messaging.Desk;
import io.holdfast.messaging.Recording;
import io.holdfast.messaging.View;
import io.holdfast.messaging.event.Announcement;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.event.Events;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.event.Reading;
import io.holdfast.reservation.conformance.MigratedDatabase;
import io.holdfast.reservation.domain.Reservation.Status;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The table on a real PostgreSQL, and those that wait in it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ParkedEventsTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static HikariDataSource database;

    private final ParkedEvents table = new ParkedEvents(database, Runnable::run);
    private final EventReader reader = new EventReader(4096, Set.of());

    @BeforeAll
    static void start() {
        database = MigratedDatabase.fresh("parked_events");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void clean() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("delete from parked_event");
        }
    }

    private boolean park(String id, String order) throws Exception {
        RawEvent raw = Events.order("OrderCreated", id, "{'order_id':'" + order + "'}");
        Announcement announcement = ((Reading.Understood) reader.read(raw)).announcement();
        return ((Outcome.Known<Boolean>) table.park(raw, announcement, "unknown")
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS))
                .value();
    }

    @Test
    void an_event_is_kept_once_with_all_it_came_with() throws Exception {
        assertThat(park("e-1", "o-1")).as("kept before").isFalse();
        assertThat(park("e-1", "o-1")).as("kept before").isTrue();
        ParkedEvent kept = table.list(0, 10).getFirst();
        assertThat(kept.causeId()).isEqualTo("/orders e-1");
        assertThat(kept.key()).isEqualTo("o-1");
        assertThat(kept.type()).isEqualTo("OrderCreated");
        assertThat(reader.read(kept.event()))
                .isEqualTo(reader.read(Events.order("OrderCreated", "e-1", "{'order_id':'o-1'}")));
        assertThat(table.backlog().events()).isEqualTo(1);
        assertThat(table.backlog().oldest()).isPresent();
    }

    @Test
    void the_same_place_of_a_topic_made_anew_is_another_event() throws Exception {
        park("e-1", "o-1");
        assertThat(park("e-2", "o-2")).isFalse();
        assertThat(table.list(0, 10)).extracting(ParkedEvent::key).containsExactly("o-1", "o-2");
    }

    @Test
    void whoever_takes_one_has_it_alone_for_a_while_and_those_parked_first_come_first() throws Exception {
        park("e-1", "o-1");
        park("e-2", "o-2");
        park("e-3", "o-3");
        List<ParkedEvent> first = table.claim(2, LEASE);
        assertThat(first).extracting(ParkedEvent::key).containsExactly("o-1", "o-2");
        assertThat(first).extracting(ParkedEvent::attempts).containsOnly(1);
        assertThat(table.claim(2, LEASE)).extracting(ParkedEvent::key).containsExactly("o-3");
        assertThat(table.claim(2, LEASE)).isEmpty();
        table.keep(first.getFirst().id(), "still unknown", Duration.ZERO);
        assertThat(table.claim(2, LEASE)).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("still unknown");
            assertThat(event.attempts()).isEqualTo(2);
        });
        assertThat(table.retryNow()).isEqualTo(3);
        assertThat(table.claim(5, LEASE)).hasSize(3);
    }

    @Test
    void what_is_settled_waits_no_longer() throws Exception {
        park("e-1", "o-1");
        long id = table.list(0, 10).getFirst().id();
        assertThat(table.settle(id, "discarded by ann: test order")).isTrue();
        assertThat(table.settle(id, "twice")).isFalse();
        assertThat(table.list(0, 10)).isEmpty();
        assertThat(table.backlog().events()).isZero();
        assertThat(table.backlog().oldest()).isEmpty();
        assertThat(park("e-1", "o-1"))
                .as("redelivered, it is not parked a second time")
                .isTrue();
    }

    @Test
    void a_parked_event_finds_its_reservation_by_itself_once_that_is_there() throws Exception {
        var desk = new Desk();
        var view = new View(desk);
        var seen = new Recording();
        var quick = new Backoff(Duration.ofMillis(10), Duration.ofMillis(50), 2, 0);
        var handling = new EventHandling(
                desk,
                Optional.empty(),
                view,
                view,
                table,
                new Permits(4),
                new Persistence(quick, () -> 0.5, seen),
                seen);
        park("e-1", "o-1");
        park("e-2", "o-2");
        try (var retries = new ParkedRetries(table, reader, handling, seen, quick, Duration.ofMillis(20))) {
            retries.start();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> table.list(0, 1).getFirst().attempts() > 1);
            String id = desk.hold("o-1", "i-1");
            await().atMost(Duration.ofSeconds(30)).until(() -> desk.status(id) == Status.CONFIRMING);
            await().atMost(Duration.ofSeconds(30)).until(() -> seen.unparked.get() == 1);
        }
        assertThat(table.list(0, 10)).extracting(ParkedEvent::key).containsExactly("o-2");
    }
}
