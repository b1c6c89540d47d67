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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The publisher over a real journal, with the other side in the test's hand. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EventPublisherTest {

    private static final JournalCodec<ReservationEvent> CODEC = JournalCodec.of(ReservationEvent.class);
    private static HikariDataSource database;

    private final Hand hand = new Hand();
    private final Map<String, Long> sequences = new HashMap<>();

    /** Takes messages and acknowledges them when told to. */
    private static final class Hand implements MessageSink {
        final List<OutgoingMessage> taken = new ArrayList<>();
        final List<CompletableFuture<Void>> answers = new ArrayList<>();
        Optional<RuntimeException> instead = Optional.empty();
        boolean silent;

        @Override
        public CompletableFuture<Void> send(OutgoingMessage message) {
            if (instead.isPresent()) {
                return CompletableFuture.failedFuture(instead.get());
            }
            taken.add(message);
            var answer = new CompletableFuture<Void>();
            answers.add(answer);
            if (!silent) {
                answer.complete(null);
            }
            return answer;
        }

        List<String> ids() {
            return taken.stream().map(OutgoingMessage::id).toList();
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
        return new EventPublisher(
                new ReservationMachine(EffectPolicies.standard()),
                new StockPoolMachine(EffectPolicies.standard()),
                database,
                remembered,
                hand,
                Duration.ofMillis(300));
    }

    private static Delivery delivered(EventPublisher publisher, List<JournalRow> rows) {
        return publisher.deliver(rows).toCompletableFuture().join();
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
        assertThat(hand.taken.getLast().data())
                .containsEntry("order_item_id", "i-2")
                .containsEntry("confirmed", 5L);
        assertThat(hand.ids()).contains(id("i-1", 4), id("i-2", 4));
    }

    @Test
    void the_same_rows_again_give_the_same_messages_under_the_same_ids() throws Exception {
        List<JournalRow> rows = confirmed("i-1");
        EventPublisher publisher = publisher(100);
        delivered(publisher, rows);
        List<OutgoingMessage> first = List.copyOf(hand.taken);
        hand.taken.clear();
        delivered(publisher, rows);
        assertThat(hand.taken).isEqualTo(first);
        hand.taken.clear();
        delivered(publisher(100), rows);
        assertThat(hand.taken).isEqualTo(first);
    }

    @Test
    void an_outage_keeps_one_batch_and_no_copy_of_it() throws Exception {
        List<JournalRow> rows = confirmed("i-1");
        EventPublisher publisher = publisher(100);
        hand.silent = true;
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> delivered(publisher, rows)).isInstanceOf(CompletionException.class);
            assertThat(publisher.underWay()).isEqualTo(4);
            assertThat(hand.taken).hasSize(4);
        }
        hand.answers.forEach(answer -> answer.complete(null));
        hand.silent = false;
        assertThat(publisher.underWay()).isZero();
        assertThat(delivered(publisher, rows)).isEqualTo(Delivery.COMPLETE);
    }

    @Test
    void nothing_behind_a_message_that_failed_at_once_is_sent() throws Exception {
        List<JournalRow> rows = confirmed("i-1");
        hand.instead = Optional.of(new IllegalStateException("no broker"));
        assertThatThrownBy(() -> delivered(publisher(100), rows)).hasMessageContaining("no broker");
        assertThat(hand.taken).isEmpty();
    }

    @Test
    void a_message_that_will_never_be_taken_sets_its_entity_aside_and_no_other() throws Exception {
        List<JournalRow> rows = new ArrayList<>(confirmed("i-1"));
        hand.instead = Optional.of(new MessageSink.Undeliverable("too large", new IllegalStateException()));
        Delivery delivery = delivered(publisher(100), rows);
        assertThat(delivery.refused()).singleElement().satisfies(refused -> {
            assertThat(refused.row()).isEqualTo(rows.get(1));
            assertThat(refused.reason()).contains("too large");
        });
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
        assertThat(hand.taken).isEmpty();
    }
}
