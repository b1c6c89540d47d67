package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.config.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a person at a terminal gets: one line, and an exit code a script can tell apart. */
@Isolated("reads what the process prints")
@DisplayNameGeneration(ReplaceUnderscores.class)
class CommandLineTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;

    @BeforeEach
    void listen() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setOut(realOut);
        System.setErr(realErr);
    }

    @Test
    void wrong_settings_are_one_line_and_exit_code_2() throws IOException {
        assertThat(NodeMain.run("check-config", "--config", config("holdfast.http.port = 99999")))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "holdfast: holdfast.http.port = 99999 can't be: allowed is an integer from 0 to 65535. Set it"
                                + " in the settings file or as HOLDFAST_HTTP_PORT.");
    }

    @Test
    void good_settings_are_said_to_be_good() throws IOException {
        assertThat(NodeMain.run("check-config", "--config", config(""))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("The settings are good: a development node named holdfast.\n");
    }

    @Test
    void stores_that_do_not_answer_are_one_line_and_exit_code_3() throws IOException {
        assertThat(NodeMain.run(
                        "node",
                        "--config",
                        config("holdfast.postgres.start-patience = 200ms\nholdfast.logging.level = error")))
                .isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: Gave up after 0 s: PostgreSQL at ");
    }

    @Test
    void a_missing_settings_file_is_one_line_and_exit_code_2() {
        assertThat(NodeMain.run("node", "--config", folder.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    }

    @Test
    void events_are_not_looked_at_where_the_settings_have_none() throws IOException {
        assertThat(NodeMain.run("dlq", "list", "--config", config(""))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("holdfast.kafka.enabled is false");
    }

    @Test
    void a_token_file_that_is_not_there_is_one_line_and_exit_code_2() throws IOException {
        assertThat(NodeMain.run("reconcile", "--all", "--token-file", "/no/such/file", "--config", config("")))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("--token-file");
    }

    @Test
    void an_address_that_is_taken_is_not_told_of_twice() throws IOException {
        Logging.apply(Settings.load(Optional.of(Path.of(config("holdfast.logging.level = error"))), Map.of())
                .logging());
        var pekko = LoggerFactory.getLogger("org.apache.pekko.io.TcpListener");
        pekko.error("Bind failed", new BindException("Address already in use"));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        pekko.error("Accept failed", new IOException("Too many open files"));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Accept failed", "Too many open files");
    }

    @Test
    void a_machine_nobody_knows_is_one_line_and_exit_code_2() throws IOException {
        assertThat(NodeMain.run("audit", "replay", "basket|1", "--config", config("")))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("holdfast: no machine is named in basket|1; known are reservation, stock-pool,"
                        + " compensation, order.\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit replay m1:noodles:2026-11-29", "projection list", "projection pause owed"})
    void a_command_that_asks_a_database_that_is_away_says_what_to_do(String command) throws IOException {
        List<String> all = new ArrayList<>(List.of(command.split(" ")));
        all.addAll(List.of("--config", config("")));
        assertThat(NodeMain.run(all.toArray(String[]::new))).isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: PostgreSQL does not answer (")
                .contains("127.0.0.1:1")
                .endsWith("): start it, that of development with ./holdfast dev, or correct holdfast.postgres.url.");
    }

    private String config(String more) throws IOException {
        return Files.writeString(folder.resolve("node.conf"), """
            holdfast.node.mode = development
            holdfast.postgres.url = "jdbc:postgresql://127.0.0.1:1/holdfast"
            holdfast.redis.url = "redis://127.0.0.1:1"
            """ + more).toString();
    }
}
