package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.launcher.NodeProcess;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Scheduled orders whose time is too far off to be waited for in memory: woken by a timer on a living node, by the sweeper after a node
 * that died. Nobody asks again in between.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
class ScheduledOrdersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Map<String, String> WAIT = Map.of("Prefer", "wait=30");

    /** Entities leave memory at once, and the sweeper finds nobody: only timers can bring them back. */
    private static final Map<String, String> TIMERS_ALONE = Map.of(
            "HOLDFAST_ENTITIES_WAKE_HORIZON", "1s",
            "HOLDFAST_ENTITIES_LINGER", "0s",
            "HOLDFAST_ENTITIES_LINGER_AT_REST", "0s",
            "HOLDFAST_SWEEPER_GRACE", "1h",
            "HOLDFAST_SWEEPER_AHEAD_WINDOW", "1m",
            "HOLDFAST_SWEEPER_AHEAD_INTERVAL", "200ms",
            "HOLDFAST_SWEEPER_AHEAD_LEAD", "500ms");

    @Test
    void a_scheduled_order_is_confirmed_by_a_timer_at_its_time_and_not_before() throws Exception {
        try (Site site = Site.open("timer", TIMERS_ALONE)) {
            site.startNode();
            Client client = site.client();
            client.createPool("stew", 10);
            Instant time = soon(6);
            schedule(client, "stew", "i1", time);
            assertThat(confirm(client, "stew", "i1")).isEqualTo("CREATED_RESERVED");
            await().atMost(PATIENCE).until(() -> Metrics.sum(site.address(0), "holdfast_sweeper_timers_total") >= 1);
            await().atMost(PATIENCE)
                    .until(() -> Metrics.sum(site.address(0), "holdfast_entity_loaded{machine=\"reservation\"}") == 0);

            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(confirmedAt(site, "stew", "i1")).isAfterOrEqualTo(time));
            assertThat(client.look("stew", "i1").text("/status")).isIn("CONFIRMING", "CONFIRMED");
            assertThat(Metrics.sum(site.address(0), "holdfast_sweeper_woken_total"))
                    .isZero();
        }
    }

    @Test
    void timers_of_one_node_wake_the_entities_of_all_each_once() throws Exception {
        try (Site site = Site.open("timers", TIMERS_ALONE)) {
            site.startNode();
            site.startNode();
            Client client = site.client();
            client.createPool("roast", 100);
            Instant time = soon(20);
            for (int i = 0; i < 40; i++) {
                schedule(site.client(i % 2), "roast", "i" + i, time);
                assertThat(confirm(site.client(i % 2), "roast", "i" + i)).isEqualTo("CREATED_RESERVED");
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.lookAtPool("roast").number("/redis/books/sold"))
                            .isEqualTo(40));
            assertThat(client.lookAtPool("roast").number("/redis/books/reserved"))
                    .isZero();
            try (var database = site.database()) {
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                Journals.of(database, Client.pool("roast")).agreeWith(client.lookAtPool("roast")));
            }
            assertThat(Instant.now()).isAfterOrEqualTo(time);
        }
    }

    @Test
    void a_scheduled_order_whose_node_was_dead_at_its_time_is_confirmed_by_the_sweeper() throws Exception {
        try (Site site = Site.open("sweep", Map.of())) {
            try (NodeProcess node = site.startProcess("sweeper { grace = 2s, interval = 1s }")) {
                Client client = new Client(node.address());
                client.createPool("goulash", 10);
                Instant time = soon(6);
                schedule(client, "goulash", "i1", time);
                assertThat(confirm(client, "goulash", "i1")).isEqualTo("CREATED_RESERVED");
                node.kill();
                await().atMost(PATIENCE).until(() -> Instant.now().isAfter(time));

                node.restart();
                await().atMost(PATIENCE).untilAsserted(() -> {
                    // Read from the journal: a look at the reservation would wake it.
                    assertThat(confirmedAt(site, "goulash", "i1")).isAfterOrEqualTo(time);
                });
                assertThat(Metrics.sum(node.address(), "holdfast_sweeper_woken_total"))
                        .isPositive();
            }
        }
    }

    @Test
    void scheduled_orders_are_confirmed_at_their_time_wherever_they_have_moved_to_meanwhile() throws Exception {
        try (Site site = Site.open("moved", Map.of())) {
            site.startNode();
            site.startNode();
            site.client().createPool("ragout", 100);
            Instant time = soon(15);
            for (int i = 0; i < 30; i++) {
                schedule(site.client(i % 2), "ragout", "i" + i, time);
                assertThat(confirm(site.client(i % 2), "ragout", "i" + i)).isEqualTo("CREATED_RESERVED");
            }
            // A third takes shards from both, then one of these hands over all it has.
            site.startNode();
            site.closeNode(1);
            Client client = site.client();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(client.lookAtPool("ragout").number("/redis/books/sold"))
                            .isEqualTo(30));
            for (int i = 0; i < 30; i++) {
                assertThat(confirmedAt(site, "ragout", "i" + i)).isAfterOrEqualTo(time);
            }
            try (var database = site.database()) {
                await().atMost(PATIENCE)
                        .untilAsserted(() ->
                                Journals.of(database, Client.pool("ragout")).agreeWith(client.lookAtPool("ragout")));
            }
        }
    }

    private static Instant soon(int seconds) {
        return Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.MILLIS);
    }

    private static void schedule(Client client, String dish, String item, Instant time) {
        Map<String, Object> body = new LinkedHashMap<>(Client.holdBody(dish, item, 1));
        body.put("processing_time", time.toString());
        var held = client.post("/v1/reservations", body, WAIT);
        assertThat(held.text("/status")).as("%s", held.body()).isEqualTo("RESERVED");
    }

    private static String confirm(Client client, String dish, String item) {
        return client.post(Client.reservation(dish, item) + "/confirm", Map.of("order_id", "order-" + item), WAIT)
                .text("/status");
    }

    /** When its Confirm began, by the node that began it; {@link Instant#MIN} while it has not. */
    private static Instant confirmedAt(Site site, String dish, String item) throws Exception {
        try (var database = site.database();
                var s = database.prepareStatement(
                        "select at from journal_readable where entity_id = ? and type = 'ConfirmStarted'")) {
            s.setString(1, Client.idOf(dish, item));
            try (ResultSet r = s.executeQuery()) {
                return r.next() ? Instant.parse(r.getString(1)) : Instant.MIN;
            }
        }
    }
}
