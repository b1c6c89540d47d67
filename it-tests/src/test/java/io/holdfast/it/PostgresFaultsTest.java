package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What PostgreSQL, and the network before it, may do to a running node. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class PostgresFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Site site;

    @BeforeEach
    void open(TestInfo test) {
        site = Site.open(
                "pgfaults" + Integer.toHexString(test.getDisplayName().hashCode()),
                Map.of("HOLDFAST_POSTGRES_CONNECT_TIMEOUT", "1s"));
    }

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void a_node_started_before_its_database_waits_for_it_and_then_serves() throws Exception {
        site.toPostgres.refuse();
        try (var starter = Executors.newVirtualThreadPerTaskExecutor()) {
            var started = starter.submit(site::startNode);
            await().atMost(PATIENCE).until(() -> site.toRedis.connections() >= 0);
            assertThat(started.isDone()).isFalse();
            site.toPostgres.heal();
            started.get();
        }
        site.client().createPool("dish", 1);
        assertThat(site.client().hold("dish", "i1", 1).text("/status")).isEqualTo("RESERVED");
    }

    @Test
    void a_database_that_goes_away_in_the_middle_gets_honest_answers_and_everything_settles_when_it_is_back()
            throws Exception {
        site.startNode();
        Client client = site.client();
        client.createPool("dish", 100);
        List<CompletableFuture<Answer>> before = holds(client, 0, 30);
        site.toPostgres.cut();
        site.toPostgres.refuse();
        List<CompletableFuture<Answer>> during = holds(client, 30, 60);
        for (var answer : during) {
            assertThat(answer.join().status()).isIn(201, 202, 503);
        }
        site.toPostgres.heal();
        before.forEach(CompletableFuture::join);
        everyAskedAgainIsHeld(client, 60);
        agree(client, 60);
    }

    @Test
    void a_silent_database_gets_bounded_honest_answers_and_everything_settles_when_it_speaks_again() throws Exception {
        site.startNode();
        Client client = site.client();
        client.createPool("dish", 100);
        site.toPostgres.blackhole();
        for (var answer : holds(client, 0, 10)) {
            assertThat(answer.join().status()).isIn(202, 503);
        }
        site.toPostgres.cut();
        site.toPostgres.heal();
        everyAskedAgainIsHeld(client, 10);
        agree(client, 10);
    }

    @Test
    void a_commit_whose_answer_is_lost_is_found_again() throws Exception {
        site.startNode();
        Client client = site.client();
        client.createPool("dish", 100);
        for (int i = 0; i < 8; i++) {
            site.toPostgres.loseReplyTo("COMMIT");
            Answer answer = client.hold("dish", "i" + i, 1);
            assertThat(answer.status()).as("%s", answer.body()).isIn(200, 201, 202, 503);
        }
        site.toPostgres.heal();
        everyAskedAgainIsHeld(client, 8);
        agree(client, 8);
    }

    private static List<CompletableFuture<Answer>> holds(Client client, int from, int to) {
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (int i = from; i < to; i++) {
            all.add(client.holdAsync("dish", "i" + i, 1, "wait=2"));
        }
        return all;
    }

    private static void everyAskedAgainIsHeld(Client client, int count) {
        for (int i = 0; i < count; i++) {
            String item = "i" + i;
            await().atMost(PATIENCE).untilAsserted(() -> {
                Answer answer = client.holdAsync("dish", item, 1, "wait=5").join();
                assertThat(answer.text("/status")).as("%s", answer.body()).isEqualTo("RESERVED");
            });
        }
    }

    private void agree(Client client, long held) throws Exception {
        Answer pool = client.lookAtPool("dish");
        assertThat(pool.number("/redis/books/reserved")).isEqualTo(held);
        try (var database = site.database()) {
            Journals.of(database, Client.pool("dish")).agreeWith(pool);
        }
    }
}
