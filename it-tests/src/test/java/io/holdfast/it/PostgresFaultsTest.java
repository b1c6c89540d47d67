package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.it.Client.Answer;
import io.holdfast.localstack.fault.Trap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What PostgreSQL, and the network before it, may do to a running node. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on a site of its own
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
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> !started.isDone());
            site.toPostgres.heal();
            started.get();
        }
        site.client().createPool("dish", 1);
        assertThat(site.client().hold("dish", "i1", 1).text("/status")).isEqualTo("RESERVED");
    }

    @Test
    void a_node_whose_first_questions_get_no_answer_asks_them_again_and_serves() {
        List<Trap> lost = Stream.of(
                        "holdfast checks that errors are not hidden",
                        "select distinct key_version",
                        "select clock_timestamp()")
                .map(site.toPostgres::loseRequest)
                .toList();
        site.startNode();
        assertThat(lost).allMatch(Trap::hasSprung);
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
        // Prepared once, a statement would no longer be seen as text on the wire.
        site = site.with(Map.of(
                "HOLDFAST_POSTGRES_URL", site.environment().get("HOLDFAST_POSTGRES_URL") + "?prepareThreshold=0"));
        site.startNode();
        Client client = site.client();
        client.createPool("dish", 100);
        int holds = 0;
        int lost = 0;
        while (lost < 3 && holds < 60) {
            var trap = site.toPostgres.loseReplyTo("insert into event_journal");
            Answer answer = client.hold("dish", "i" + holds++, 1);
            assertThat(answer.status()).as("%s", answer.body()).isIn(201, 202);
            lost += trap.hasSprung() ? 1 : 0;
        }
        site.toPostgres.heal();
        assertThat(lost).as("holds whose commit was answered into the void").isPositive();
        everyAskedAgainIsHeld(client, holds);
        agree(client, holds);
    }

    @Test
    void a_journal_on_which_all_connections_wait_gets_bounded_honest_answers_and_settles_later() throws Exception {
        site.startNode();
        Client client = site.client();
        client.createPool("dish", 100);
        List<CompletableFuture<Answer>> all;
        try (var database = site.database();
                var lock = database.createStatement()) {
            database.setAutoCommit(false);
            lock.execute("lock table event_journal in exclusive mode");
            all = holds(client, 0, 40);
            for (var answer : all) {
                assertThat(answer.join().status()).isIn(202, 503);
            }
            database.rollback();
        }
        everyAskedAgainIsHeld(client, 40);
        agree(client, 40);
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
