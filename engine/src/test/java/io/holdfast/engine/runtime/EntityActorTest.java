package io.holdfast.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.entity.Observation;
import io.holdfast.engine.entity.Parcel;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.Ship;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.entity.ParcelMachine;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.EntityResponse.Answered;
import io.holdfast.engine.runtime.EntityResponse.Certainty;
import io.holdfast.engine.runtime.EntityResponse.NotAnswered;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.persistence.testkit.JournalOperation;
import org.apache.pekko.persistence.testkit.PersistenceTestKitPlugin;
import org.apache.pekko.persistence.testkit.ProcessingPolicy;
import org.apache.pekko.persistence.testkit.ProcessingSuccess;
import org.apache.pekko.persistence.testkit.StorageFailure;
import org.apache.pekko.persistence.testkit.WriteEvents;
import org.apache.pekko.persistence.testkit.javadsl.PersistenceTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EntityActorTest {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final EngineSettings SETTINGS = EngineSettings.defaults()
            .withLimits(new CoreLimits(
                    8, Duration.ofMinutes(2), Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofMillis(100)))
            .withRestartAfter(Duration.ofMillis(20), Duration.ofMillis(100))
            .withUnreadableLinger(Duration.ofMillis(100));

    private static ActorTestKit kit;
    private static PersistenceTestKit journal;

    private final String id = "p-" + NUMBERS.incrementAndGet();
    private final Carrier carrier = new Carrier();
    private final Diary diary = new Diary();
    private final List<String> woken = new CopyOnWriteArrayList<>();
    private TestProbe<ClusterSharding.ShardCommand> shard;
    private EntityHost<State, Command, Event, Ship> host;
    private ActorRef<EntityMessage<State, Command>> entity;

    @BeforeAll
    static void start() {
        Config config = ConfigFactory.parseString("""
            pekko.actor.serialize-messages = on
            pekko.actor.allow-java-serialization = off
            pekko.persistence.testkit.events.serialize = on
            """)
                .withFallback(PersistenceTestKitPlugin.config())
                .withFallback(ConfigFactory.load());
        kit = ActorTestKit.create("entity", config);
        journal = PersistenceTestKit.create(kit.system());
        MachineRegistry.of(kit.system()).register(definition(new Carrier()));
    }

    private final AtomicBoolean doubt = new AtomicBoolean();

    @AfterAll
    static void stop() {
        kit.shutdownTestKit();
    }

    @BeforeEach
    void spawn() {
        journal.resetPolicy();
        spawn(SETTINGS);
    }

    /** In the place of the one there was, if any: what that one still tells its shard is not mixed with what this one tells. */
    private void spawn(EngineSettings settings) {
        if (entity != null) {
            kit.stop(entity);
        }
        shard = kit.createTestProbe();
        host = new EntityHost<>(
                definition(carrier),
                settings,
                diary,
                InstantSource.system(),
                PersistencePlugins.of(kit.system()),
                doubt::get,
                woken::add);
        entity = newLife();
    }

    private static MachineDefinition<State, Command, Event, Ship> definition(Carrier carrier) {
        return MachineDefinition.of(
                new ParcelMachine(), carrier, State.class, Command.class, Event.class, Parcel.No.class);
    }

    private ActorRef<EntityMessage<State, Command>> newLife() {
        return kit.spawn(EntityActor.of(host, shard.getRef(), id));
    }

    private void restart() {
        kit.stop(entity);
        entity = newLife();
    }

    private TestProbe<EntityResponse<State>> ask(Cause cause, Command command, Duration patience) {
        TestProbe<EntityResponse<State>> asker = kit.createTestProbe();
        entity.tell(new EntityMessage.Ask<>("parcel", id, cause, command, patience, asker.getRef()));
        return asker;
    }

    private TestProbe<EntityResponse<State>> pack() {
        return ask(request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false), Duration.ofSeconds(20));
    }

    private static Cause request(String causeId, String hash) {
        return new Cause(causeId, hash, Cause.Kind.REQUEST, "shop", Optional.of("t-1"));
    }

    private static Reply<State> reply(TestProbe<EntityResponse<State>> asker) {
        return ((Answered<State>) asker.receiveMessage(Duration.ofSeconds(10))).reply();
    }

    private static NotAnswered<State> none(TestProbe<EntityResponse<State>> asker) {
        return (NotAnswered<State>) asker.receiveMessage(Duration.ofSeconds(10));
    }

    private String persistenceId() {
        return "parcel|" + id;
    }

    private List<String> rows() {
        return journal.persistedInStorage(persistenceId()).stream()
                .map(row -> new String(((JournalPayload) row).json(), StandardCharsets.UTF_8))
                .toList();
    }

    private Reply<State> eventually(State expected) {
        return await().atMost(Duration.ofSeconds(10))
                .until(this::look, reply -> reply.state().equals(expected));
    }

    private Reply<State> look() {
        TestProbe<EntityResponse<State>> asker = kit.createTestProbe();
        entity.tell(new EntityMessage.Look<>("parcel", id, asker.getRef()));
        return reply(asker);
    }

    private static State shipped() {
        return new State.Shipped("T-9", Optional.empty(), 0);
    }

    @Test
    void a_command_takes_two_journal_rows_and_one_attempt_and_is_answered_when_settled() {
        Reply<State> reply = reply(pack());

        assertThat(reply).isEqualTo(new Reply<>(id, 2, Verdict.done(), false, shipped(), List.of()));
        assertThat(carrier.asked).containsExactly(id + " SHIP:vase");
        assertThat(rows()).hasSize(2);
        assertThat(rows().getFirst())
                .startsWith("{\"v\":1,\"type\":\"Packed\",\"at\":\"")
                .contains(
                        "\"cause\":{\"id\":\"k-1\",\"hash\":\"h-1\",\"kind\":\"REQUEST\",\"actor\":\"shop\",\"trace\":\"t-1\"}")
                .endsWith("\"data\":{\"item\":\"vase\",\"careful\":false}}");
    }

    @Test
    void a_node_that_dies_while_an_effect_is_in_flight_has_it_performed_again_under_the_same_id() {
        carrier.thenWait();
        var first = ask(request("k-1", "h-1"), new Command.Pack("vase", Optional.empty(), false), Duration.ZERO);
        assertThat(reply(first).verdict()).isEqualTo(Verdict.pending());

        restart();

        Reply<State> again = reply(pack());
        assertThat(again.verdict()).isEqualTo(Verdict.done());
        assertThat(again.repeated()).isTrue();
        assertThat(carrier.asked).containsExactly(id + " SHIP:vase", id + " SHIP:vase");
        assertThat(rows()).hasSize(2);
    }

    @Test
    void where_there_is_room_for_one_at_rest_the_next_one_at_rest_sends_it_away_but_none_that_works() {
        spawn(SETTINGS.withMaxResting(1));
        reply(pack());
        await().until(() -> host.resting().size() == 1);
        TestProbe<ClusterSharding.ShardCommand> otherShard = kit.createTestProbe();
        String second = id + "-second";
        var other = kit.spawn(EntityActor.of(host, otherShard.getRef(), second));
        carrier.thenWait();
        TestProbe<EntityResponse<State>> asker = kit.createTestProbe();
        other.tell(new EntityMessage.Ask<>(
                "parcel",
                second,
                request("k-1", "h-1"),
                new Command.Pack("vase", Optional.empty(), false),
                Duration.ZERO,
                asker.getRef()));
        assertThat(reply(asker).verdict()).isEqualTo(Verdict.pending());
        assertThat(host.resting().size()).as("the second works").isEqualTo(1);

        String third = id + "-third";
        var last = kit.spawn(EntityActor.of(host, otherShard.getRef(), third));
        TestProbe<EntityResponse<State>> looker = kit.createTestProbe();
        last.tell(new EntityMessage.Look<>("parcel", third, looker.getRef()));
        reply(looker);

        assertThat(shard.expectMessageClass(ClusterSharding.Passivate.class)
                        .entity()
                        .path())
                .isEqualTo(entity.path());
        assertThat(host.resting().size()).isEqualTo(1);
        kit.stop(other);
        kit.stop(last);
    }

    /** Pekko merges what an entity brings with the whole configuration, several times for each that starts. */
    @Test
    void the_configuration_an_entity_brings_takes_no_time_to_be_merged_with_another() {
        Config brought = PersistencePlugins.of(kit.system()).config();

        assertThat(brought.withFallback(ConfigFactory.parseString("another = 1")))
                .isSameAs(brought);
        assertThat(brought.hasPath(PersistencePlugins.of(kit.system()).journalId()))
                .isTrue();
    }

    @Test
    void a_settled_entity_performs_nothing_when_it_is_started_again() {
        reply(pack());
        restart();

        assertThat(look().state()).isEqualTo(shipped());
        assertThat(reply(pack()).repeated()).isTrue();
        assertThat(carrier.asked).hasSize(1);
    }

    @Test
    void a_node_that_another_one_may_have_replaced_tells_nobody_anything_and_takes_nothing() {
        reply(pack());
        doubt.set(true);

        assertThat(none(looker()).certainty()).isEqualTo(Certainty.NOT_TAKEN);
        assertThat(none(pack()).certainty()).as("a repeat, too").isEqualTo(Certainty.NOT_TAKEN);
        assertThat(none(ask(request("n", "h"), new Command.Note("x"), Duration.ofSeconds(1)))
                        .certainty())
                .isEqualTo(Certainty.NOT_TAKEN);
        assertThat(rows()).hasSize(2);

        doubt.set(false);
        assertThat(look().state()).isEqualTo(shipped());
    }

    @Test
    void an_attempt_that_is_never_answered_is_tried_again_when_its_time_is_over() {
        carrier.thenWait();

        assertThat(reply(pack()).verdict()).isEqualTo(Verdict.done());
        assertThat(carrier.asked).hasSize(2);
        assertThat(diary.observations)
                .filteredOn(Observation.AttemptEnded.class::isInstance)
                .extracting(o -> ((Observation.AttemptEnded) o).result())
                .containsExactly(Observation.Result.UNKNOWN, Observation.Result.KNOWN);
    }

    @Test
    void whatever_goes_wrong_in_a_performer_is_unknown_and_tried_again() {
        carrier.then(() -> {
            throw new IllegalStateException("no route");
        });
        carrier.then(() -> java.util.concurrent.CompletableFuture.failedFuture(new java.io.IOException("reset")));
        carrier.thenSay(Outcome.unavailable("loading"));

        assertThat(reply(pack()).verdict()).isEqualTo(Verdict.done());
        assertThat(carrier.asked).hasSize(4);
        assertThat(rows()).as("two facts and one stall").hasSize(3);
    }

    @Test
    void a_write_that_fails_is_never_answered_like_a_success_and_the_entity_serves_again_by_itself() {
        journal.failNextPersisted(persistenceId());

        NotAnswered<State> answer = none(pack());

        assertThat(answer.certainty()).isEqualTo(Certainty.UNKNOWN);
        assertThat(carrier.asked)
                .as("nothing happens outside before it is journaled")
                .isEmpty();
        assertThat(reply(pack()).verdict()).isEqualTo(Verdict.done());
        assertThat(diary.has("journal failed " + id)).isTrue();
        assertThat(rows()).hasSize(2);
    }

    @Test
    void a_write_that_is_rejected_stops_the_entity_and_is_answered_unknown() {
        journal.rejectNextPersisted(persistenceId());

        assertThat(none(pack()).certainty()).isEqualTo(Certainty.UNKNOWN);
        entity = newLife();
        assertThat(reply(pack()).verdict()).isEqualTo(Verdict.done());
    }

    @Test
    void an_outcome_that_can_not_be_journaled_is_asked_for_again_and_who_waits_is_told_unknown() {
        var first = carrier.thenWait();
        var asker = pack();
        await().until(() -> carrier.asked.size() == 1);
        journal.failNextPersisted(persistenceId());

        first.complete(Carrier.taken());

        assertThat(none(asker).certainty()).isEqualTo(Certainty.UNKNOWN);
        eventually(shipped());
        assertThat(carrier.asked).hasSize(2);
        assertThat(rows()).hasSize(2);
    }

    @Test
    void commands_given_while_the_journal_is_away_are_answered_when_it_is_back() {
        journal.failNextNPersisted(persistenceId(), 3);

        var first = pack();
        var second = pack();
        var third = pack();
        var fourth = pack();

        assertThat(List.of(
                        none(first).certainty(),
                        none(second).certainty(),
                        none(third).certainty()))
                .containsOnly(Certainty.UNKNOWN);
        assertThat(reply(fourth).verdict()).isEqualTo(Verdict.done());
        assertThat(rows()).hasSize(2);
    }

    @Test
    void a_journal_that_can_not_be_read_for_a_moment_only_delays() {
        reply(pack());
        kit.stop(entity);
        journal.failNextRead(persistenceId());
        entity = newLife();

        assertThat(reply(pack()).repeated()).isTrue();
        assertThat(diary.has("journal failed " + id)).isTrue();
    }

    private void foreign(Object row) {
        kit.stop(entity);
        // What the life before the row wrote, if it came so far, is not what the tests ask about.
        diary.lines.clear();
        journal.persistForRecovery(persistenceId(), List.of(row));
        entity = newLife();
    }

    private static JournalPayload payload(String json) {
        return new JournalPayload("parcel", json.getBytes(StandardCharsets.UTF_8));
    }

    private static final String HEAD =
            "{\"v\":1,\"at\":\"2026-01-01T00:00:00Z\",\"cause\":{\"id\":\"k\",\"hash\":\"h\",\"kind\":\"REQUEST\",\"actor\":\"a\"},";

    @Test
    void an_entity_whose_journal_can_not_be_read_does_not_serve_and_serves_again_once_it_can() {
        foreign(payload(HEAD + "\"type\":\"Teleported\",\"data\":{}}"));

        NotAnswered<State> answer = none(pack());
        assertThat(answer.certainty()).isEqualTo(Certainty.NOT_TAKEN);
        assertThat(EngineRefusal.JOURNAL_UNREADABLE.isReasonOf(answer.why())).isTrue();
        assertThat(diary.has("unreadable " + id)).isTrue();
        assertThat(carrier.asked).isEmpty();
        shard.expectMessageClass(ClusterSharding.Passivate.class);
        entity.tell(new EntityMessage.Stop<>());
        kit.stop(entity);

        journal.clearByPersistenceId(persistenceId());
        journal.persistForRecovery(
                persistenceId(), List.of(payload(HEAD + "\"type\":\"ShippedOut\",\"data\":{\"tracking\":\"T-9\"}}")));
        entity = newLife();
        assertThat(look().state()).isEqualTo(shipped());
    }

    @Test
    void a_row_of_another_machine_or_of_something_else_is_not_read() {
        foreign(new JournalPayload("letter", "{}".getBytes(StandardCharsets.UTF_8)));
        assertThat(none(pack()).why()).startsWith("JOURNAL_UNREADABLE");
    }

    @Test
    void a_journal_with_a_hole_is_not_read() {
        reply(pack());
        kit.stop(entity);
        journal.clearByIdPreservingSeqNumbers(persistenceId());
        entity = newLife();

        assertThat(none(pack()).why()).startsWith("JOURNAL_UNREADABLE");
    }

    @Test
    void a_machine_that_breaks_an_invariant_pauses_its_entity_and_nothing_is_journaled() {
        var waiting = carrier.thenWait();
        var first = pack();
        await().until(() -> carrier.asked.size() == 1);

        var answer = none(ask(request("k-2", "h"), new Command.Explode(), Duration.ofSeconds(1)));

        assertThat(answer.certainty()).isEqualTo(Certainty.NOT_TAKEN);
        assertThat(none(first).certainty()).isEqualTo(Certainty.UNKNOWN);
        assertThat(diary.has("broken " + id)).isTrue();
        waiting.complete(Outcome.unknown("too late"));
        await().until(() -> diary.has("recovered " + id + " at 1"));
        eventually(shipped());
    }

    @Test
    void an_entity_whose_journaled_state_breaks_an_invariant_says_so_and_begins_again_by_itself() {
        foreign(payload(HEAD + "\"type\":\"Packed\",\"data\":{\"item\":\"cursed\",\"careful\":false}}"));

        NotAnswered<State> answer = none(pack());

        assertThat(answer.certainty()).isEqualTo(Certainty.NOT_TAKEN);
        assertThat(answer.why()).contains("cursed");
        await().until(() -> diary.count("broken " + id) >= 3);
        assertThat(diary.lines).doesNotContain("journal failed " + id).noneMatch(line -> line.startsWith("recovered"));
    }

    @Test
    void who_asks_a_full_entity_is_refused_at_once_and_what_it_lives_by_gets_in() {
        kit.stop(entity);
        spawn(SETTINGS.withStashCapacity(4));
        var attempt = carrier.thenWait();
        var asker = pack();
        await().until(() -> carrier.asked.size() == 1);
        var journalBack = new CountDownLatch(1);
        journal.withPolicy(heldUntil(journalBack));
        var noting = ask(request("n", "h"), new Command.Note("x"), Duration.ofSeconds(5));

        List<TestProbe<EntityResponse<State>>> looking =
                Stream.generate(this::looker).limit(10).toList();
        for (var refused : looking.subList(4, 10)) {
            assertThat(none(refused).certainty()).isEqualTo(Certainty.NOT_TAKEN);
        }
        attempt.complete(Carrier.taken());
        journalBack.countDown();

        assertThat(reply(asker).verdict()).isEqualTo(Verdict.done());
        reply(noting);
        looking.subList(0, 4).forEach(EntityActorTest::reply);
        assertThat(carrier.asked).hasSize(1);
        assertThat(diary.count("crowded " + id)).isEqualTo(6);
        everySeatIsFree(4);
    }

    @Test
    void an_entity_that_was_full_when_its_journal_failed_has_every_seat_free_again() {
        kit.stop(entity);
        spawn(SETTINGS.withStashCapacity(4));
        journal.failNextNPersisted(persistenceId(), 2);

        List<TestProbe<EntityResponse<State>>> asking =
                Stream.generate(this::pack).limit(12).toList();
        asking.forEach(asker -> asker.receiveMessage(Duration.ofSeconds(10)));

        await().until(() -> diary.has("journal failed " + id));
        everySeatIsFree(4);
    }

    private void everySeatIsFree(int seats) {
        var journalBack = new CountDownLatch(1);
        journal.withPolicy(heldUntil(journalBack));
        long crowded = diary.count("crowded " + id);
        var noting = ask(request("seats", "h"), new Command.Note("y"), Duration.ofSeconds(5));
        List<TestProbe<EntityResponse<State>>> looking =
                Stream.generate(this::looker).limit(seats + 1).toList();
        assertThat(none(looking.getLast()).certainty()).isEqualTo(Certainty.NOT_TAKEN);
        journalBack.countDown();
        reply(noting);
        looking.subList(0, seats).forEach(EntityActorTest::reply);
        assertThat(diary.count("crowded " + id)).isEqualTo(crowded + 1);
    }

    private ProcessingPolicy<JournalOperation> heldUntil(CountDownLatch back) {
        return (writer, operation) -> {
            if (operation instanceof WriteEvents && writer.equals(persistenceId())) {
                try {
                    back.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return new StorageFailure(e);
                }
            }
            return ProcessingSuccess.getInstance();
        };
    }

    private TestProbe<EntityResponse<State>> looker() {
        TestProbe<EntityResponse<State>> asker = kit.createTestProbe();
        entity.tell(new EntityMessage.Look<>("parcel", id, asker.getRef()));
        return asker;
    }

    @Test
    void a_command_whose_consequence_breaks_an_invariant_is_not_journaled() {
        var answer = none(
                ask(request("k", "h"), new Command.Pack("cursed", Optional.empty(), false), Duration.ofSeconds(1)));

        assertThat(answer.certainty()).isEqualTo(Certainty.NOT_TAKEN);
        assertThat(rows()).isEmpty();
    }

    @Test
    void an_entity_stopped_while_it_owes_is_started_again_by_the_message_it_leaves() {
        carrier.thenWait();
        var asker = pack();
        await().until(() -> carrier.asked.size() == 1);

        entity.tell(new EntityMessage.Stop<>());

        assertThat(reply(asker).verdict()).isEqualTo(Verdict.pending());
        await().until(() -> diary.has("stopped " + id + " owing"));
        assertThat(woken).containsExactly(id);
        entity = newLife();
        eventually(shipped());
    }

    @Test
    void an_entity_at_rest_asks_to_leave_memory_and_leaves_nothing_to_wake() {
        reply(pack());

        shard.expectMessageClass(ClusterSharding.Passivate.class);
        entity.tell(new EntityMessage.Stop<>());
        await().until(() -> diary.has("stopped " + id));
        assertThat(woken).isEmpty();
    }

    @Test
    void every_start_that_is_told_is_followed_by_one_stop() {
        journal.failNextPersisted(persistenceId());
        none(pack());
        reply(pack());
        restart();
        none(ask(request("x", "h"), new Command.Explode(), Duration.ofSeconds(1)));

        await().until(() -> diary.lines.stream()
                        .filter(line -> line.startsWith("recovered"))
                        .count()
                == 4);
        assertThat(diary.lines.stream().filter(line -> line.startsWith("recovered") || line.startsWith("stopped")))
                .containsExactly(
                        "recovered " + id + " at 0",
                        "stopped " + id,
                        "recovered " + id + " at 0",
                        "stopped " + id,
                        "recovered " + id + " at 2",
                        "stopped " + id,
                        "recovered " + id + " at 2");
    }

    @Test
    void a_wake_up_near_enough_is_given_from_memory_also_after_a_restart() {
        Instant soon = Instant.now().plusMillis(400);
        reply(ask(request("k-1", "h"), new Command.Pack("vase", Optional.of(soon), false), Duration.ofSeconds(5)));

        restart();

        await().until(() -> rows().size() == 3);
        assertThat(rows().getLast()).contains("\"type\":\"Asked\"").contains("\"kind\":\"TIMER\"");
        assertThat(look().state())
                .isInstanceOfSatisfying(
                        State.Shipped.class, s -> assertThat(s.asked()).isEqualTo(1));
    }

    @Test
    void an_unknown_outcome_from_an_earlier_life_does_not_count_for_the_attempt_that_runs() {
        var early = carrier.thenWait();
        var asker = pack();
        await().until(() -> carrier.asked.size() == 1);
        journal.failNextPersisted(persistenceId());
        var note = ask(request("n", "h"), new Command.Note("x"), Duration.ofSeconds(1));
        none(note);
        none(asker);
        var running = carrier.thenWait();
        await().until(() -> carrier.asked.size() == 2);

        early.complete(Outcome.unknown("lost long ago"));
        running.complete(Carrier.taken());

        eventually(shipped());
        assertThat(carrier.asked).hasSize(2);
    }
}
