package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.projection.Delivery;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.reservation.conformance.MigratedDatabase;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationEvent.ConfirmStarted;
import io.holdfast.reservation.domain.ReservationEvent.HoldConfirmed;
import io.holdfast.reservation.domain.ReservationEvent.HoldGranted;
import io.holdfast.reservation.domain.ReservationEvent.HoldRequested;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.holdfast.reservation.domain.Terms;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The publisher over a real journal, with the other side in the test's hand. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EventPublisherTest {

    private static final JournalCodec<ReservationEvent> CODEC = JournalCodec.of(ReservationEvent.class);
    private static HikariDataSource database;

    private final Hand hand = new Hand();
    private final Map<String, Long> sequences = new HashMap<>();

    /** What becomes of a message. */
    private enum Fate {
        ARRIVES,
        /** Nobody ever hears of it. */
        ARRIVES_UNTOLD,
        LOST_UNTOLD,
        FAILS_AT_ONCE,
        FAILS_LATER,
        ARRIVES_AND_FAILS,
        REFUSED_AT_ONCE,
        REFUSED_LATER;

        /** How long to wait for what may never be told. */
        Duration patience() {
            return switch (this) {
                case ARRIVES_UNTOLD, LOST_UNTOLD -> Duration.ofMillis(50);
                case ARRIVES, FAILS_AT_ONCE, FAILS_LATER, ARRIVES_AND_FAILS, REFUSED_AT_ONCE, REFUSED_LATER ->
                    Duration.ofMinutes(1);
            };
        }

        /** It has the same fate however often it is sent. */
        boolean lasting() {
            return this == REFUSED_AT_ONCE || this == REFUSED_LATER;
        }
    }

    /** Does with messages what a sink may, as the test says. */
    private static final class Hand implements MessageSink {
        final List<OutgoingMessage> arrived = new ArrayList<>();
        final Map<String, Fate> fates = new HashMap<>();
        Fate ofAll = Fate.ARRIVES;
        private Stream stream = new Stream();

        @Override
        public Run begin() {
            if (stream.over()) {
                stream = new Stream();
            }
            return stream;
        }

        /** Lets come about what is under way. */
        void goOn() {
            stream.goOn();
        }

        List<String> ids() {
            return arrived.stream().map(OutgoingMessage::id).toList();
        }

        private record Under(OutgoingMessage message, CompletableFuture<Void> answer) {}

        private final class Stream implements MessageSink.Run {
            private final Deque<Under> underWay = new ArrayDeque<>();
            private boolean over;

            @Override
            public synchronized CompletableFuture<Void> send(OutgoingMessage message) {
                if (over) {
                    return CompletableFuture.failedFuture(new IllegalStateException("over"));
                }
                if (fate(message) == Fate.FAILS_AT_ONCE) {
                    fates.remove(message.id());
                    abandon();
                    return CompletableFuture.failedFuture(new IllegalStateException("no broker"));
                }
                if (fate(message) == Fate.REFUSED_AT_ONCE) {
                    return CompletableFuture.failedFuture(tooLarge());
                }
                underWay.add(new Under(message, new CompletableFuture<>()));
                return underWay.getLast().answer();
            }

            synchronized boolean over() {
                return over;
            }

            private Fate fate(OutgoingMessage message) {
                return fates.getOrDefault(message.id(), ofAll);
            }

            private Undeliverable tooLarge() {
                return new Undeliverable("too large", new IllegalStateException());
            }

            synchronized void goOn() {
                while (!underWay.isEmpty()) {
                    Under next = underWay.getFirst();
                    Fate fate = fate(next.message());
                    if (!fate.lasting()) {
                        fates.remove(next.message().id());
                    }
                    switch (fate) {
                        case ARRIVES -> {
                            arrived.add(next.message());
                            underWay.removeFirst().answer().complete(null);
                        }
                        case ARRIVES_UNTOLD -> {
                            arrived.add(next.message());
                            return;
                        }
                        case LOST_UNTOLD -> {
                            return;
                        }
                        case ARRIVES_AND_FAILS -> {
                            arrived.add(next.message());
                            end(new IllegalStateException("nothing is known"));
                        }
                        case FAILS_LATER, FAILS_AT_ONCE -> end(new IllegalStateException("no broker"));
                        case REFUSED_LATER, REFUSED_AT_ONCE -> end(tooLarge());
                    }
                }
            }

            private void end(RuntimeException failure) {
                over = true;
                underWay.removeFirst().answer().completeExceptionally(failure);
                abandon();
            }

            @Override
            public synchronized void abandon() {
                over = true;
                while (!underWay.isEmpty()) {
                    underWay.removeFirst().answer().completeExceptionally(new IllegalStateException("over"));
                }
            }
        }
    }

    @BeforeAll
    static void start() {
        database = MigratedDatabase.fresh("event_publisher");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void clean() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("delete from event_journal");
        }
    }

    private EventPublisher publisher(int remembered) {
        return publisher(remembered, Duration.ofMinutes(1));
    }

    private EventPublisher publisher(int remembered, Duration patience) {
        return new EventPublisher(
                new ReservationMachine(EffectPolicies.standard()),
                new StockPoolMachine(EffectPolicies.standard()),
                Life.compensations(),
                Optional.empty(),
                database,
                remembered,
                hand,
                patience);
    }

    private Delivery delivered(EventPublisher publisher, List<JournalRow> rows) {
        CompletableFuture<Delivery> stage = publisher.deliver(rows).toCompletableFuture();
        hand.goOn();
        return stage.join();
    }

    /** Journals an event and gives its row. */
    private JournalRow row(String item, ReservationEvent event) throws SQLException {
        byte[] payload = CODEC.encode(new Entry.Happened<>(event, new Meta(Life.NOW, Life.CAUSE, Optional.empty())));
        return row(item, payload);
    }

    private JournalRow row(String item, byte[] payload) throws SQLException {
        String id = "reservation|" + line(item).reservationId();
        long sequence = sequences.merge(id, 1L, Long::sum);
        try (var connection = database.getConnection();
                var s = connection.prepareStatement(
                        "insert into event_journal (persistence_id, sequence_number, writer, event_ser_id,"
                                + " event_ser_manifest, event_payload) values (?, ?, 'test', 1, '', ?)")) {
            s.setString(1, id);
            s.setLong(2, sequence);
            s.setBytes(3, payload);
            s.executeUpdate();
        }
        return new JournalRow(id, sequence, 1, sequence, "", payload);
    }

    private static Line line(String item) {
        return new Line("m-1", "soup", "order-1", item, Optional.empty());
    }

    private List<JournalRow> confirmed(String item) throws SQLException {
        return List.of(
                row(
                        item,
                        new HoldRequested(
                                Life.POOL, new Terms(line(item), 5, new OrderType.InstantOrder()), Life.LATER)),
                row(item, new HoldGranted(Life.books(3, 5, 0))),
                row(item, new ConfirmStarted(5)),
                row(item, new HoldConfirmed(5, 0, Life.books(4, 0, 5))));
    }

    private static String id(String item, int sequence) {
        return "reservation|" + line(item).reservationId() + "#" + sequence;
    }

    // ----

    @Test
    void a_batch_is_delivered_in_order_and_acknowledged_whole() throws Exception {
        assertThat(delivered(publisher(100), confirmed("i-1"))).isEqualTo(Delivery.COMPLETE);
        assertThat(hand.ids())
                .containsExactly(id("i-1", 2) + "/stock", id("i-1", 2), id("i-1", 4) + "/stock", id("i-1", 4));
    }

    @Test
    void what_came_before_is_read_from_the_journal_where_it_is_not_remembered() throws Exception {
        List<JournalRow> one = confirmed("i-1");
        List<JournalRow> two = confirmed("i-2");
        EventPublisher forgetful = publisher(1);
        delivered(forgetful, one.subList(0, 2));
        delivered(forgetful, two.subList(0, 3));
        delivered(forgetful, one.subList(2, 4));
        assertThat(delivered(publisher(100), two.subList(3, 4))).isEqualTo(Delivery.COMPLETE);
        assertThat(hand.arrived.getLast().data())
                .containsEntry("order_item_id", "i-2")
                .containsEntry("confirmed", 5L);
        assertThat(hand.ids()).contains(id("i-1", 4), id("i-2", 4));
    }

    @Test
    void the_same_rows_again_give_the_same_messages_under_the_same_ids() throws Exception {
        List<JournalRow> rows = confirmed("i-1");
        EventPublisher publisher = publisher(100);
        delivered(publisher, rows);
        List<OutgoingMessage> first = List.copyOf(hand.arrived);
        hand.arrived.clear();
        delivered(publisher, rows);
        assertThat(hand.arrived).isEqualTo(first);
        hand.arrived.clear();
        delivered(publisher(100), rows);
        assertThat(hand.arrived).isEqualTo(first);
    }

    @Test
    void an_outage_keeps_nothing_behind_and_is_over_with_the_first_batch_that_arrives() throws Exception {
        List<JournalRow> rows = confirmed("i-1");
        EventPublisher publisher = publisher(100, Duration.ofMillis(500));
        hand.ofAll = Fate.LOST_UNTOLD;
        for (int attempt = 0; attempt < 3; attempt++) {
            CompletableFuture<Delivery> stage = publisher.deliver(rows).toCompletableFuture();
            assertThat(publisher.underWay()).isEqualTo(4);
            assertThatThrownBy(stage::join).hasCauseInstanceOf(TimeoutException.class);
            assertThat(publisher.underWay()).isZero();
        }
        hand.ofAll = Fate.ARRIVES;
        assertThat(delivered(publisher, rows)).isEqualTo(Delivery.COMPLETE);
        assertThat(hand.arrived).hasSize(4);
    }

    /** Entities whose rows lie between each other's, as in a busy journal. */
    private List<JournalRow> several() throws SQLException {
        List<List<JournalRow>> lives = List.of(confirmed("i-1"), confirmed("i-2"), confirmed("i-3"));
        List<JournalRow> rows = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            for (List<JournalRow> life : lives) {
                rows.add(life.get(i));
            }
        }
        return rows;
    }

    /** Gives the rows until they are delivered, as the runner does. */
    private Delivery deliveredInTheEnd(Supplier<EventPublisher> publisher, List<JournalRow> rows) {
        for (int attempt = 0; attempt < 20; attempt++) {
            try {
                return delivered(publisher.get(), rows);
            } catch (CompletionException e) {
                assertThat(hand.arrived).satisfies(EventPublisherTest::inOrder);
            }
        }
        throw new AssertionError("the rows are never delivered");
    }

    /** The first sendings of each entity's messages, of each topic, are in the order of its journal. */
    private static void inOrder(List<? extends OutgoingMessage> arrived) {
        Map<String, Long> last = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (OutgoingMessage message : arrived) {
            if (seen.add(message.id())) {
                Long before = last.put(message.topic() + message.subject(), message.sequence());
                assertThat(before)
                        .as("before " + message.id())
                        .satisfiesAnyOf(
                                earlier -> assertThat(earlier).isNull(),
                                earlier -> assertThat(earlier).isLessThan(message.sequence()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatever_becomes_of_whichever_message_all_arrive_in_order(Fate fate) throws Exception {
        List<JournalRow> rows = several();
        delivered(publisher(100), rows);
        List<OutgoingMessage> all = List.copyOf(hand.arrived);
        for (boolean restarted : new boolean[] {false, true}) {
            for (OutgoingMessage hit : all) {
                hand.arrived.clear();
                hand.fates.clear();
                hand.fates.put(hit.id(), fate);
                EventPublisher one = publisher(100, fate.patience());
                boolean other = restarted && !fate.lasting(); // what is known of a refusal ends with the process
                Delivery delivery = deliveredInTheEnd(() -> other ? publisher(100, fate.patience()) : one, rows);

                assertThat(hand.arrived).satisfies(EventPublisherTest::inOrder);
                if (fate.lasting()) {
                    assertThat(delivery.refused()).singleElement().satisfies(refused -> {
                        assertThat(hit.id()).startsWith(refused.row().eventId());
                        assertThat(refused.reason()).contains("too large");
                    });
                    assertThat(hand.arrived)
                            .as("of the entity of " + hit.id())
                            .filteredOn(message -> message.subject().equals(hit.subject()))
                            .allMatch(message -> message.sequence() <= hit.sequence());
                    assertThat(hand.ids())
                            .containsAll(all.stream()
                                    .filter(message -> !message.subject().equals(hit.subject()))
                                    .map(OutgoingMessage::id)
                                    .toList());
                } else {
                    assertThat(delivery).isEqualTo(Delivery.COMPLETE);
                    assertThat(hand.ids())
                            .containsAll(all.stream().map(OutgoingMessage::id).toList());
                }
                assertThat(one.underWay()).isZero();
            }
        }
    }

    @Test
    void failure_upon_failure_leaves_the_order_as_it_is() throws Exception {
        List<JournalRow> rows = several();
        delivered(publisher(100), rows);
        List<OutgoingMessage> all = List.copyOf(hand.arrived);
        var random = new Random(11);
        Fate[] some = {
            Fate.FAILS_AT_ONCE, Fate.FAILS_LATER, Fate.ARRIVES_AND_FAILS, Fate.REFUSED_AT_ONCE, Fate.REFUSED_LATER
        };
        for (int round = 0; round < 300; round++) {
            hand.arrived.clear();
            hand.fates.clear();
            for (int i = 0; i < 4; i++) {
                hand.fates.put(all.get(random.nextInt(all.size())).id(), some[random.nextInt(some.length)]);
            }
            EventPublisher publisher = publisher(100);
            Delivery delivery = deliveredInTheEnd(() -> publisher, rows);

            assertThat(hand.arrived).satisfies(EventPublisherTest::inOrder);
            Map<String, Long> refused = new HashMap<>();
            delivery.refused()
                    .forEach(each ->
                            refused.put(each.row().persistenceId(), each.row().sequenceNumber()));
            for (OutgoingMessage message : all) {
                long from = refused.getOrDefault("reservation|" + message.subject(), Long.MAX_VALUE);
                if (message.sequence() < from) {
                    assertThat(hand.ids()).contains(message.id());
                } else if (message.sequence() > from) {
                    assertThat(hand.ids()).doesNotContain(message.id());
                }
            }
        }
    }

    @Test
    void what_was_refused_once_is_tried_when_its_entity_is_tried_again() throws Exception {
        List<JournalRow> rows = confirmed("i-1");
        EventPublisher publisher = publisher(100);
        hand.fates.put(id("i-1", 2), Fate.REFUSED_LATER);
        assertThat(deliveredInTheEnd(() -> publisher, rows).refused())
                .extracting(Delivery.Refused::row)
                .containsExactly(rows.get(1));
        hand.fates.clear();
        hand.arrived.clear();
        assertThat(delivered(publisher, rows.subList(1, 4))).isEqualTo(Delivery.COMPLETE);
        assertThat(hand.arrived).hasSize(4);
    }

    @Test
    void an_entry_that_cant_be_read_sets_its_entity_aside_and_no_other() throws Exception {
        JournalRow broken = row("i-1", "{\"v\":1,\"type\":\"FromTheFuture\"}".getBytes(StandardCharsets.UTF_8));
        JournalRow behind = row("i-1", new HoldGranted(Life.books(3, 5, 0)));
        List<JournalRow> rows = new ArrayList<>(List.of(broken, behind));
        rows.addAll(confirmed("i-2"));
        Delivery delivery = delivered(publisher(100), rows);
        assertThat(delivery.refused()).extracting(Delivery.Refused::row).containsExactly(broken);
        assertThat(hand.ids())
                .allMatch(id -> id.contains(line("i-2").reservationId()))
                .hasSize(4);
    }

    @Test
    void entities_of_other_machines_announce_nothing() throws Exception {
        var row = new JournalRow("ticket|t-1", 1, 1, 1, "", new byte[0]);
        assertThat(delivered(publisher(100), List.of(row))).isEqualTo(Delivery.COMPLETE);
        assertThat(hand.arrived).isEmpty();
    }
}
