package io.holdfast.it;

import static io.holdfast.it.KafkaShop.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.it.KafkaShop.Message;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.localstack.SharedStack;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** A node killed with SIGKILL between the journal, the broker and the marks of the publisher, and started again. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TellingCrashTest {

    private static final int MARKS = 4711;

    private static KafkaShop shop;
    private static NodeProcess node;
    private static Client client;

    @BeforeAll
    static void open() throws Exception {
        shop = new KafkaShop(SharedStack.kafka(), "telling", Map.of());
        node = shop.site.startProcess(shop.lines());
        client = new Client(node.address());
        client.createPool("dish", 1_000_000);
    }

    @AfterAll
    static void close() {
        node.close();
        shop.close();
    }

    @Test
    void a_node_killed_again_and_again_reads_and_tells_everything_under_the_same_ids() throws Exception {
        List<String> items = IntStream.range(0, 60).mapToObj(i -> "i" + i).toList();
        for (String item : items) {
            assertThat(client.hold("dish", item, 1).status()).isIn(201, 202);
        }
        List<String> twice = new ArrayList<>(items);
        twice.addAll(items);
        Collections.shuffle(twice, new Random(7));
        for (int i = 0; i < twice.size(); i++) {
            shop.news(twice.get(i).hashCode() % 3 == 0 ? "OrderCreatedFailed" : "OrderCreated", twice.get(i));
            if (i == 30 || i == 90) {
                node.kill();
                node.restart();
            }
        }
        awaitThat("all read", () -> shop.committed() == twice.size());
        awaitThat(
                "all settled",
                () -> items.stream()
                        .allMatch(item -> List.of("CONFIRMED", "CANCELED")
                                .contains(client.look("dish", item).text("/status"))));
        TreeSet<String> expected = journaledEnds();
        awaitThat("all told", () -> ids().containsAll(expected));
        assertThat(shop.announced("lifecycle").stream()
                        .filter(message -> message.type().equals("InventoryConfirmed"))
                        .map(message -> message.text("/reservation_id"))
                        .distinct()
                        .count())
                .isEqualTo(client.lookAtPool("dish").number("/redis/books/sold"));
        Map<String, JsonNode> contents = new HashMap<>();
        for (Message message : shop.announced("stock")) {
            JsonNode before = contents.putIfAbsent(message.id(), message.data());
            assertThat(before == null || before.equals(message.data()))
                    .as("one id, one content: " + message.id())
                    .isTrue();
        }
    }

    @Test
    void what_is_journaled_and_not_yet_told_when_the_node_is_killed_is_told_by_the_next() throws Exception {
        for (int round : Crash.rounds().toArray()) {
            awaitThat("all told", () -> ids().containsAll(journaledEnds()));
            TreeSet<String> before = ids();
            try (var older = shop.site.database()) {
                // A transaction that stays open holds back whoever reads the journal, and nobody who writes it.
                older.setAutoCommit(false);
                try (var statement = older.createStatement()) {
                    statement.execute("select pg_current_xact_id()");
                }
                assertThat(client.hold("dish", "untold-" + round, 1).status()).isEqualTo(201);
                node.kill();
                assertThat(journaledEnds()).hasSizeGreaterThan(before.size());
                assertThat(ids()).isEqualTo(before);
                older.rollback();
            }
            node.restart();

            awaitThat("all told", () -> ids().containsAll(journaledEnds()));
        }
    }

    @Test
    void what_is_told_and_not_yet_marked_when_the_node_is_killed_is_told_again_under_the_same_id() throws Exception {
        for (int round : Crash.rounds().toArray()) {
            awaitThat("all marked", () -> allMarked());
            Set<String> before = stockIds();
            try (var door = shop.site.database();
                    var statement = door.createStatement()) {
                statement.execute("select pg_advisory_lock(%d)".formatted(MARKS));
                statement.execute("""
                    create or replace function wait_at_the_door() returns trigger language plpgsql as $$
                    begin
                        perform pg_advisory_xact_lock(%d);
                        return new;
                    end $$
                    """.formatted(MARKS));
                statement.execute("create trigger door before update on projection_offset for each row"
                        + " when (new.projection = 'kafka_publisher') execute function wait_at_the_door()");
                assertThat(client.hold("dish", "unmarked-" + round, 1).status()).isEqualTo(201);
                awaitThat("the first are told", () -> !before.containsAll(stockIds()));
                node.kill();
                // The dead node's transaction ends where it waits: nobody is left to commit it.
                statement.execute("select pg_advisory_unlock(%d)".formatted(MARKS));
                statement.execute("drop trigger door on projection_offset");
            }
            Message unmarked = shop.announced("stock").stream()
                    .filter(message -> !before.contains(message.id()))
                    .findFirst()
                    .orElseThrow();
            node.restart();

            awaitThat("told again", () -> toldUnder(unmarked.id()).size() >= 2);
            assertThat(toldUnder(unmarked.id())).extracting(Message::data).containsOnly(unmarked.data());
            awaitThat("all told", () -> ids().containsAll(journaledEnds()));
        }
    }

    private static Set<String> stockIds() {
        return shop.announced("stock").stream().map(Message::id).collect(Collectors.toSet());
    }

    /** Whether the publisher's offset stands at the end of the journal. */
    private static boolean allMarked() throws SQLException {
        try (var connection = shop.site.database();
                var question = connection.prepareStatement("""
                    select count(*) > 0 and bool_and(not exists (
                        select from event_journal j
                        where j.slice between o.slice_from and o.slice_to and (j.xid, j.ordering) > (o.xid, o.ordering)))
                    from projection_offset o where o.projection = 'kafka_publisher'
                    """);
                var row = question.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static List<Message> toldUnder(String id) {
        return shop.announced("stock").stream()
                .filter(message -> message.id().equals(id))
                .toList();
    }

    private static TreeSet<String> ids() {
        var ids = new TreeSet<String>();
        shop.announced("lifecycle").forEach(message -> ids.add(message.id()));
        return ids;
    }

    /** Ids of the messages that follow from what is journaled. */
    private static TreeSet<String> journaledEnds() throws SQLException {
        var ids = new TreeSet<String>();
        try (var connection = shop.site.database();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("select persistence_id || '#' || sequence_number from journal_readable"
                                + " where type in ('HoldGranted', 'HoldConfirmed', 'HoldReleased')")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }
}
