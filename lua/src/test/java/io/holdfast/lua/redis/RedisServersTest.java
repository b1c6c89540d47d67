package io.holdfast.lua.redis;

import static io.holdfast.lua.redis.Calls.untilKnown;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which Redis servers are accepted, and what a change of roles does; always with real servers. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RedisServersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static RedisServer server(String folder, String... lines) {
        return RedisServer.start(
                RedisSettings.in(SharedStack.freshFolder(folder)).withExtraLines(lines));
    }

    private static RedisStockScripts scripts(String... uris) {
        return new RedisStockScripts(RedisUnderTest.settings(uris), ScriptListener.NONE);
    }

    private static RedisState state(RedisStockScripts scripts) {
        return scripts.check().toCompletableFuture().join();
    }

    @Test
    void a_redis_that_may_evict_is_refused_in_one_line_that_says_what_to_do() {
        try (RedisServer evicting = server("evicting", "maxmemory-policy allkeys-lru");
                RedisStockScripts scripts = scripts(evicting.uri())) {
            String remedy = "Redis at 127.0.0.1:" + evicting.port()
                    + " has maxmemory-policy allkeys-lru and may throw stock away: set maxmemory-policy noeviction";

            assertThat(state(scripts)).isEqualTo(new RedisState.Unsuitable(remedy));
            assertThat(new Calls(scripts, "p:evicting").init(1)).isEqualTo("UNAVAILABLE " + remedy);
        }
    }

    @Test
    void nothing_listening_is_unreachable() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        try (RedisStockScripts scripts = scripts("redis://127.0.0.1:" + free)) {
            assertThat(state(scripts))
                    .isInstanceOfSatisfying(
                            RedisState.Unreachable.class,
                            no -> assertThat(no.why()).startsWith("no connection to Redis at 127.0.0.1:" + free));
        }
    }

    @Test
    void a_replica_is_refused_also_when_a_master_becomes_one_under_an_open_connection() {
        try (RedisServer one = server("replica-one");
                RedisServer two = server("replica-two");
                RedisUnderTest subject = new RedisUnderTest(one.uri())) {
            Calls calls = new Calls(subject.scripts(), "p:replica");
            calls.init(5);
            assertThat(calls.hold("r1", 1)).isEqualTo("HELD v2 5+0=4/1/0");

            subject.redis().replicaof("127.0.0.1", two.port());

            // At once the script itself is refused; soon the connection is given up and the replica recognised.
            assertThat(calls.hold("r2", 1)).startsWith("UNAVAILABLE");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> calls.hold("r2", 1)
                            .equals("UNAVAILABLE Redis at 127.0.0.1:" + one.port() + " is a replica"));
            assertThat(state(subject.scripts())).isInstanceOf(RedisState.Unreachable.class);
        }
    }

    @Test
    void a_process_that_was_demoted_and_promoted_again_is_another_process_for_its_pools() {
        try (RedisServer one = server("promoted-one");
                RedisServer two = server("promoted-two");
                RedisUnderTest first = new RedisUnderTest(one.uri());
                RedisUnderTest second = new RedisUnderTest(two.uri())) {
            // The first replica a master ever has changes the master's identity too: before there is a pool.
            second.redis().replicaof("127.0.0.1", one.port());
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> second.redis().info("replication").contains("master_link_status:up"));
            Calls calls = new Calls(first.scripts(), "p:promoted");
            calls.init(5);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> !second.hash("hf:{p:promoted}:stock").isEmpty());
            second.redis().replicaofNoOne();
            // Asynchronous replication: this hold exists on the first server alone, and is lost when it copies the
            // second.
            assertThat(calls.hold("r1", 5)).isEqualTo("HELD v2 5+0=0/5/0");
            first.redis().replicaof("127.0.0.1", two.port());
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> "5".equals(first.hash("hf:{p:promoted}:stock").get("available")));
            first.redis().replicaofNoOne();

            try (RedisStockScripts later = scripts(one.uri())) {
                assertThat(new Calls(later, "p:promoted").hold("r2", 1)).isEqualTo("POOL_SUSPECT OPEN other process");
            }
            // A connection that was open all the time learns of it when it is probed next.
            Awaitility.await().atMost(PATIENCE).until(() -> calls.look("r2").startsWith("SEEN untrusted"));
            assertThat(calls.hold("r2", 1)).isEqualTo("POOL_SUSPECT OPEN other process");
        }
    }

    @Test
    void a_first_replica_attached_to_a_master_makes_every_client_verify_at_worst_and_stops_none() {
        try (RedisServer one = server("attached-one");
                RedisServer two = server("attached-two");
                RedisUnderTest subject = new RedisUnderTest(one.uri());
                RedisUnderTest other = new RedisUnderTest(two.uri())) {
            Calls calls = new Calls(subject.scripts(), "p:attached");
            calls.init(5);
            other.redis().replicaof("127.0.0.1", one.port());
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> !other.hash("hf:{p:attached}:stock").isEmpty());

            assertThat(untilKnown(() -> calls.verify("v1", 5, 5, 0, 0))).startsWith("VERIFIED OPEN");
            assertThat(untilKnown(() -> calls.hold("r1", 1))).isEqualTo("HELD v2 5+0=4/1/0");
        }
    }

    @Test
    void the_master_named_by_sentinels_is_used_and_found_again_after_a_fail_over() throws IOException {
        try (RedisServer one = server("sentinel-one");
                RedisServer two = server("sentinel-two", "replicaof 127.0.0.1 " + one.port());
                Sentinel sentinel = Sentinel.watching(one);
                RedisStockScripts scripts = scripts("redis-sentinel://127.0.0.1:" + sentinel.port() + "#stock");
                RedisUnderTest second = new RedisUnderTest(two.uri())) {
            Calls calls = new Calls(scripts, "p:sentinel");
            assertThat(untilKnown(() -> calls.init(5))).isEqualTo("CREATED v1 5+0=5/0/0");
            assertThat(calls.hold("r1", 1)).isEqualTo("HELD v2 5+0=4/1/0");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() ->
                            "2".equals(second.hash("hf:{p:sentinel}:stock").get("version")) && sentinel.knowsReplica());

            one.kill();

            assertThat(untilKnown(() -> calls.hold("r1", 1))).isEqualTo("POOL_SUSPECT OPEN other process");
            assertThat(calls.verify("v1", 5, 4, 1, 0)).isEqualTo("VERIFIED OPEN v2 5+0=4/1/0");
            assertThat(calls.hold("r1", 1)).isEqualTo("HELD again v2 5+0=4/1/0");
        }
    }

    /** One real Sentinel, deciding alone. */
    private record Sentinel(Process process, int port) implements AutoCloseable {

        static Sentinel watching(RedisServer master) throws IOException {
            String program = master.program().toString();
            int port;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            Path folder = Files.createDirectories(SharedStack.freshFolder("sentinel"));
            Path configuration = folder.resolve("sentinel.conf");
            Files.write(
                    configuration,
                    List.of(
                            "port " + port,
                            "bind 127.0.0.1",
                            "dir " + folder,
                            "sentinel monitor stock 127.0.0.1 " + master.port() + " 1",
                            "sentinel down-after-milliseconds stock 500",
                            "sentinel failover-timeout stock 3000"));
            Process process = new ProcessBuilder(program, configuration.toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            return new Sentinel(process, port);
        }

        boolean knowsReplica() {
            var client = io.lettuce.core.RedisClient.create();
            try (var connection = client.connectSentinel(io.lettuce.core.RedisURI.create("127.0.0.1", port))) {
                return connection.sync().replicas("stock").stream().anyMatch(r -> "slave".equals(r.get("flags")));
            } finally {
                client.shutdown();
            }
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().orTimeout(5, TimeUnit.SECONDS).join();
        }
    }
}
