package io.holdfast.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.ConfigFactory;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.SharedStack;
import io.holdfast.messaging.AsyncApi;
import io.holdfast.messaging.Desk;
import io.holdfast.messaging.Recording;
import io.holdfast.messaging.View;
import io.holdfast.messaging.event.EventReader;
import io.holdfast.messaging.in.EventHandling;
import io.holdfast.messaging.in.Permits;
import io.holdfast.messaging.in.Persistence;
import io.holdfast.reservation.domain.Reservation.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.pekko.actor.ActorSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** A real broker, a real stream, reservations in memory. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EventConsumerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Backoff QUICK = new Backoff(Duration.ofMillis(20), Duration.ofMillis(100), 2, 0);

    private static ActorSystem system;
    private static Broker broker;

    private final Desk desk = new Desk();
    private final View view = new View(desk);
    private final Recording seen = new Recording();
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private KafkaSettings settings;

    @BeforeAll
    static void start() {
        system = ActorSystem.create("consumer-test", ConfigFactory.load());
        broker = new Broker(SharedStack.kafka().bootstrapServers());
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @BeforeEach
    void freshTopics() throws Exception {
        settings = broker.fresh(2).withBackoff(QUICK);
    }

    @AfterEach
    void close() throws Exception {
        while (!closing.isEmpty()) {
            closing.pop().close();
        }
    }

    private EventConsumer consume() {
        var persistence = new Persistence(settings.backoff(), () -> 0.5, seen);
        var consumer = new EventConsumer(
                system, settings, reader(), handling(persistence), persistence, seen, InstantSource.system());
        consumer.start();
        closing.push(consumer);
        return consumer;
    }

    private EventReader reader() {
        return new EventReader(settings.largestEvent(), Set.of("OrderPaid"));
    }

    private EventHandling handling(Persistence persistence) {
        return new EventHandling(
                desk,
                Optional.empty(),
                view,
                view,
                (_, _, _) -> CompletableFuture.completedFuture(Outcome.known(false)),
                new Permits(16),
                persistence,
                seen);
    }

    private void orderEvent(String order, String type, String id, String item) throws Exception {
        broker.event(
                settings.topics().orders(),
                order,
                type,
                id,
                "{'order_id':'" + order + "','lines':[{'merchant':'m-1','dish':'soup','order_item_id':'" + item
                        + "'}]}");
    }

    private void awaitCommitted(long offsets) {
        awaitThat(offsets + " committed", () -> broker.committed(settings.group()) == offsets);
    }

    private static void awaitThat(String what, Callable<Boolean> fact) {
        await(what).atMost(PATIENCE).until(fact);
    }

    private long confirmed(List<String> ids) {
        return ids.stream().filter(id -> desk.status(id) == Status.CONFIRMING).count();
    }

    // ---- the way of an event

    @Test
    void an_event_confirms_its_hold_and_then_its_offset_moves() throws Exception {
        String id = desk.hold("o-1", "i-1");
        consume();
        orderEvent("o-1", "OrderCreated", "e-1", "i-1");
        awaitThat("confirmed", () -> desk.status(id) == Status.CONFIRMING);
        awaitCommitted(1);
        assertThat(desk.journal(id).getLast().meta().cause().id()).isEqualTo("/orders e-1");
        assertThat(desk.journal(id).getLast().meta().cause().actor())
                .isEqualTo(settings.topics().orders());
    }

    @Test
    void everything_twice_in_another_order_ends_as_once() throws Exception {
        int orders = 40;
        List<String[]> events = new ArrayList<>();
        for (int i = 0; i < orders; i++) {
            if (i % 4 != 0) {
                desk.hold("o-" + i, "i-" + i); // the others are asked for after their news
            }
            events.add(new String[] {"o-" + i, i % 2 == 0 ? "OrderCreated" : "OrderCreatedFailed", "e-" + i, "i-" + i});
        }
        consume();
        for (int copy = 0; copy < 2; copy++) {
            Collections.shuffle(events, new Random(copy));
            for (String[] event : events) {
                orderEvent(event[0], event[1], event[2], event[3]);
            }
        }
        awaitCommitted(2L * orders);
        for (int i = 0; i < orders; i++) {
            String id = desk.hold("o-" + i, "i-" + i);
            assertThat(desk.status(id)).as("order " + i).isEqualTo(i % 2 == 0 ? Status.CONFIRMING : Status.CANCELING);
        }
        assertThat(seen.buried).isEmpty();
        assertThat(seen.broken).isEmpty();
    }

    @Test
    void another_payload_under_the_same_id_marks_the_reservation_and_is_no_dead_letter() throws Exception {
        String id = desk.hold("o-1", "i-1");
        consume();
        orderEvent("o-1", "OrderCreated", "e-1", "i-1");
        orderEvent("o-1", "OrderCreatedFailed", "e-1", "i-1");
        awaitThat("marked", () -> desk.status(id) == Status.MANUAL_REVIEW);
        awaitCommitted(2);
        assertThat(broker.read(TopicNames.deadLettersOf(settings.topics().orders())))
                .isEmpty();
    }

    @Test
    void an_unknown_order_is_parked_and_does_not_hold_up_others() throws Exception {
        String id = desk.hold("o-2", "i-2");
        consume();
        broker.event(settings.topics().orders(), "o-1", "OrderCreated", "e-1", "{'order_id':'o-1'}");
        orderEvent("o-2", "OrderCreated", "e-2", "i-2");
        awaitThat("the other", () -> desk.status(id) == Status.CONFIRMING);
        awaitCommitted(2);
        assertThat(seen.parked).singleElement().asString().contains("o-1");
    }

    // ---- poison

    @Test
    void poison_between_good_ones_becomes_a_dead_letter_with_its_reason_and_the_good_ones_pass() throws Exception {
        String before = desk.hold("o-1", "i-1");
        String after = desk.hold("o-1", "i-2");
        consume();
        String topic = settings.topics().orders();
        orderEvent("o-1", "OrderCreated", "e-1", "i-1");
        broker.send(new ProducerRecord<>(topic, Broker.bytes("o-1"), new byte[] {1, 2, 3}));
        broker.send(new ProducerRecord<>(topic, null, null));
        broker.event(topic, "o-1", "OrderCreated", "e-2", "{'order_id':");
        broker.event(topic, "o-1", "OrderShipped", "e-3", "{'order_id':'o-1'}");
        broker.event(topic, "o-1", "OrderPaid", "e-4", "{}");
        broker.event(topic, "o-1", "OrderCreated", "e-5", "{'order_id':'o-1','lines':[{}]}");
        broker.event(topic, "o-1", "OrderCreated", "e-6", "{'order_id':'" + "o".repeat(70_000) + "'}");
        future(topic, "e-7");
        orderEvent("o-1", "OrderCreated", "e-8", "i-2");

        awaitThat("the first", () -> desk.status(before) == Status.CONFIRMING);
        awaitThat("the last", () -> desk.status(after) == Status.CONFIRMING);
        awaitCommitted(10);
        assertThat(seen.ignored).hasValue(1);
        List<ConsumerRecord<byte[], byte[]>> letters = broker.read(TopicNames.deadLettersOf(topic));
        assertThat(letters)
                .extracting(letter -> headers(letter).get("hf_dlq_reason"))
                .containsExactlyInAnyOrder(
                        "NOT_A_CLOUD_EVENT",
                        "NOT_A_CLOUD_EVENT",
                        "NOT_JSON",
                        "UNKNOWN_TYPE",
                        "INVALID_DATA",
                        "TOO_LARGE",
                        "UNSUPPORTED_SCHEMA_VERSION");
        AsyncApi document = AsyncApi.load();
        for (var letter : letters) {
            assertThat(document.headerFaults("DeadLetter", headers(letter))).isEmpty();
        }
    }

    private void future(String topic, String id) throws Exception {
        var headers = new RecordHeaders();
        Map.of(
                        "ce_specversion", "1.0",
                        "ce_id", id,
                        "ce_source", "/orders",
                        "ce_type", "OrderCreated",
                        "ce_schemaversion", "2")
                .forEach((name, value) -> headers.add(name, Broker.bytes(value)));
        broker.send(new ProducerRecord<>(
                topic, null, Broker.bytes("o-1"), Broker.bytes("{\"order_id\":\"o-1\"}"), headers));
    }

    @Test
    void dead_letters_are_listed_and_sent_again_to_where_they_came_from_under_the_same_id() throws Exception {
        String topic = settings.topics().orders();
        String id = desk.hold("o-1", "i-1");
        consume();
        broker.event(
                topic,
                "o-1",
                "OrderCreated",
                "e-1",
                "{'order_id':'o-1','lines':[{'merchant':'m-1','dish':'soup','order_item_id':'i-1'}],'note':'"
                        + "x".repeat(15_000) + "','more':'" + "y".repeat(15_000) + "','much':'" + "z".repeat(15_000)
                        + "','most':'" + "w".repeat(15_000) + "','all':'" + "v".repeat(15_000) + "'}");
        broker.event(topic, "o-1", "OrderShipped", "e-2", "{}");
        awaitThat("both dead", () -> seen.buried.size() == 2);
        awaitCommitted(2);

        var letters = new DeadLetters(settings);
        assertThat(letters.counts()).containsEntry(topic, 2L);
        assertThat(letters.list(topic, 10))
                .extracting(DeadLetter::eventId, DeadLetter::reason, DeadLetter::sourceTopic)
                .containsExactlyInAnyOrder(
                        tuple(Optional.of("/orders e-1"), "TOO_LARGE", topic),
                        tuple(Optional.of("/orders e-2"), "UNKNOWN_TYPE", topic));
        assertThat(letters.list(topic, 1)).hasSize(1);

        // A node that reads larger events takes over.
        closing.pop().close();
        settings = new KafkaSettings(
                settings.connection(),
                settings.group(),
                settings.sessionTimeout(),
                settings.source(),
                settings.topics(),
                settings.concurrency(),
                settings.buffer(),
                1024 * 1024,
                settings.ignoredTypes(),
                settings.backoff());
        consume();
        assertThat(letters.replay(topic)).isEqualTo(new DeadLetters.Replayed(2, 0));
        awaitThat("confirmed at last", () -> desk.status(id) == Status.CONFIRMING);
        assertThat(desk.journal(id).getLast().meta().cause().id()).isEqualTo("/orders e-1");
        awaitThat(
                "what still can't be understood is dead again",
                () -> letters.counts().get(topic) == 1L);
        assertThat(letters.list(topic, 10)).extracting(DeadLetter::reason).containsExactly("UNKNOWN_TYPE");
    }

    // ---- away

    @Test
    void who_does_not_answer_holds_up_its_own_key_and_no_offset_passes_it() throws Exception {
        settings = broker.fresh(1).withBackoff(QUICK);
        String gone = desk.hold("o-gone", "i-0");
        desk.away(gone, true);
        consume();
        orderEvent("o-gone", "OrderCreated", "e-0", "i-0");
        orderEvent("o-gone", "OrderCanceled", "e-0b", "i-0");
        List<String> others = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            others.add(desk.hold("o-" + i, "i-" + i));
            orderEvent("o-" + i, "OrderCreated", "e-" + i, "i-" + i);
        }
        awaitThat("the others", () -> confirmed(others) == 20);
        assertThat(broker.committed(settings.group())).isZero();
        desk.away(gone, false);
        awaitCommitted(22);
        assertThat(desk.events(gone)).containsSubsequence("ConfirmStarted", "FactNoted");
    }

    @Test
    void a_full_buffer_stops_its_partition_and_nothing_is_lost() throws Exception {
        settings = broker.fresh(1).withBackoff(QUICK).withBuffer(4);
        String gone = desk.hold("o-gone", "i-0");
        desk.away(gone, true);
        consume();
        orderEvent("o-gone", "OrderCreated", "e-0", "i-0");
        List<String> others = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            others.add(desk.hold("o-" + i, "i-" + i));
            orderEvent("o-" + i, "OrderCreated", "e-" + i, "i-" + i);
        }
        awaitThat("as many as fit", () -> confirmed(others) == 3);
        long asked = desk.asked(gone);
        awaitThat("it is still asked", () -> desk.asked(gone) > asked + 5);
        assertThat(confirmed(others)).isEqualTo(3);
        desk.away(gone, false);
        awaitCommitted(13);
        assertThat(confirmed(others)).isEqualTo(12);
    }

    @Test
    void nothing_is_committed_while_all_are_away_and_a_new_consumer_begins_where_the_old_one_was() throws Exception {
        String id = desk.hold("o-1", "i-1");
        desk.allAway(Optional.of("no database"));
        consume();
        orderEvent("o-1", "OrderCreated", "e-1", "i-1");
        awaitThat("asked in vain", () -> desk.asked(id) > 2);
        closing.pop().close();
        assertThat(broker.committed(settings.group())).isZero();
        desk.allAway(Optional.empty());
        consume();
        awaitThat("confirmed", () -> desk.status(id) == Status.CONFIRMING);
        awaitCommitted(1);
    }

    @Test
    void consumers_that_come_and_go_lose_nothing() throws Exception {
        settings = broker.fresh(4).withBackoff(QUICK);
        List<String> ids = new ArrayList<>();
        consume();
        for (int i = 0; i < 60; i++) {
            ids.add(desk.hold("o-" + i, "i-" + i));
            orderEvent("o-" + i, "OrderCreated", "e-" + i, "i-" + i);
            if (i == 20) {
                consume();
            }
            if (i == 40) {
                closing.removeLast().close();
            }
        }
        awaitThat("all", () -> confirmed(ids) == 60);
        awaitCommitted(60);
        assertThat(ids)
                .allMatch(id -> desk.events(id).stream()
                                .filter("ConfirmStarted"::equals)
                                .count()
                        == 1);
    }

    // ---- what operators and retention do to a topic

    @Test
    void a_position_that_is_forgotten_begins_at_the_earliest_event_and_does_nothing_twice() throws Exception {
        settings = broker.fresh(1).withBackoff(QUICK);
        String created = desk.hold("o-1", "i-1");
        consume();
        orderEvent("o-1", "OrderCreated", "e-1", "i-1");
        awaitCommitted(1);
        List<String> once = desk.events(created);
        closing.pop().close();
        // The broker may take a moment to see that nobody is in the group any more.
        await("forgotten").atMost(PATIENCE).ignoreExceptions().until(() -> broker.forget(settings.group()));
        String failed = desk.hold("o-2", "i-2");
        orderEvent("o-2", "OrderCreatedFailed", "e-2", "i-2");

        consume();
        awaitCommitted(2);
        assertThat(desk.status(failed)).isEqualTo(Status.CANCELING);
        assertThat(desk.events(created)).isEqualTo(once);
        assertThat(seen.lost).as("nothing is gone").isEmpty();
    }

    @Test
    void events_that_were_dropped_before_they_were_done_with_are_counted_and_the_next_one_is_taken() throws Exception {
        settings = broker.fresh(1).withBackoff(QUICK);
        String topic = settings.topics().orders();
        String created = desk.hold("o-1", "i-1");
        consume();
        orderEvent("o-1", "OrderCreated", "e-1", "i-1");
        awaitCommitted(1);
        closing.pop().close();
        for (int i = 2; i <= 4; i++) {
            orderEvent("o-" + i, "OrderCreated", "e-" + i, "i-" + i);
        }
        String failed = desk.hold("o-5", "i-5");
        orderEvent("o-5", "OrderCreatedFailed", "e-5", "i-5");
        broker.drop(topic, 0, 4);

        consume();
        awaitCommitted(5);
        assertThat(desk.status(failed)).isEqualTo(Status.CANCELING);
        assertThat(desk.status(created)).isEqualTo(Status.CONFIRMING);
        assertThat(seen.lost).containsExactly(topic + "-0 3");
    }

    /** Events of one order then lie in two partitions, and the later one may be read first. */
    @Test
    void a_topic_that_is_divided_further_while_events_wait_leaves_none_unread_and_each_order_at_a_defined_end()
            throws Exception {
        KafkaSettings fresh = broker.fresh(1).withBackoff(QUICK);
        Map<String, String> connection = new HashMap<>(fresh.connection());
        connection.put("metadata.max.age.ms", "200");
        settings = fresh.withConnection(connection);
        String topic = settings.topics().orders();
        desk.allAway(Optional.of("no database"));
        consume();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ids.add(desk.hold("o-" + i, "i-" + i));
            orderEvent("o-" + i, "OrderCreated", "e-" + i, "i-" + i);
        }
        broker.divide(topic, 3);
        for (int i = 0; i < 12; i++) {
            String line = "{'merchant':'m-1','dish':'soup','order_item_id':'i-" + i + "'}";
            String data = "{'order_id':'o-" + i + "','lines':[" + line + "]}";
            broker.event(topic, 1 + i % 2, "o-" + i, "OrderCanceled", "x-" + i, data);
        }
        desk.allAway(Optional.empty());

        awaitCommitted(24);
        assertThat(ids)
                .allSatisfy(id -> assertThat(List.of(desk.status(id), desk.events(id)))
                        .isIn(
                                List.of(
                                        Status.CONFIRMING,
                                        List.of("HoldRequested", "HoldGranted", "ConfirmStarted", "FactNoted")),
                                List.of(
                                        Status.REFUNDING,
                                        List.of("HoldRequested", "HoldGranted", "RefundStarted", "FactNoted"))));
        assertThat(seen.lost).isEmpty();
    }

    // ---- again

    @Test
    void a_replay_reads_events_again_and_moves_no_offset() throws Exception {
        String topic = settings.topics().orders();
        consume();
        Instant begun = Instant.now();
        for (int i = 0; i < 10; i++) {
            broker.event(topic, "o-" + i, "OrderCreated", "e-" + i, "{'order_id':'o-" + i + "'}");
        }
        broker.event(topic, "o-x", "OrderShipped", "e-x", "{}");
        awaitCommitted(11);
        assertThat(seen.parked).hasSize(10);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(desk.hold("o-" + i, "i-" + i));
        }

        var replays = new EventReplays(
                settings,
                reader(),
                handling(new Persistence(QUICK, () -> 0.5, seen)),
                InstantSource.system(),
                () -> UUID.randomUUID().toString());
        closing.push(replays);
        EventReplay done = ended(replays, topic, new EventReplay.From.Time(begun.minusSeconds(1)));
        assertThat(done.read()).isEqualTo(11);
        assertThat(done.total()).isEqualTo(11);
        assertThat(done.delivered()).isEqualTo(10);
        assertThat(done.passedOver()).isEqualTo(1);
        assertThat(confirmed(ids)).isEqualTo(10);
        assertThat(broker.committed(settings.group())).isEqualTo(11);

        ended(replays, topic, new EventReplay.From.Offset(Optional.empty(), 0));
        assertThat(ids)
                .allMatch(id -> desk.events(id).stream()
                                .filter("ConfirmStarted"::equals)
                                .count()
                        == 1);
        EventReplay late =
                ended(replays, topic, new EventReplay.From.Time(Instant.now().plusSeconds(60)));
        assertThat(late.read()).isZero();
    }

    private static EventReplay ended(EventReplays replays, String topic, EventReplay.From from) {
        String run = replays.start(topic, from).orElseThrow().id();
        awaitThat("the replay's end", () -> replays.find(run).orElseThrow().state() == EventReplay.State.DONE);
        return replays.find(run).orElseThrow();
    }

    @Test
    void the_watch_tells_how_far_behind_the_group_is_and_what_is_missing() throws Exception {
        String topic = settings.topics().orders();
        desk.allAway(Optional.of("no database"));
        consume();
        for (int i = 0; i < 5; i++) {
            orderEvent("o-" + i, "OrderCreated", "e-" + i, "i-" + i);
        }
        var watch = new BrokerWatch(settings, InstantSource.system(), Duration.ofMillis(200), OptionalInt.empty());
        closing.push(watch);
        watch.start();
        awaitThat("five behind", () -> behind(watch, topic) == 5);
        assertThat(watch.latest().orElseThrow().lag().get(topic).oldest()).isPositive();
        assertThat(watch.trouble()).isEmpty();
        desk.allAway(Optional.empty());
        awaitThat("nothing behind", () -> behind(watch, topic) == 0);

        var other = settings.withTopics(new TopicNames("no.such", "nor.this", "a.b", "c.d", "e.f"));
        assertThat(new Topics(other).missing())
                .containsExactly("no.such", "nor.this", "a.b", "c.d", "e.f", "no.such.dlq", "nor.this.dlq");
    }

    @Test
    void a_watch_that_may_creates_what_it_finds_missing() throws Exception {
        String name = settings.topics().orders();
        var other =
                settings.withTopics(new TopicNames(name + "-a", name + "-b", name + "-c", name + "-d", name + "-e"));
        var watch = new BrokerWatch(other, InstantSource.system(), Duration.ofMillis(200), OptionalInt.of(2));
        closing.push(watch);
        watch.start();
        awaitThat("a broker without trouble", () -> watch.trouble().isEmpty());
        assertThat(new Topics(other).missing()).isEmpty();
    }

    private static long behind(BrokerWatch watch, String topic) {
        return watch.latest().map(reading -> reading.lag().get(topic).events()).orElse(-1L);
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        record.headers()
                .forEach(header ->
                        headers.put(header.key(), Records.text(header.value()).orElse("")));
        return headers;
    }
}
