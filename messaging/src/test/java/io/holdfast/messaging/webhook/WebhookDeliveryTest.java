package io.holdfast.messaging.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.Offset;
import io.holdfast.messaging.follow.MemoryJournal;
import io.holdfast.messaging.webhook.WebhookDeliveries.Delivery;
import io.holdfast.messaging.webhook.Webhooks.Made;
import io.holdfast.reservation.conformance.MigratedDatabase;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From a row of the journal to a receiver that fails, hangs or is gone, over the tables of a real PostgreSQL. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(180)
class WebhookDeliveryTest {

    /** On a machine that does much else. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");
    private static final long LATER_THAN_ALL = 1_000_000_000;
    private static final WebhookFilter EVERYTHING = new WebhookFilter(Set.of(), Optional.empty(), Optional.empty());
    private static final byte[] SECRET = new byte[32];

    private static HikariDataSource database;

    private final Webhooks webhooks = new Webhooks(database);
    private final WebhookDeliveries deliveries = new WebhookDeliveries(database);
    private final MemoryJournal journal = new MemoryJournal(LATER_THAN_ALL);
    private final WebhookProjection projection = new WebhookProjection(journal.messages(), "/holdfast/test");
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    /** How each receiver answers, by address. */
    private final Map<String, Function<Call, CompletionStage<WebhookCall.Answer>>> receivers =
            new ConcurrentHashMap<>();

    private final List<AutoCloseable> open = new ArrayList<>();

    /** One call as it arrived. */
    private record Call(String url, Map<String, String> headers, String body) {
        String id() {
            return String.valueOf(headers.get("webhook-id"));
        }

        String type() {
            return body.replaceAll("(?s).*\"type\":\"([A-Za-z]+)\".*", "$1");
        }
    }

