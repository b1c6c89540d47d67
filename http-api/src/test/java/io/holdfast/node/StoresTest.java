package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks before start, against real servers. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class StoresTest {

    @Test
    void durable_stores_pass() {
        assertThatCode(() -> Stores.require(
                        settings(SharedStack.postgres(), SharedStack.redis().uri(), "10s")))
                .doesNotThrowAnyException();
    }

    @Test
    void a_database_that_is_down_at_start_is_waited_for() throws Exception {
        try (var postgres = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("late-postgres")))) {
            postgres.stop();
            var waiting = new CountDownLatch(1);
            var checked = CompletableFuture.runAsync(() -> {
                waiting.countDown();
                Stores.require(settings(postgres, SharedStack.redis().uri(), "60s"));
            });
            waiting.await();
            postgres.start();
            assertThatCode(() -> checked.get(60, TimeUnit.SECONDS)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_database_that_stays_down_ends_the_start_with_one_line() {
        var settings = TestSettings.with(Map.of("HOLDFAST_POSTGRES_START_PATIENCE", "300ms"));
        assertThatThrownBy(() -> Stores.require(settings))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith(
                        "Gave up after 0 s: PostgreSQL at jdbc:postgresql://127.0.0.1:1/holdfast can't be used (")
                .hasMessageEndingWith("); start it or correct the address, and start this node again.");
    }

    @Test
    void a_redis_that_stays_down_ends_the_start_with_one_line() {
        assertThatThrownBy(
                        () -> Stores.require(settings(SharedStack.postgres(), "redis://:secret@127.0.0.1:1", "300ms")))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("Redis at redis://127.0.0.1:1 can't be used (")
                .hasMessageNotContaining("secret");
    }

    @Test
    void a_redis_that_evicts_ends_the_start_with_one_line() {
        try (var redis = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("evicting-redis"))
                .withExtraLines("maxmemory-policy allkeys-lru"))) {
            assertThatThrownBy(() -> Stores.require(settings(SharedStack.postgres(), redis.uri(), "10s")))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("maxmemory-policy noeviction");
        }
    }

    @Test
    void a_cluster_is_found_by_any_node_that_answers_and_every_primary_of_it_is_judged() throws Exception {
        try (var first = clusterNode("cluster-first");
                var second = clusterNode("cluster-second");
                var client = RedisClient.create();
                var toFirst = client.connect(RedisURI.create(first.uri()));
                var toSecond = client.connect(RedisURI.create(second.uri()))) {
            toFirst.sync().clusterAddSlots(IntStream.range(0, 8192).toArray());
            toSecond.sync().clusterAddSlots(IntStream.range(8192, 16384).toArray());
            toSecond.sync().clusterMeet("127.0.0.1", first.port());
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> toFirst.sync().clusterInfo().contains("cluster_slots_assigned:16384"));
            String named = "redis://127.0.0.1:1," + first.uri();

            Stores.require(settings(SharedStack.postgres(), named, "10s"));

            toSecond.sync().configSet("maxmemory-policy", "allkeys-lru");
            assertThatThrownBy(() -> Stores.require(settings(SharedStack.postgres(), named, "10s")))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("maxmemory-policy noeviction");
        }
    }

    private static RedisServer clusterNode(String folder) throws IOException {
        return RedisServer.start(RedisSettings.in(SharedStack.freshFolder(folder))
                .withPort(portWithBus())
                .withExtraLines("cluster-enabled yes"));
    }

    /** A port whose cluster bus, 10000 above, is a port too. */
    private static int portWithBus() throws IOException {
        int port;
        do {
            try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
        } while (port >= 55_000);
        return port;
    }

    @Test
    void a_redis_under_sentinel_that_refuses_to_write_alone_says_so() {
        try (var redis = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("fenced-redis"))
                        .withExtraLines("min-replicas-to-write 1"));
                var client = RedisClient.create();
                var connection = client.connect(RedisURI.create(redis.uri()))) {
            var sentinel = TestSettings.with(Map.of(
                    "HOLDFAST_NODE_MODE", "production",
                    "HOLDFAST_SECURITY_ALLOW", "open-http,plain-http,plain-postgres,plain-redis",
                    "HOLDFAST_REDIS_URL", "redis-sentinel://127.0.0.1:1/0#primary"));
            var facts = RedisFacts.of(connection.sync().info());
            assertThat(facts.judge(sentinel)).isEmpty();
            connection.sync().configSet("min-replicas-to-write", "0");
            var unfenced = RedisFacts.of(connection.sync().info());
            assertThatThrownBy(() -> unfenced.judge(sentinel)).hasMessageContaining("unfenced-redis");
        }
    }

    /** Whoever is not let in, and in what: patience mends none of it. */
    @ParameterizedTest
    @CsvSource({
        "URL, USER, wrong, password authentication failed",
        "URL, nobody_of_this_name, PASSWORD, authentication failed",
        "nosuch, USER, PASSWORD, does not exist"
    })
    void a_database_that_does_not_let_this_node_in_is_not_waited_for(
            String database, String user, String password, String why) {
        PostgresServer server = SharedStack.postgres();
        String url = server.jdbcUrl();
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL",
                database.equals("URL") ? url : url.replaceAll("(jdbc:postgresql://[^/]+/).*", "$1nosuch"),
                "HOLDFAST_POSTGRES_USER",
                user.equals("USER") ? server.user() : user,
                "HOLDFAST_POSTGRES_PASSWORD",
                password.equals("PASSWORD") ? server.password() : password,
                "HOLDFAST_POSTGRES_START_PATIENCE",
                "24h"));
        assertThatThrownBy(() -> Stores.require(settings))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("holdfast.postgres.user")
                .hasMessageContaining("holdfast.postgres.password")
                .hasMessageContaining("the database")
                .hasMessageNotContaining("\n");
    }

    @Test
    void a_host_nobody_knows_is_said_to_be_unknown() {
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL", "jdbc:postgresql://no-such-host.invalid/holdfast",
                "HOLDFAST_POSTGRES_START_PATIENCE", "300ms"));
        assertThatThrownBy(() -> Stores.require(settings))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("unknown host no-such-host.invalid");
    }

    private static Settings settings(PostgresServer postgres, String redis, String patience) {
        return TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL", postgres.jdbcUrl(),
                "HOLDFAST_POSTGRES_USER", postgres.user(),
                "HOLDFAST_POSTGRES_PASSWORD", postgres.password(),
                "HOLDFAST_REDIS_URL", redis,
                "HOLDFAST_POSTGRES_START_PATIENCE", patience));
    }
}
