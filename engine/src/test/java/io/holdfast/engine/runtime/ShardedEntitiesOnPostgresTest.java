package io.holdfast.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.entity.Parcel;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import io.holdfast.localstack.fault.Trap;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.postgresql.ds.PGSimpleDataSource;

/** Two nodes in one JVM on a real PostgreSQL, with a proxy between that can be broken. The last tests break the cluster itself. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardedEntitiesOnPostgresTest {

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final EngineSettings SETTINGS = EngineSettings.defaults()
            .withLimits(new CoreLimits(
                    8, Duration.ofMinutes(2), Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(1)))
            .withRestartAfter(Duration.ofMillis(100), Duration.ofMillis(500))
            .withUnreadableLinger(Duration.ofMillis(500));

    private static PostgresServer postgres;
    private static String directUrl;
    private static FaultProxy proxy;
    private static TestNode first;
    private static TestNode second;

    private final String id = "p-" + NUMBERS.incrementAndGet();

    @BeforeAll
    static void start() {
        postgres = SharedStack.postgres();
        directUrl = SharedStack.freshDatabase("shell");
        var owner = new PGSimpleDataSource();
        owner.setUrl(directUrl);
        owner.setUser(postgres.user());
        owner.setPassword(postgres.password());
        new Migrations(owner).migrate();
        proxy = FaultProxy.to(owner.getServerNames()[0], owner.getPortNumbers()[0]);
        String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + owner.getDatabaseName();
        first = new TestNode(url, postgres.user(), postgres.password(), SETTINGS);
        second = new TestNode(url, postgres.user(), postgres.password(), SETTINGS);
        first.join(first);
        second.join(first);
        for (int i = 0; i < 8; i++) {
            String warm = "warm-" + i;
            await().atMost(Duration.ofSeconds(60)).until(() -> get(first.parcels.look(warm)) instanceof Outcome.Known);
            await().atMost(Duration.ofSeconds(60)).until(() -> get(second.parcels.look(warm)) instanceof Outcome.Known);
        }
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        proxy.close();
    }

    @BeforeEach
    void healed() {
        proxy.heal();
    }

    private static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("an ask never completes exceptionally, and always in time", e);
        }
    }

    private static Reply<State> known(Outcome<Reply<State>> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Known.class);
        return ((Outcome.Known<Reply<State>>) outcome).value();
    }

    private static Cause request(String causeId) {
        return new Cause(causeId, "h", Cause.Kind.REQUEST, "shop", Optional.empty());
    }

    private CompletionStage<Outcome<Reply<State>>> pack(TestNode node, Duration patience) {
        return node.parcels.ask(id, request("k-1"), new Command.Pack("vase", Optional.empty(), false), patience);
    }

    /** Asks under the same cause until an answer comes, as a client does. */
    private Reply<State> packUntilKnown(TestNode node) {
        return known(await().atMost(Duration.ofSeconds(40))
                .until(() -> get(pack(node, PATIENCE)), Outcome.Known.class::isInstance));
    }

    private int attempts() {
        return (int) List.of(first, second).stream()
                .flatMap(node -> node.carrier.asked.stream())
                .filter(line -> line.startsWith(id + " "))
                .count();
    }

    private static List<String> sql(String query) {
        try (var connection = DriverManager.getConnection(directUrl, postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            List<String> values = new ArrayList<>();
            if (statement.execute(query)) {
                var rows = statement.getResultSet();
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    /** One expression over the JSON of every row of this test's parcel, in order. */
    private List<String> journal(String expression) {
        return journal(id, expression);
    }

    private static List<String> journal(String parcel, String expression) {
        return sql("select " + expression
                + " from event_journal j, lateral (select convert_from(event_payload, 'UTF8')::jsonb as e) p"
                + " where persistence_id = 'parcel|" + parcel + "' order by sequence_number");
    }

    private List<String> types() {
        return journal("e ->> 'type'");
    }

    /** What somebody else puts into the journal. */
    private void foreignRow(int sequenceNumber, int serializer, String json) {
        sql("insert into event_journal (persistence_id, sequence_number, writer, write_timestamp,"
                + " adapter_manifest, event_ser_id, event_ser_manifest,"
                + " event_payload) values ('parcel|" + id + "', " + sequenceNumber
                + ", 'somebody else', 0, '', "
                + serializer + ", 'parcel', convert_to('" + json + "', 'UTF8'))");
    }

    @Test
    @Order(1)
    void a_command_given_to_two_nodes_at_once_moves_things_once_and_both_are_told_the_same() {
        var here = pack(first, PATIENCE);
        var there = pack(second, PATIENCE);

        var told = List.of(known(get(here)), known(get(there)));

        assertThat(told).allSatisfy(reply -> {
            assertThat(reply.verdict()).isEqualTo(Verdict.done());
            assertThat(reply.state()).isEqualTo(new State.Shipped("T-9", Optional.empty(), 0));
            assertThat(reply.sequenceNumber()).isEqualTo(2);
        });
        assertThat(told.stream().filter(Reply::repeated)).hasSize(1);
        assertThat(types()).containsExactly("Packed", "ShippedOut");
        assertThat(attempts()).isEqualTo(1);
    }

    @Test
    @Order(2)
    void the_journal_reads_as_plain_json_with_who_why_and_when() {
        known(get(pack(first, PATIENCE)));

        assertThat(journal("event_ser_manifest")).containsOnly("parcel");
        assertThat(journal("(e -> 'data' ->> 'item') || ' by ' || (e -> 'cause' ->> 'actor')")
                        .getFirst())
                .isEqualTo("vase by shop");
        assertThat(journal("(e ->> 'at')::timestamptz > now() - interval '1 hour'"))
                .containsOnly("t");
        assertThat(journal("e ? 'wake_at'")).containsExactly("t", "f");
        assertThat(journal("e -> 'cause' ->> 'kind'")).containsExactly("REQUEST", "OUTCOME");
    }

    @Test
    @Order(3)
    void what_is_no_id_or_asked_by_a_node_outside_is_not_taken() {
        for (String wrong : List.of("", "a|b", "x".repeat(201))) {
            assertThat(get(first.parcels.look(wrong))).isInstanceOf(Outcome.Unavailable.class);
        }
        try (var lonely = new TestNode(directUrl, postgres.user(), postgres.password(), SETTINGS)) {
            assertThat(get(pack(lonely, PATIENCE))).isInstanceOf(Outcome.Unavailable.class);
        }
    }

    @Test
    @Order(4)
    void a_second_writer_of_the_same_entry_loses_nothing_is_guessed_and_the_entity_goes_on_from_the_journal() {
        var answer = first.carrier.thenWait();
        var other = second.carrier.thenWait();
        assertThat(known(get(pack(first, Duration.ZERO))).verdict()).isEqualTo(Verdict.pending());
        foreignRow(
                2,
                JournalPayloadSerializer.IDENTIFIER,
                "{\"v\":1,\"type\":\"ShippingRejected\",\"at\":\"2026-01-01T00:00:00Z\",\"cause\":{\"id\":\"SHIP:vase\",\"hash\":\"\",\"kind\":\"OUTCOME\",\"actor\":\"engine\"},\"data\":{\"why\":\"by"
                    + " the other\"}}");
        var waiting = pack(first, PATIENCE);

        answer.complete(Carrier.taken());
        other.complete(Carrier.taken());

        assertThat(get(waiting))
                .as("nobody is told that it was shipped")
                .satisfiesAnyOf(
                        told -> assertThat(told).isInstanceOf(Outcome.Unknown.class),
                        told -> assertThat(known(told).verdict()).isEqualTo(Verdict.refused(Parcel.No.NO_CARRIER)));
        Reply<State> now = packUntilKnown(first);
        assertThat(now.state()).isEqualTo(new State.Rejected("by the other"));
        assertThat(now.repeated()).isTrue();
        assertThat(types()).containsExactly("Packed", "ShippingRejected");
    }

    @Test
    @Order(5)
    void a_commit_whose_answer_is_lost_is_found_in_the_table_and_told_as_done() {
        known(get(first.parcels.look(id)));
        var trap = proxy.loseReplyTo("insert into event_journal");

        Reply<State> reply = known(packInto(trap));

        assertThat(reply.verdict()).isEqualTo(Verdict.done());
        assertThat(types()).containsExactly("Packed", "ShippedOut");
        assertThat(attempts()).isEqualTo(1);
        assertThat(known(get(second.parcels.look(id))).state()).isEqualTo(reply.state());
    }

    private Outcome<Reply<State>> packInto(Trap trap) {
        var told = get(pack(first, PATIENCE));
        assertThat(trap.hasSprung()).isTrue();
        return told;
    }

    @Test
    @Order(6)
    void an_outcome_whose_write_is_lost_is_written_again_and_its_effect_is_not_repeated() {
        known(get(first.parcels.look(id)));
        var trap = proxy.loseRequest("\"type\":\"ShippedOut\"");

        assertThat(known(packInto(trap)).verdict()).isEqualTo(Verdict.done());
        assertThat(types()).containsExactly("Packed", "ShippedOut");
        assertThat(attempts()).isEqualTo(1);
    }

    @Test
    @Order(7)
    void a_journal_that_never_answers_gives_bounded_answers_and_every_entity_serves_again_when_it_is_back() {
        known(get(first.parcels.look(id)));
        proxy.blackhole();

        assertThat(get(pack(first, Duration.ofSeconds(1)))).isInstanceOf(Outcome.Unknown.class);

        proxy.heal();
        assertThat(packUntilKnown(first).verdict()).isEqualTo(Verdict.done());
        assertThat(types()).containsExactly("Packed", "ShippedOut");
    }

    @Test
    @Order(8)
    void a_database_that_goes_away_under_load_loses_nothing_that_was_answered() {
        List<String> ids = new ArrayList<>();
        List<CompletionStage<Outcome<Reply<State>>>> asked = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String one = id + "-" + i;
            ids.add(one);
            asked.add((i % 2 == 0 ? first : second)
                    .parcels.ask(
                            one,
                            request("k"),
                            new Command.Pack("vase", Optional.empty(), false),
                            Duration.ofSeconds(3)));
            if (i == 30) {
                proxy.refuse();
            }
        }
        List<Outcome<Reply<State>>> told =
                asked.stream().map(ShardedEntitiesOnPostgresTest::get).toList();
        proxy.heal();

        for (int i = 0; i < ids.size(); i++) {
            String one = ids.get(i);
            Reply<State> reply = known(await().atMost(Duration.ofSeconds(40))
                    .until(
                            () -> get(first.parcels.ask(
                                    one, request("k"), new Command.Pack("vase", Optional.empty(), false), PATIENCE)),
                            Outcome.Known.class::isInstance));
            assertThat(reply.verdict()).isEqualTo(Verdict.done());
            if (told.get(i) instanceof Outcome.Known<Reply<State>>) {
                assertThat(reply.repeated())
                        .as("what was answered is in the journal")
                        .isTrue();
            }
        }
        assertThat(sql("select count(*) from event_journal where persistence_id like 'parcel|" + id + "-%'"))
                .containsExactly("120");
    }

    @Test
    @Order(9)
    void an_entity_whose_journal_can_not_be_read_is_refused_alone_and_serves_again_once_it_can() {
        foreignRow(1, JournalPayloadSerializer.IDENTIFIER, "{\"v\":2,\"type\":\"Beamed\"}");

        var refused = get(pack(first, PATIENCE));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        Outcome.Unavailable.class,
                        unavailable ->
                                assertThat(unavailable.why()).startsWith(EngineRefusal.JOURNAL_UNREADABLE.code()));
        assertThat(known(get(first.parcels.look(id + "-other"))).sequenceNumber())
                .isZero();
        sql("delete from event_journal where persistence_id = 'parcel|" + id + "'");
        assertThat(packUntilKnown(first).verdict()).isEqualTo(Verdict.done());
    }

    @Test
    @Order(10)
    void an_entity_written_by_something_else_is_refused_alone() {
        foreignRow(1, 4711, "{}");

        assertThat(get(pack(first, Duration.ofSeconds(1)))).isNotInstanceOf(Outcome.Known.class);
        assertThat(known(get(first.parcels.look(id + "-other"))).sequenceNumber())
                .isZero();
        sql("delete from event_journal where persistence_id = 'parcel|" + id + "'");
        assertThat(packUntilKnown(first).verdict()).isEqualTo(Verdict.done());
    }

    @Test
    @Order(11)
    void an_entity_at_rest_leaves_memory_and_is_read_again_when_asked() {
        known(get(pack(first, PATIENCE)));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> first.diary.has("stopped " + id) || second.diary.has("stopped " + id));

        assertThat(known(get(pack(second, PATIENCE))).repeated()).isTrue();
        assertThat(attempts()).isEqualTo(1);
    }

    /** The confirm that follows a hold: whoever waits for a time lingers longer than whoever waits for nothing. */
    @Test
    @Order(11)
    void an_entity_from_which_more_is_expected_is_still_in_memory_when_others_have_left_and_reads_no_journal() {
        var later = new Command.Pack("vase", Optional.of(Instant.now().plus(Duration.ofHours(1))), false);
        known(get(first.parcels.ask(id, request("k-1"), later, PATIENCE)));
        String other = id + "-other";
        known(get(
                first.parcels.ask(other, request("k-1"), new Command.Pack("vase", Optional.empty(), false), PATIENCE)));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> first.diary.has("stopped " + other) || second.diary.has("stopped " + other));

        known(get(second.parcels.ask(id, request("k-2"), new Command.Note("x"), PATIENCE)));

        assertThat(Stream.of(first, second)
                        .flatMap(node -> node.diary.lines.stream())
                        .filter(line -> line.startsWith("recovered " + id + " ")))
                .containsExactly("recovered " + id + " at 0");
    }

    @Test
    @Order(12)
    void more_than_this_node_may_wait_for_is_refused_untaken() {
        try (var busy = new TestNode(
                directUrl,
                postgres.user(),
                postgres.password(),
                SETTINGS.withAsking(Duration.ofSeconds(5), Duration.ofSeconds(5), 1))) {
            busy.join(busy);
            await().atMost(Duration.ofSeconds(60)).until(() -> get(busy.parcels.look("warm")) instanceof Outcome.Known);
            busy.carrier.thenWait();
            var one = busy.parcels.ask(
                    id, request("k"), new Command.Pack("vase", Optional.empty(), false), Duration.ofSeconds(5));
            assertThat(get(busy.parcels.look(id))).isInstanceOf(Outcome.Unavailable.class);
            known(get(one));
            assertThat(get(busy.parcels.look(id))).isInstanceOf(Outcome.Known.class);
        }
    }

    @Test
    @Order(13)
    void the_last_node_does_not_wait_for_anybody_to_take_over_what_its_entities_owe_and_the_next_one_does_it() {
        var last = new TestNode(directUrl, postgres.user(), postgres.password(), SETTINGS);
        last.join(last);
        await().atMost(Duration.ofSeconds(60)).until(() -> get(last.parcels.look("warm")) instanceof Outcome.Known);
        for (int i = 0; i < 24; i++) {
            last.carrier.thenWait();
            known(get(last.parcels.ask(
                    id + "-" + i, request("k"), new Command.Pack("vase", Optional.empty(), false), Duration.ZERO)));
        }

        last.leave();

        for (int i = 0; i < 24; i++) {
            String one = id + "-" + i;
            first.parcels.wake(one);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> journal(one, "e ->> 'type'"), types -> types.contains("ShippedOut"));
        }
    }

    /** As many parcels in flight as make it certain that both nodes hold some. */
    private List<String> inFlight() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            String one = id + "-" + i;
            first.carrier.thenWait();
            second.carrier.thenWait();
            ids.add(one);
            known(get(first.parcels.ask(
                    one, request("k"), new Command.Pack("vase", Optional.empty(), false), Duration.ZERO)));
        }
        return ids;
    }

    @Test
    @Order(20)
    void a_node_that_leaves_hands_over_what_it_owes_and_nobody_has_to_ask() {
        var third = new TestNode(directUrl, postgres.user(), postgres.password(), SETTINGS).join(first);
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            get(first.parcels.look("warm-" + NUMBERS.incrementAndGet()));
            return third.diary.lines.stream().anyMatch(line -> line.startsWith("recovered"));
        });
        List<String> ids = inFlight();

        third.leave();

        for (String one : ids) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> journal(one, "e ->> 'type'"), types -> types.contains("ShippedOut"));
        }
        assertThat(get(third.parcels.look(ids.getFirst()))).isNotInstanceOf(Outcome.Known.class);
    }

    @Test
    @Order(21)
    void a_node_that_dies_leaves_its_entities_to_be_woken_and_what_they_owe_is_done() {
        List<String> ids = inFlight();

        second.dieFor(first);

        for (String one : ids) {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                first.parcels.wake(one);
                return journal(one, "e ->> 'type'").contains("ShippedOut");
            });
            assertThat(known(get(first.parcels.look(one))).state()).isInstanceOf(State.Shipped.class);
        }
    }
}