    @BeforeAll
    static void start() {
        database = MigratedDatabase.fresh("webhooks");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @BeforeEach
    void clean() throws SQLException {
        execute("delete from webhook");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static void execute(String sql) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Webhook webhook(String name, WebhookFilter about) throws SQLException {
        Made made = webhooks.make(
                new Webhooks.Wish(name, URI.create("https://" + name), about, "", "shop", name, "hash", SECRET), 100);
        return ((Made.New) made).webhook();
    }

    private void send(Duration giveUpAfter, Duration disableAfter) {
        var sender = new WebhookSender(
                deliveries,
                (url, headers, body, _) -> {
                    var call = new Call(url.toString(), headers, new String(body, StandardCharsets.UTF_8));
                    calls.add(call);
                    return receivers
                            .getOrDefault(url.getHost(), _ -> answer(200))
                            .apply(call);
                },
                new WebhookSettings(
                        16,
                        4,
                        Duration.ofSeconds(5),
                        new Backoff(Duration.ofMillis(20), Duration.ofMillis(50), 2, 0.2),
                        giveUpAfter,
                        disableAfter,
                        Duration.ofHours(1),
                        Duration.ofMillis(10)),
                WebhookListener.NONE,
                () -> NOW,
                () -> 0.5);
        open.add(sender);
        sender.start();
    }

    private void send() {
        send(Duration.ofDays(1), Duration.ofDays(1));
    }

    private static CompletionStage<WebhookCall.Answer> answer(int status) {
        return CompletableFuture.completedFuture(new WebhookCall.Answer(status, Optional.empty()));
    }

    /** Has the projection handle what the journal has behind the place. */
    private void project(Offset after) throws SQLException {
        List<JournalRow> rows = journal.all(after, 1000).rows();
        try (var connection = database.getConnection()) {
            projection.handleAll(connection, rows);
        }
    }

    private List<String> typesAt(String name) {
        return calls.stream()
                .filter(call -> call.url().equals("https://" + name))
                .map(Call::type)
                .toList();
    }

    private List<Delivery> all(String name) {
        try {
            return deliveries.list(name, Optional.empty(), Optional.empty(), 500);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean allAre(String name, String status) {
        List<Delivery> all = all(name);
        return !all.isEmpty() && all.stream().allMatch(one -> one.status().equals(status));
    }

    @Test
    void what_is_journaled_is_sent_signed_in_order_and_made_once_however_often_it_is_projected() throws Exception {
        webhook("one", EVERYTHING);
        journal.hold("a").confirm("a");
        project(Offset.START);
        project(Offset.START);
        send();
        await().atMost(PATIENCE).until(() -> allAre("one", "DELIVERED"));
        project(Offset.START);
        assertThat(all("one")).hasSize(4);
        assertThat(typesAt("one"))
                .containsExactly(
                        "InventoryRedisReserved", "InventoryReserved", "InventoryRedisConfirmed", "InventoryConfirmed");
        Call first = calls.getFirst();
        assertThat(first.headers())
                .containsEntry("webhook-timestamp", Long.toString(NOW.getEpochSecond()))
                .containsEntry(
                        "webhook-signature",
                        WebhookSignature.of(
                                List.of(SECRET), first.id(), NOW, first.body().getBytes(StandardCharsets.UTF_8)));
        assertThat(calls).extracting(Call::id).doesNotHaveDuplicates().allMatch(id -> id.matches("msg_[0-9a-f]{32}"));
        assertThat(first.body())
                .contains("\"source\":\"/holdfast/test\"")
                .contains("\"id\":\"" + MemoryJournal.idOf("a"));
    }

    @Test
    void a_webhook_is_told_of_what_is_journaled_after_it_was_made_and_of_what_it_is_about() throws Exception {
        var old = new MemoryJournal(1);
        old.hold("before");
        webhook("reserved", new WebhookFilter(Set.of("InventoryReserved"), Optional.empty(), Optional.empty()));
        webhook("pool", new WebhookFilter(Set.of(), Optional.of(MemoryJournal.POOL.value()), Optional.empty()));
        webhook("elsewhere", new WebhookFilter(Set.of(), Optional.of("m-1:tea:2026-07-25"), Optional.empty()));
        webhook("mine", new WebhookFilter(Set.of(), Optional.empty(), Optional.of(Set.of("m-1"))));
        webhook("others", new WebhookFilter(Set.of(), Optional.empty(), Optional.of(Set.of("m-2"))));
        try (var connection = database.getConnection()) {
            new WebhookProjection(old.messages(), "/x")
                    .handleAll(connection, old.all(Offset.START, 100).rows());
        }
        journal.hold("a");
        project(Offset.START);
        assertThat(all("reserved")).extracting(Delivery::type).containsExactly("InventoryReserved");
        assertThat(all("pool")).hasSize(2);
        assertThat(all("mine")).hasSize(2);
        assertThat(all("elsewhere")).isEmpty();
        assertThat(all("others")).isEmpty();
    }

    @Test
    void what_fails_is_sent_again_under_its_id_and_holds_up_its_own_reservation_alone() throws Exception {
        webhook(
                "flaky",
                new WebhookFilter(
                        Set.of("InventoryReserved", "InventoryConfirmed"), Optional.empty(), Optional.empty()));
        journal.hold("a").hold("b").confirm("a").confirm("b");
        project(Offset.START);
        String ofA = MemoryJournal.idOf("a").substring("reservation|".length());
        receivers.put("flaky", call -> answer(call.body().contains(ofA) && countOf(call) < 4 ? 400 : 204));
        send();
        await().atMost(PATIENCE).until(() -> allAre("flaky", "DELIVERED"));
        List<Call> aCalls =
                calls.stream().filter(call -> call.body().contains(ofA)).toList();
        assertThat(aCalls)
                .extracting(Call::type)
                .containsExactly(
                        "InventoryReserved",
                        "InventoryReserved",
                        "InventoryReserved",
                        "InventoryReserved",
                        "InventoryConfirmed",
                        "InventoryConfirmed",
                        "InventoryConfirmed",
                        "InventoryConfirmed");
        assertThat(aCalls.stream().map(Call::id).distinct()).hasSize(2);
        Delivery first = all("flaky").getLast();
        assertThat(deliveries.attempts(first.id()))
                .extracting(
                        attempt -> attempt.status().or(() -> Optional.of(400)).get())
                .containsExactly(204, 400, 400, 400);
        assertThat(webhooks.find("flaky").orElseThrow().failures()).isZero();
    }

    private long countOf(Call call) {
        return calls.stream().filter(each -> each.id().equals(call.id())).count();
    }

    @Test
    void a_receiver_that_hangs_holds_up_nobody_else() throws Exception {
        webhook("hangs", EVERYTHING);
        webhook("works", EVERYTHING);
        receivers.put("hangs", _ -> new CompletableFuture<>());
        for (int i = 0; i < 20; i++) {
            journal.hold("i" + i);
        }
        project(Offset.START);
        send();
        await().atMost(PATIENCE).until(() -> allAre("works", "DELIVERED"));
        assertThat(all("works")).hasSize(40);
        assertThat(typesAt("hangs").size()).as("under way to one receiver").isBetween(1, 16);
        assertThat(all("hangs")).allMatch(one -> one.status().equals("PENDING"));
    }

    @Test
    void a_receiver_that_is_gone_is_called_no_more_and_the_others_are_told() throws Exception {
        webhook("gone", EVERYTHING);
        webhook("watch", new WebhookFilter(Set.of("WebhookDisabled"), Optional.empty(), Optional.empty()));
        webhook("limited", new WebhookFilter(Set.of(), Optional.empty(), Optional.of(Set.of("m-2"))));
        receivers.put("gone", _ -> answer(410));
        journal.hold("a").hold("b");
        project(Offset.START);
        send();
        await().atMost(PATIENCE).until(() -> allAre("watch", "DELIVERED"));
        Webhook gone = webhooks.find("gone").orElseThrow();
        assertThat(gone.disabled().orElseThrow().why()).contains("410");
        assertThat(typesAt("watch")).containsExactly("WebhookDisabled");
        assertThat(typesAt("limited")).isEmpty();
        assertThat(listed("gone")).as("told to persons").isEqualTo("MANUAL 1 open 410");
        int until = typesAt("gone").size();
        journal.hold("c");
        project(Offset.START);
        assertThat(all("gone")).as("nothing is made for it").hasSize(4);
        assertThat(typesAt("gone")).hasSizeLessThanOrEqualTo(until + 1);

        receivers.remove("gone");
        webhooks.enable("gone");
        assertThat(listed("gone")).isEqualTo("MANUAL 1 gone 410");
        await().atMost(PATIENCE).until(() -> allAre("gone", "DELIVERED"));

        receivers.put("gone", _ -> answer(410));
        journal.hold("d");
        project(Offset.START);
        await().atMost(PATIENCE)
                .until(() -> webhooks.find("gone").orElseThrow().disabled().isPresent());
        assertThat(listed("gone")).as("once more").isEqualTo("MANUAL 2 open 410");
        webhooks.remove("gone");
        assertThat(listed("gone")).isEqualTo("MANUAL 2 gone 410");
    }

    /** How the list of what needs a person has it: class, how often it came about, whether it is so now, and why. */
    private static String listed(String webhook) throws SQLException {
        try (var connection = database.getConnection();
                var question = connection.prepareStatement("""
                    select class || ' ' || found || case when gone_at is null then ' open ' else ' gone ' end
                           || substring(summary from '410')
                    from anomaly where type = 'WEBHOOK_DISABLED' and evidence ->> 'object' = ?
                    """)) {
            question.setString(1, webhook);
            try (var row = question.executeQuery()) {
                assertThat(row.next()).as("in the list").isTrue();
                return row.getString(1);
            }
        }
    }

    @Test
    void nothing_taken_for_too_long_disables_and_a_success_starts_the_count_anew() throws Exception {
        webhook("down", EVERYTHING);
        receivers.put("down", _ -> CompletableFuture.failedFuture(new IllegalStateException("connection refused")));
        journal.hold("a");
        project(Offset.START);
        send(Duration.ofDays(1), Duration.ofMillis(300));
        await().atMost(PATIENCE)
                .until(() -> webhooks.find("down").orElseThrow().disabled().isPresent());
        Webhook down = webhooks.find("down").orElseThrow();
        assertThat(down.disabled().orElseThrow().why()).contains("attempts in a row");
        assertThat(down.failures()).isGreaterThan(1);
        assertThat(deliveries.attempts(all("down").getLast().id()))
                .allMatch(attempt -> attempt.error().equals(Optional.of("connection refused")));
    }

    @Test
    void what_is_never_taken_is_given_up_and_the_next_of_its_reservation_goes_on() throws Exception {
        webhook("picky", EVERYTHING);
        receivers.put("picky", call -> answer(call.type().equals("InventoryRedisReserved") ? 422 : 200));
        journal.hold("a");
        project(Offset.START);
        send(Duration.ofMillis(200), Duration.ofDays(1));
        await().atMost(PATIENCE)
                .until(() -> all("picky").stream().noneMatch(one -> one.status().equals("PENDING")));
        assertThat(all("picky")).extracting(Delivery::status).containsExactly("DELIVERED", "GIVEN_UP");

        receivers.remove("picky");
        Delivery givenUp = all("picky").getLast();
        assertThat(deliveries.again("picky", givenUp.id())).isTrue();
        await().atMost(PATIENCE).until(() -> allAre("picky", "DELIVERED"));
        assertThat(calls.getLast().id()).isEqualTo(givenUp.messageId());
    }

    @Test
    void secrets_overlap_while_they_are_changed_and_the_last_one_stays() throws Exception {
        webhook("rotates", EVERYTHING);
        assertThat(webhooks.addSecret("rotates", new byte[40])).contains(2);
        journal.hold("a");
        project(Offset.START);
        send();
        await().atMost(PATIENCE).until(() -> allAre("rotates", "DELIVERED"));
        assertThat(calls.getFirst().headers().get("webhook-signature").split(" "))
                .hasSize(2);
        assertThat(webhooks.retireSecret("rotates", 1)).isTrue();
        assertThat(webhooks.retireSecret("rotates", 2)).isFalse();
        assertThat(webhooks.find("rotates").orElseThrow().secrets()).containsExactly(2);
        for (int version = 3; version <= 6; version++) {
            assertThat(webhooks.addSecret("rotates", new byte[32])).contains(version);
        }
        assertThat(webhooks.addSecret("rotates", new byte[32]))
                .as("as many as may be")
                .isEmpty();
    }

    @Test
    void the_same_wish_is_the_same_webhook_and_there_are_never_more_than_may_be() throws Exception {
        var wish = new Webhooks.Wish("w1", URI.create("https://w"), EVERYTHING, "", "shop", "key", "hash", SECRET);
        var other = new Webhooks.Wish("w2", URI.create("https://w"), EVERYTHING, "", "shop", "key", "other", SECRET);
        var third = new Webhooks.Wish("w3", URI.create("https://w"), EVERYTHING, "", "shop", "key3", "hash", SECRET);
        assertThat(webhooks.make(wish, 1)).isInstanceOf(Made.New.class);
        assertThat(webhooks.make(wish, 1)).isInstanceOf(Made.Already.class);
        assertThat(webhooks.make(other, 1)).isInstanceOf(Made.OtherContent.class);
        assertThat(webhooks.make(third, 1)).isInstanceOf(Made.TooMany.class);
        assertThat(webhooks.remove("w1")).isTrue();
        assertThat(webhooks.make(third, 1)).isInstanceOf(Made.New.class);
    }

    @Test
    void what_ended_long_ago_is_forgotten() throws Exception {
        webhook("one", EVERYTHING);
        journal.hold("a");
        project(Offset.START);
        send();
        await().atMost(PATIENCE).until(() -> allAre("one", "DELIVERED"));
        assertThat(deliveries.forget(Duration.ofMinutes(1), 100)).isZero();
        execute("update webhook_delivery set ended_at = now() - interval '2 minutes'");
        assertThat(deliveries.forget(Duration.ofMinutes(1), 100)).isEqualTo(2);
        assertThat(all("one")).isEmpty();
    }
}
