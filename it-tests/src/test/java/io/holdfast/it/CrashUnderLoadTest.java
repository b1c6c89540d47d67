package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.launcher.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/**
 * A node killed with SIGKILL, again and again, while 64 clients hold, confirm and cancel and never repeat a request. After the last start
 * nobody asks again: every request that was journaled comes to its end by itself, the sums hold, nothing moved twice. Rounds:
 * {@code -Dcrash.rounds=3}; seed: {@code -Dcrash.seed=}.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class CrashUnderLoadTest {

    private static final int CLIENTS = 64;
    private static final int ROUNDS = Integer.getInteger("crash.rounds", 3);
    private static final long SEED = Long.getLong("crash.seed", 20260625L);
    private static final String DISH = "crash";

    @Test
    void every_accepted_request_reaches_its_end_and_nothing_moves_twice() throws Exception {
        Random random = new Random(SEED);
        try (Site site = Site.open("crash", Map.of());
                NodeProcess node = site.startProcess("sweeper { grace = 2s, interval = 1s }")) {
            new Client(node.address()).createPool(DISH, 1_000_000);
            Map<String, String> promised = new ConcurrentHashMap<>();
            AtomicLong items = new AtomicLong();
            for (int round = 0; round < ROUNDS; round++) {
                loadUntilKilled(node, random, promised, items);
                node.restart();
            }
            everythingComesToItsEnd(site, node, promised);
        }
    }

    /** 64 clients at work; after some hundreds of answers, and a little more by chance, the node is gone. */
    private static void loadUntilKilled(NodeProcess node, Random random, Map<String, String> promised, AtomicLong items)
            throws Exception {
        long killAfter = items.get() + 300 + random.nextInt(300);
        AtomicBoolean over = new AtomicBoolean();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                working.add(clients.submit(() -> {
                    Client client = new Client(node.address());
                    while (!over.get()) {
                        buy(client, "i" + items.incrementAndGet(), promised);
                    }
                }));
            }
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> items.get() > killAfter);
            node.kill();
            over.set(true);
            for (Future<?> client : working) {
                client.get();
            }
        }
    }

    private static void buy(Client client, String item, Map<String, String> promised) {
        Answer held = client.hold(DISH, item, 1);
        if (held.status() == 0) {
            return;
        }
        assertThat(held.status()).as("%s", held.body()).isIn(201, 202);
        promised.put(item, held.text("/status"));
        int choice = Math.floorMod(item.hashCode(), 3);
        if (choice == 2) {
            return;
        }
        Answer ended = choice == 0 ? client.confirm(DISH, item) : client.cancel(DISH, item);
        if (ended.status() == 200 || ended.status() == 202) {
            promised.put(item, choice == 0 ? "CONFIRMED" : "CANCELED");
        }
    }

    private static void everythingComesToItsEnd(Site site, NodeProcess node, Map<String, String> promised)
            throws Exception {
        await().atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
            try (var database = site.database()) {
                assertThat(Journals.of(database, Client.pool(DISH)).unsettled()).isZero();
            }
        });
        Client client = new Client(node.address());
        try (var database = site.database()) {
            Journals journals = Journals.of(database, Client.pool(DISH));
            assertThat(journals.size()).isGreaterThanOrEqualTo(promised.size());
            journals.agreeWith(client.lookAtPool(DISH));
        }
        promised.forEach((item, told) -> {
            String now = client.look(DISH, item).text("/status");
            switch (told) {
                case "CONFIRMED", "CANCELED" -> assertThat(now).as(item).isEqualTo(told);
                default -> assertThat(now).as(item).isIn(List.of("RESERVED", "CONFIRMED", "CANCELED"));
            }
        });
    }
}
