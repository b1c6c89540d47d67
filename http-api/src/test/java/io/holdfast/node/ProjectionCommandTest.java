package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.fleet.Bell;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.projection.JournalFeed;
import io.holdfast.engine.projection.OwedProjection;
import io.holdfast.engine.projection.ProjectionListener;
import io.holdfast.engine.projection.ProjectionRunner;
import io.holdfast.engine.projection.ProjectionSettings;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.postgresql.ds.PGSimpleDataSource;

/** Orders from a terminal to a projection that runs, and to one that nobody runs. */
@Isolated("reads what the process prints")
@DisplayNameGeneration(ReplaceUnderscores.class)
class ProjectionCommandTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private String config = "";
    private ProjectionRunner runner;

    @BeforeEach
    void begin() throws IOException, SQLException {
        PostgresServer server = SharedStack.postgres();
        database.setUrl(server.createDatabase("commands_" + System.nanoTime()));
        database.setUser(server.user());
        database.setPassword(server.password());
        new Migrations(database).migrate();
        append("m|good", "{}");
        append("m|bad", "not JSON");
        runner = new ProjectionRunner(
                new OwedProjection(),
                database::getConnection,
                new JournalFeed(new Bell()),
                FleetSettings.standard(),
                ProjectionSettings.standard(),
                ProjectionListener.NONE);
        runner.start();
        config = Files.writeString(
                        folder.resolve("node.conf"), """
                            holdfast.node.mode = development
                            holdfast.postgres { url = "%s", user = "%s", password = "%s" }
                            holdfast.redis.url = "redis://127.0.0.1:1"
                            """.formatted(database.getUrl(), server.user(), server.password()))
                .toString();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        await().untilAsserted(() -> assertThat(said("parked", "owed")).contains("m|bad at event 1"));
    }

    @AfterEach
    void end() {
        System.setOut(realOut);
        System.setErr(realErr);
        runner.close();
    }

    private void append(String persistenceId, String payload) throws SQLException {
        try (Connection c = database.getConnection();
                Statement s = c.createStatement()) {
            s.execute("insert into event_journal (persistence_id, sequence_number, writer, write_timestamp,"
                    + " adapter_manifest, event_ser_id, event_ser_manifest, event_payload) values ('" + persistenceId
                    + "', 1, 'w', 0, '', 1, '', '" + payload + "')");
        }
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        String[] all = new String[arguments.length + 3];
        all[0] = "projection";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 2] = "--config";
        all[all.length - 1] = config;
        return NodeMain.run(all);
    }

    private String said(String... arguments) {
        assertThat(run(arguments))
                .as(() -> err.toString(StandardCharsets.UTF_8))
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private String refusal(String... arguments) {
        assertThat(run(arguments)).isEqualTo(1);
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_list_shows_how_each_projection_stands() {
        assertThat(said("list")).contains("owed  exactly once", "behind    0 events", "parked    1 entities");
    }

    @Test
    void a_pause_is_shown_with_who_and_why_until_it_is_resumed() {
        assertThat(said("pause", "owed", "--by", "ann", "--reason", "maintenance"))
                .isEqualTo("owed is paused\n");
        assertThat(said("list")).contains("paused    by ann: maintenance");
        assertThat(refusal("pause", "owed")).isEqualTo("holdfast: owed is paused already.\n");
        assertThat(said("resume", "owed", "--by", "ben")).isEqualTo("owed goes on\n");
        assertThat(said("list")).doesNotContain("paused");
    }

    @Test
    void an_event_is_skipped_with_a_reason_and_the_entity_goes_on() {
        assertThat(refusal("skip", "owed", "m|bad", "1")).contains("needs a reason");
        assertThat(refusal("skip", "owed", "m|bad", "2", "--reason", "broken")).contains("parked at event 1");
        assertThat(said("skip", "owed", "m|bad", "1", "--by", "ann", "--reason", "broken"))
                .isEqualTo("owed may leave m|bad#1 out\n");
        await().untilAsserted(() -> assertThat(said("parked", "owed"))
                .startsWith("m|bad may go on without event 1, by ann")
                .contains("broken (left out "));
    }

    @Test
    void a_parked_entity_is_tried_again() {
        assertThat(said("retry", "owed", "m|bad")).isEqualTo("owed tries m|bad again\n");
        await().untilAsserted(() -> assertThat(said("parked", "owed")).contains("tried again 1 times"));
        assertThat(refusal("retry", "owed", "m|good")).contains("m|good is not parked");
    }

    @Test
    void an_order_waits_for_the_first_node_that_runs_the_projection() {
        runner.close();
        assertThat(said("rebuild", "owed")).contains("rebuilt from the beginning");
        assertThat(said("list")).contains("ordered   rebuild");
    }

    @Test
    void a_rewind_needs_a_target_and_a_projection_that_takes_it() {
        assertThat(run("rewind", "owed")).isEqualTo(2);
        assertThat(run("rewind", "owed", "--to-time", "yesterday")).isEqualTo(2);
        assertThat(refusal("rewind", "owed", "--to-position", "0")).contains("only be rebuilt");
        assertThat(refusal("rewind", "owed", "--to-time", "2026-11-29T12:00:00Z"))
                .contains("only be rebuilt");
    }

    @Test
    void a_projection_nobody_knows_is_refused() {
        assertThat(refusal("pause", "nobody")).isEqualTo("holdfast: there is no projection named nobody.\n");
    }
}
