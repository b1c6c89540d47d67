package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.localstack.Owner.Running;
import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OwnershipTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void when_the_owner_is_killed_its_servers_end_and_a_new_owner_finds_the_data() throws Exception {
        Path folder = SharedStack.freshFolder("owner-killed");
        Running first;
        try (Owner owner = Owner.of(folder)) {
            first = owner.awaitUp();
            put(folder, first, "kept");
            owner.kill();
        }
        assertThat(Signals.awaitEnd(first.both(), PATIENCE))
                .as("nothing is left running")
                .isTrue();
        assertThatTheDataAreThere(folder, first, "kept");
    }

    @Test
    void when_the_guards_are_killed_too_the_next_owner_ends_what_was_left() throws Exception {
        Path folder = SharedStack.freshFolder("owner-and-guards-killed");
        Running first;
        try (Owner owner = Owner.of(folder)) {
            first = owner.awaitUp();
            put(folder, first, "kept");
            List<ProcessIdentity> guards = owner.children().stream()
                    .filter(child -> !first.both().contains(child))
                    .toList();
            assertThat(guards).hasSize(2);
            Signals.send(Signal.KILL, guards);
            owner.kill();
        }
        assertThat(first.both()).allMatch(ProcessIdentity::isAlive);
        assertThatTheDataAreThere(folder, first, "kept");
        assertThat(first.both()).noneMatch(ProcessIdentity::isAlive);
    }

    @Test
    void an_owner_that_exits_without_closing_leaves_nothing_behind() throws Exception {
        Path folder = SharedStack.freshFolder("owner-exits");
        Running running;
        try (Owner owner = Owner.of(folder)) {
            running = owner.awaitUp();
            owner.exit();
        }
        assertThat(Signals.awaitEnd(running.both(), PATIENCE)).isTrue();
    }

    @Test
    void a_second_owner_is_told_in_one_line_who_has_the_folder() throws Exception {
        Path folder = SharedStack.freshFolder("two-owners");
        try (RedisServer redis = RedisServer.start(RedisSettings.in(folder.resolve("redis")))) {
            String expected =
                    "the folder %s for Redis is in use by process %d: stop that program or choose another folder"
                            .formatted(
                                    folder.resolve("redis"),
                                    ProcessHandle.current().pid());
            assertThatThrownBy(() -> RedisServer.start(RedisSettings.in(folder.resolve("redis"))))
                    .isInstanceOf(LocalStackException.class)
                    .hasMessage(expected);
            try (Owner second = Owner.of(folder)) {
                assertThat(second.firstLine()).isEqualTo(expected);
                assertThat(second.furtherLines()).isEmpty();
            }
            assertThat(redis.isRunning()).isTrue();
            assertThatThrownBy(() -> RedisServer.start(RedisSettings.in(folder.resolve("redis"))))
                    .as("the lock is still held after others have looked at it")
                    .hasMessage(expected);
        }
        RedisServer.start(RedisSettings.in(folder.resolve("redis"))).close();
    }

    @Test
    void a_process_that_has_the_recorded_number_but_is_another_one_is_left_alone() throws Exception {
        Process innocent = new ProcessBuilder("sleep", "600").start();
        try {
            ProcessIdentity identity = ProcessIdentity.of(innocent.pid()).orElseThrow();
            for (String[] record : List.of(
                    new String[] {"other-start", identity.bootId(), Long.toString(identity.startTicks() - 1)},
                    new String[] {
                        "other-boot", "00000000-0000-0000-0000-000000000000", Long.toString(identity.startTicks())
                    },
                    new String[] {"torn-record", identity.bootId(), ""})) {
                Path folder = SharedStack.freshFolder("not-ours-" + record[0]);
                Files.createDirectories(folder);
                Files.writeString(
                        folder.resolve("process"),
                        record[1] + "\n" + innocent.pid() + " (redis) server) S" + " 1".repeat(18) + " " + record[2]
                                + " 1\n");
                RedisServer.start(RedisSettings.in(folder)).close();
                assertThat(innocent.isAlive()).as(record[0]).isTrue();
            }
            Path folder = SharedStack.freshFolder("ours");
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("process"),
                    identity.bootId() + "\n" + Files.readString(Path.of("/proc/" + innocent.pid() + "/stat")));
            RedisServer.start(RedisSettings.in(folder)).close();
            assertThat(innocent.isAlive())
                    .as("the very process on record is ended")
                    .isFalse();
        } finally {
            innocent.destroyForcibly();
        }
    }

    @Test
    void a_backend_that_outlives_its_server_does_not_keep_the_next_one_from_starting() throws Exception {
        try (PostgresServer server = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("orphan")))) {
            CompletableFuture<Void> busy =
                    CompletableFuture.runAsync(() -> compute(server), Thread::startVirtualThread);
            ProcessIdentity backend = busyBackend(server);
            Signals.send(Signal.KILL, List.of(ProcessIdentity.of(server.pid()).orElseThrow()));
            assertThat(Waiting.until(() -> !server.isRunning(), PATIENCE)).isTrue();
            assertThat(backend.isAlive()).isTrue();
            server.start();
            assertThat(backend.isAlive()).isFalse();
            assertThat(busy).failsWithin(PATIENCE);
        }
    }

    private static void compute(PostgresServer server) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("set application_name = 'busy'");
            statement.execute("select count(*) from (select generate_series(1, 1000000000000)) as endless");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ProcessIdentity busyBackend(PostgresServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            while (true) {
                try (ResultSet row = statement.executeQuery(
                        "select pid from pg_stat_activity where application_name = 'busy' and query like '%series%'")) {
                    if (row.next()) {
                        return ProcessIdentity.of(row.getLong(1)).orElseThrow();
                    }
                }
            }
        }
    }

    private static void assertThatTheDataAreThere(Path folder, Running before, String word) throws Exception {
        try (LocalStack stack = LocalStack.start(LocalStackSettings.in(folder)
                .withPort(Service.POSTGRES, before.postgresPort())
                .withPort(Service.REDIS, before.redisPort()))) {
            PostgresServer postgres = stack.postgres().orElseThrow();
            try (Connection connection =
                            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select word from word")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo(word);
            }
            try (RedisWire wire = new RedisWire("127.0.0.1", before.redisPort())) {
                assertThat(wire.ask("GET", "word")).containsExactly(word);
            }
        }
    }

    private static void put(Path folder, Running running, String word) throws IOException, SQLException {
        String password = Files.readString(folder.resolve("postgres").resolve("password"));
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + running.postgresPort() + "/holdfast", "holdfast", password);
                Statement statement = connection.createStatement()) {
            statement.execute("create table word (word text)");
            statement.execute("insert into word values ('" + word + "')");
        }
        try (RedisWire wire = new RedisWire("127.0.0.1", running.redisPort())) {
            assertThat(wire.ask("SET", "word", word)).containsExactly("OK");
        }
    }
}
