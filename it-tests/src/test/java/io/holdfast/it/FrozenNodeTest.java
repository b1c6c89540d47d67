package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.launcher.FreePort;
import io.holdfast.launcher.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * A node stands still for longer than the others wait for it, as a machine does that is suspended, and then goes on as if nothing had been:
 * with copies of entities that live elsewhere by now, and with requests in hand.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FrozenNodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ITEMS = 24;

    @Test
    void a_node_that_wakes_up_after_it_was_replaced_moves_nothing_twice_and_ends_itself() throws Exception {
        Map<String, String> atOnce = Map.of("HOLDFAST_CLUSTER_REMOVAL_MARGIN", "0s");
        try (Site site = Site.open("frozen", atOnce)) {
            site.startNode();
            // Of two nodes the one with the lower address goes on.
            try (NodeProcess other =
                    site.startProcess("""
                        cluster { port = %d, seed-nodes = ["127.0.0.1:%d"], removal-margin = 0s }\
                        """.formatted(FreePort.from(site.clusterPort() + 1), site.clusterPort()))) {
                Client here = site.client();
                Client there = new Client(other.address());
                here.createPool("ice", 100);
                for (int i = 0; i < ITEMS; i++) {
                    assertThat((i % 2 == 0 ? here : there)
                                    .hold("ice", "i" + i, 1)
                                    .status())
                            .isEqualTo(201);
                }
                var trail =
                        new EventTrail("/v1/events?type=InventoryReserved,InventoryConfirmed,InventoryCanceled", "0-0");
                var frozen = trail.at(other.address());
                await().atMost(PATIENCE).until(() -> trail.events.size() == ITEMS);
                other.freeze();
                List<CompletableFuture<Answer>> inHand = new ArrayList<>();
                List<CompletableFuture<Answer>> reading = new ArrayList<>();
                for (int i = 0; i < ITEMS; i++) {
                    inHand.add(there.postAsync(
                            Client.reservation("ice", "i" + i) + (i % 3 == 0 ? "/cancel" : "/confirm"),
                            Map.of("order_id", "order-i" + i),
                            Map.of()));
                    reading.add(there.getAsync(Client.reservation("ice", "i" + i)));
                }
                // Whatever lived there lives here now, and is told the opposite.
                for (int i = 0; i < ITEMS; i++) {
                    int item = i;
                    await().atMost(PATIENCE).untilAsserted(() -> {
                        Answer answer =
                                item % 3 == 0 ? here.confirm("ice", "i" + item) : here.cancel("ice", "i" + item);
                        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
                    });
                }
                // Whoever followed events there goes on here, from the last it had.
                frozen.close();
                try (var _ = trail.at(here.base())) {
                    await().atMost(PATIENCE).until(() -> trail.events.size() >= 2 * ITEMS);
                }
                assertThat(trail.ids()).hasSize(2 * ITEMS).doesNotHaveDuplicates();
                other.thaw();

                assertThat(other.exitCode()).as("it was removed, and says so").isEqualTo(4);
                inHand.forEach(answer -> assertThat(answer.join().status())
                        .as("nobody is told what is not so: %s", answer.join().body())
                        .isNotIn(200, 201, 202));
                for (int i = 0; i < ITEMS; i++) {
                    Answer read = reading.get(i).join();
                    if (read.status() == 200) {
                        assertThat(read.text("/status"))
                                .as("nobody reads what was")
                                .isIn("CONFIRMED", "CANCELED");
                    }
                    assertThat(here.look("ice", "i" + i).text("/status"))
                            .isEqualTo(i % 3 == 0 ? "CONFIRMED" : "CANCELED");
                }
                Answer pool = here.lookAtPool("ice");
                assertThat(List.of(
                                pool.number("/redis/books/available"),
                                pool.number("/redis/books/reserved"),
                                pool.number("/redis/books/sold"),
                                pool.number("/redis/books/version")))
                        .as("every operation moved once")
                        .containsExactly(92L, 0L, 8L, 1L + 2 * ITEMS);
                try (var database = site.database()) {
                    Journals.of(database, Client.pool("ice")).agreeWith(pool);
                }
            }
        }
    }
}
