package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LocalStackTest {

    @TempDir
    private Path folder;

    @Test
    void closed_and_started_again_it_has_its_data_and_only_what_was_asked_for() throws IOException {
        String database;
        String password;
        try (LocalStack stack = LocalStack.start(LocalStackSettings.in(folder))) {
            assertThat(stack.kafka()).isEmpty();
            assertThat(stack.kafkaBootstrapServers()).isEmpty();
            database = stack.postgres().orElseThrow().createDatabase("kept");
            password = stack.postgresAddress().orElseThrow().password();
            ask(stack.redisUri().orElseThrow(), "SET", "word", "kept");
        }
        try (LocalStack stack = LocalStack.start(LocalStackSettings.in(folder))) {
            PostgresServer postgres = stack.postgres().orElseThrow();
            assertThat(database).endsWith("/kept");
            assertThatThrownBy(() -> postgres.createDatabase("kept")).hasMessageContaining("already exists");
            assertThat(postgres.password()).isEqualTo(password);
            assertThat(ask(stack.redisUri().orElseThrow(), "GET", "word")).isEqualTo("kept");
        }
    }

    @Test
    void everything_lies_under_the_folder_and_a_second_stack_beside_it_is_another_world() throws IOException {
        try (LocalStack one = LocalStack.start(redisOnly(folder.resolve("one")));
                LocalStack two = LocalStack.start(redisOnly(folder.resolve("two")))) {
            ask(one.redisUri().orElseThrow(), "SET", "word", "one");
            assertThat(ask(two.redisUri().orElseThrow(), "EXISTS", "word")).isEqualTo("0");
            assertThat(one.redis().orElseThrow().dataFolder())
                    .startsWith(folder.resolve("one").toRealPath());
        }
    }

    @Test
    void a_wanted_port_is_had() throws IOException {
        int port = Ports.free();
        try (LocalStack stack = LocalStack.start(redisOnly(folder).withPort(Service.REDIS, port))) {
            assertThat(stack.redisUri()).contains("redis://127.0.0.1:" + port);
        }
    }

    @Test
    void a_wanted_port_that_is_taken_is_told_with_who_has_it_and_nothing_is_left_running() throws IOException {
        LocalStackSettings settings = LocalStackSettings.in(folder);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatFails(() -> LocalStack.start(settings.withPort(Service.REDIS, other.getLocalPort())))
                    .hasMessage(
                            "port %d on 127.0.0.1 is taken by java (process %d), so Redis cannot use it: stop that program or choose another port (0 means any free one)"
                                    .formatted(
                                            other.getLocalPort(),
                                            ProcessHandle.current().pid()));
        }
        LocalStack.start(settings).close();
    }

    @Test
    void a_port_that_is_none_is_refused() {
        assertThatFails(() -> LocalStack.start(redisOnly(folder).withPort(Service.REDIS, 70_000)))
                .hasMessage("port 70000 for Redis is not a port: choose one from 1 to 65535, or 0 for any free one");
    }

    @Test
    void a_server_does_not_come_back_on_a_port_that_somebody_took_meanwhile() throws IOException {
        try (RedisServer redis = RedisServer.start(RedisSettings.in(folder))) {
            redis.stop();
            try (ServerSocket other = new ServerSocket(redis.port(), 1, InetAddress.getLoopbackAddress())) {
                assertThatFails(redis::start)
                        .hasMessageContaining("port " + other.getLocalPort() + " on 127.0.0.1 is taken");
            }
            redis.start();
            assertThat(redis.isRunning()).isTrue();
        }
    }

    @Test
    void a_folder_that_cannot_be_made_is_told() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThatFails(() -> LocalStack.start(redisOnly(file)))
                .hasMessageContaining("the folder " + file.resolve("redis") + " for Redis cannot be written")
                .hasMessageContaining("choose another folder");
    }

    @Test
    void data_of_another_PostgreSQL_are_not_touched() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("PG_VERSION"), "17\n");
        assertThatFails(() -> PostgresServer.start(PostgresSettings.in(folder)))
                .hasMessageContaining("was written by PostgreSQL 17, and this is 18")
                .hasMessageContaining("pg_dump");
        assertThat(data).isDirectoryContaining("glob:**PG_VERSION");
    }

    @Test
    void an_interrupted_first_start_is_made_good() throws IOException {
        Path unfinished = Files.createDirectories(folder.resolve("data.unfinished"));
        Files.writeString(unfinished.resolve("PG_VERSION"), "18\n");
        try (PostgresServer server = PostgresServer.start(PostgresSettings.in(folder))) {
            assertThat(server.isRunning()).isTrue();
        }
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void servers_of_the_user_are_used_instead() throws IOException {
        PostgresServer postgres = SharedStack.postgres();
        RedisServer redis = SharedStack.redis();
        LocalStackSettings settings =
                LocalStackSettings.in(folder).usingPostgres(postgres.address()).usingRedis(redis.uri());
        try (LocalStack stack = LocalStack.start(settings)) {
            assertThat(stack.postgres()).isEmpty();
            assertThat(stack.redis()).isEmpty();
            assertThat(stack.postgresAddress()).contains(postgres.address());
            assertThat(stack.redisUri()).contains(redis.uri());
        }
        assertThat(postgres.isRunning() && redis.isRunning())
                .as("the user's servers are not ended")
                .isTrue();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_server_of_the_user_that_does_not_answer_is_told_by_name() {
        int nobody = Ports.free();
        LocalStackSettings settings = LocalStackSettings.in(folder);
        String url = "jdbc:postgresql://127.0.0.1:" + nobody + "/orders";
        assertThatFails(() -> LocalStack.start(settings.usingPostgres(new PostgresAddress(url, "me", "secret"))))
                .hasMessageContaining("the PostgreSQL named in the configuration (" + url + " as me) does not answer")
                .hasMessageNotContaining("secret");
        assertThatFails(() -> LocalStack.start(settings.usingRedis("redis://:secret@127.0.0.1:" + nobody)))
                .hasMessageContaining(
                        "the Redis named in the configuration (redis://127.0.0.1:" + nobody + ") does not answer")
                .hasMessageNotContaining("secret");
        assertThatFails(() -> LocalStack.start(settings.usingKafka("127.0.0.1:" + nobody)))
                .hasMessageContaining(
                        "the Kafka named in the configuration (127.0.0.1:" + nobody + ") does not answer");
        assertThatFails(() -> LocalStack.start(settings.usingKafka("127.0.0.1")))
                .hasMessageContaining("write host:port");
        assertThatFails(() -> LocalStack.start(settings.usingRedis("re dis")))
                .hasMessageContaining("write redis://host:port");
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> assertThatFails(
            ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(LocalStackException.class).hasMessageNotContaining("\n");
    }

    private static LocalStackSettings redisOnly(Path folder) {
        return LocalStackSettings.in(folder).withServices(EnumSet.of(Service.REDIS));
    }

    private static String ask(String uri, String... words) throws IOException {
        java.net.URI address = java.net.URI.create(uri);
        try (RedisWire wire = new RedisWire(address.getHost(), address.getPort())) {
            return wire.ask(words).getFirst();
        }
    }
}
