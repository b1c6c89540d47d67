package io.holdfast.engine.journal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.sql.Migrations;
import io.holdfast.localstack.SharedStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.persistence.jdbc.query.javadsl.JdbcReadJournal;
import org.apache.pekko.persistence.query.EventEnvelope;
import org.apache.pekko.persistence.query.PersistenceQuery;
import org.apache.pekko.stream.javadsl.Sink;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import scala.concurrent.Future;

/** The journal under the plugin it is made for, and beside it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class JournalPluginTest {

    private static final String QUIET = """
        pekko.loglevel = OFF
        pekko.stdout-loglevel = OFF
        pekko.actor.provider = local
        jdbc-read-journal.slick = ${jdbc-journal.slick}
        """;

    private final JournalSite site = new JournalSite(SharedStack.postgres());
    private final List<ActorTestKit> kits = new ArrayList<>();

    @AfterEach
    void close() {
        kits.forEach(ActorTestKit::shutdownTestKit);
        site.close();
    }

    private ActorTestKit node(String changes) {
        return node(ConfigFactory.parseString(changes));
    }

    private ActorTestKit node(Config changes) {
        var kit = ActorTestKit.create(changes.withFallback(ConfigFactory.parseString(QUIET))
                .withFallback(site.config(""))
                .withFallback(ConfigFactory.defaultReference())
                .resolve());
        kits.add(kit);
        return kit;
    }

    /** Says words to an entity that lives for them only, and returns what it remembers then. */
    private static Object say(ActorTestKit node, String id, Set<String> tags, String... words) {
        TestProbe<Object> probe = node.createTestProbe();
        var tally = node.spawn(Tally.of(id, tags, probe.ref()));
        Object told = List.of();
        for (String word : words) {
            tally.tell(new Tally.Say(word, probe.ref()));
            told = probe.receiveMessage(Duration.ofSeconds(20));
        }
        node.stop(tally, Duration.ofSeconds(20));
        return told;
    }

    private static Object remembered(ActorTestKit node, String id) {
        return say(node, id, Set.of(), "");
    }

    @Test
    void an_entity_finds_again_what_it_was_told_in_another_life() {
        ActorTestKit node = node("jdbc-journal.replayBatchSize = 2");

        say(node, "a", Set.of(), "one", "two", "three", "four", "five");

        assertThat(remembered(node, "a")).isEqualTo(List.of("one", "two", "three", "four", "five"));
        assertThat(remembered(node, "nobody")).isEqualTo(List.of());
    }

    @Test
    void the_journal_of_the_plugin_reads_what_this_one_wrote_and_the_other_way_round() {
        ActorTestKit ours = node("");
        ActorTestKit theirs = node(ConfigFactory.parseResources("holdfast-stock-journal.conf"));

        say(ours, "a", Set.of(), "ours");
        assertThat(say(theirs, "a", Set.of(), "theirs")).isEqualTo(List.of("ours", "theirs"));
        assertThat(say(ours, "a", Set.of(), "ours again")).isEqualTo(List.of("ours", "theirs", "ours again"));
        assertThat(remembered(theirs, "a")).isEqualTo(List.of("ours", "theirs", "ours again"));
    }

    @Test
    void the_queries_of_the_plugin_by_persistence_id_work() throws Exception {
        ActorTestKit node = node("");
        say(node, "a", Set.of(), "one", "two", "three");
        JdbcReadJournal queries = PersistenceQuery.get(node.system())
                .getReadJournalFor(JdbcReadJournal.class, JdbcReadJournal.Identifier());

        List<EventEnvelope> events = queries.currentEventsByPersistenceId("tally|a", 2, Long.MAX_VALUE)
                .runWith(Sink.seq(), node.system())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        List<String> ids = queries.currentPersistenceIds()
                .runWith(Sink.seq(), node.system())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);

        assertThat(events).extracting(EventEnvelope::event).containsExactly("two", "three");
        assertThat(events).extracting(EventEnvelope::sequenceNr).containsExactly(2L, 3L);
        assertThat(ids).containsExactly("tally|a");
    }

    @Test
    void a_tag_is_refused_and_nothing_is_written() {
        ActorTestKit node = node("");

        Object told = say(node, "a", Set.of("red"), "one");

        assertThat(told).asInstanceOf(InstanceOfAssertFactories.THROWABLE).hasMessageContaining("tags");
        assertThat(site.rows()).isEmpty();
    }

    @Test
    void who_listens_is_told_of_commits_on_this_node() {
        ActorTestKit node = node("");
        var notes = new Notes();
        GroupCommit journal = GroupCommit.of(node.system());
        journal.listen(notes);

        say(node, "a", Set.of(), "one", "two");
        assertThat(notes.rows).hasValue(2);
        assertThat(journal.waiting()).isZero();

        journal.forget(notes);
        say(node, "b", Set.of(), "one");
        assertThat(notes.rows).hasValue(2);
    }

    @Test
    void an_entity_that_is_new_costs_one_look_up_and_only_one_that_was_there_replays() {
        ActorTestKit node = node("");
        var notes = new Notes();
        GroupCommit.of(node.system()).listen(notes);

        say(node, "a", Set.of(), "one", "two");
        assertThat(notes.lookUpQueries).hasValue(1);
        assertThat(notes.replayQueries).hasValue(0);

        remembered(node, "a");
        assertThat(notes.lookUpQueries).hasValue(2);
        assertThat(notes.replayQueries).hasValue(1);
    }

    /** The breaker that Pekko puts before every journal opens after ten failures in a row. */
    @Test
    void entities_whose_writes_keep_failing_do_not_have_anybody_else_refused() {
        int many = 25;
        ActorTestKit node = node("");
        TestProbe<Object> probe = node.createTestProbe();
        List<ActorRef<Tally.Say>> doomed = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            doomed.add(node.spawn(Tally.of("x".repeat(300) + i, Set.of(), probe.ref())));
        }
        // All have read their journals before one writes, so that nothing that succeeds comes in between.
        doomed.forEach(one -> one.tell(new Tally.Say("", probe.ref())));
        assertThat(probe.receiveSeveralMessages(many, Duration.ofSeconds(20))).containsOnly(List.of());

        doomed.forEach(one -> one.tell(new Tally.Say("never stored", probe.ref())));
        assertThat(probe.receiveSeveralMessages(many, Duration.ofSeconds(20)))
                .allSatisfy(told -> assertThat(told).isInstanceOf(JournalWriteFailed.class));

        assertThat(say(node, "a", Set.of(), "one")).isEqualTo(List.of("one"));
    }

    @Test
    void a_node_that_has_ended_leaves_no_connection() {
        ActorTestKit node = node("");
        say(node, "a", Set.of(), "one");
        kits.remove(node);

        node.shutdownTestKit();

        await().atMost(Duration.ofSeconds(20))
                .until(() -> site.ask("select count(*) from pg_stat_activity where datname = current_database()"
                                + " and pid <> pg_backend_pid()")
                        .equals(List.of("0")));
    }

    @Test
    void a_role_that_may_only_add_and_read_is_enough_and_deleting_says_that_it_is_not() {
        site.ask("do $$ begin if not exists (select from pg_roles where rolname = 'holdfast_journal') then"
                + " create role holdfast_journal login password 'of the journal'; end if; end $$");
        migrate();
        RunningJournal journal = site.open(
                new Notes(),
                "jdbc-journal.slick.db { user = holdfast_journal, password = \"of the journal\" },"
                        + " holdfast-journal.notify-interval = 1ms");

        Future<?> write = JournalSite.write(journal, "p", 1, "w");

        assertThat(Outcomes.of(write)).isEqualTo(Outcomes.Outcome.STORED);
        assertThat(Outcomes.get(journal.highestSequenceNumber("p"))).isEqualTo(1L);
        assertThat(Outcomes.get(journal.page("p", 1, 10, 10))).hasSize(1);
        Future<?> deletion = journal.delete("p", 1);
        await().atMost(Duration.ofSeconds(20)).until(deletion::isCompleted);
        assertThat(deletion.value().get().failed().get()).hasMessageContaining("permission denied");
        assertThat(site.rows()).containsExactly("p/1/w");
    }

    private void migrate() {
        var owner = new PGSimpleDataSource();
        owner.setUrl(site.url());
        owner.setUser(SharedStack.postgres().user());
        owner.setPassword(SharedStack.postgres().password());
        new Migrations(owner).migrate();
    }
}
