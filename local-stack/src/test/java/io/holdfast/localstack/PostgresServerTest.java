package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PostgresServerTest {

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("postgres-private")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void it_says_itself_that_it_is_durable_and_wide_enough() {
        assertThat(ask("select current_setting('fsync'), current_setting('synchronous_commit'),"
                        + " current_setting('full_page_writes'), current_setting('max_connections'),"
                        + " current_setting('listen_addresses'), current_setting('server_version_num')::int / 10000"))
                .containsExactly("on", "on", "on", "200", "127.0.0.1", "18");
    }

    @Test
    void a_password_is_asked_for_and_costs_one_round_to_prove() {
        assertThat(ask("select rolpassword from pg_authid where rolname = current_user")
                        .getFirst())
                .startsWith("SCRAM-SHA-256$1:");
        assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password() + "x"))
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void where_the_build_keeps_a_template_it_begins_as_a_copy() throws IOException {
        String templates = System.getProperty(DataTemplate.FOLDER);
        assumeThat(templates).isNotNull();
        try (Stream<Path> all = Files.list(Path.of(templates))) {
            assertThat(all.map(template -> template.resolve("password")).filter(Files::exists))
                    .anySatisfy(password -> assertThat(password).hasContent(server.password()));
        }
    }

    @Test
    void a_clean_stop_keeps_port_and_data() {
        int port = server.port();
        put("clean");
        server.stop();
        assertThat(server.isRunning()).isFalse();
        assertThatThrownBy(() -> ask("select 1")).isInstanceOf(AssertionError.class);
        server.start();
        assertThat(server.port()).isEqualTo(port);
        assertThat(words()).contains("clean");
    }

    @Test
    void what_was_committed_survives_an_immediate_stop() {
        put("immediate");
        server.stopImmediately();
        server.start();
        assertThat(words()).contains("immediate");
    }

    @Test
    void what_was_committed_survives_kill_under_open_sessions() throws SQLException {
        put("killed");
        try (Connection open = connect();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("insert into word values ('never committed')");
            server.kill();
        } catch (SQLException e) {
            assertThat(server.isRunning())
                    .as("closing a killed session may fail, nothing else")
                    .isFalse();
        }
        server.start();
        assertThat(words()).contains("killed").doesNotContain("never committed");
    }

    @Test
    void every_asker_can_have_a_database_of_its_own() throws SQLException {
        String url = server.createDatabase("own_one");
        try (Connection connection = DriverManager.getConnection(url, server.user(), server.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_database()")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("own_one");
        }
        assertThatThrownBy(() -> server.createDatabase("own_one"))
                .isInstanceOf(LocalStackException.class)
                .hasMessageContaining("own_one")
                .hasMessageContaining("already exists");
        assertThatThrownBy(() -> server.createDatabase("Drop; --")).hasMessageContaining("cannot name a database");
    }

    @Test
    void a_database_can_begin_as_a_copy_of_another() throws SQLException {
        String original = server.createDatabase("original");
        try (Connection connection = DriverManager.getConnection(original, server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("create table kept as select 'as it was' as what");
        }
        String copy = server.createDatabase("copied", "original");
        try (Connection connection = DriverManager.getConnection(copy, server.user(), server.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select what, current_database() from kept")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("as it was");
            assertThat(row.getString(2)).isEqualTo("copied");
        }
    }

    @Test
    void an_ALTER_SYSTEM_cannot_take_durability_away() {
        execute("alter system set fsync = off");
        server.stop();
        server.start();
        assertThat(ask("select current_setting('fsync')")).containsExactly("on");
        execute("alter system reset fsync");
    }

    @Test
    void a_database_that_is_set_to_be_careless_is_refused() {
        try (PostgresServer careless =
                PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("postgres-careless")))) {
            execute(careless, "alter database holdfast set synchronous_commit = off");
            careless.stop();
            assertThatThrownBy(careless::start)
                    .isInstanceOf(LocalStackException.class)
                    .hasMessageContaining("not durable (synchronous_commit = off)")
                    .hasMessageContaining("ALTER DATABASE");
            assertThat(careless.isRunning()).isFalse();
        }
    }

    private static void put(String word) {
        execute("create table if not exists word (word text)");
        execute("insert into word values ('" + word + "')");
    }

    private static List<String> words() {
        return column("select word from word");
    }

    private static List<String> ask(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            List<String> values = new ArrayList<>();
            for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                values.add(row.getString(column));
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> column(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (row.next()) {
                values.add(row.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static void execute(String sql) {
        execute(server, sql);
    }

    private static void execute(PostgresServer server, String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
    }
}
