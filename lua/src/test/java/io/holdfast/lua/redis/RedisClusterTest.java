package io.holdfast.lua.redis;

import static io.holdfast.lua.conformance.Scenario.known;
import static io.holdfast.lua.redis.Calls.untilKnown;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.localstack.RedisServer;
import io.holdfast.lua.OrderTryReply;
import io.holdfast.lua.OrderTryRequest;
import io.holdfast.lua.conformance.Lines;
import io.holdfast.lua.conformance.ScriptsUnderTest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A real Redis Cluster of three masters. */
@ParameterizedClass
@EnumSource
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RedisClusterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int NODES = 3;

    private static final List<RedisServer> SERVERS = new ArrayList<>();
    private static final List<RedisClient> CLIENTS = new ArrayList<>();
    private static final List<StatefulRedisConnection<String, String>> CONNECTIONS = new ArrayList<>();
    private static RedisStockScripts scripts;

    RedisClusterTest(RedisVersion version) {}

    @BeforeParameterizedClassInvocation
    static void formCluster(RedisVersion version) throws IOException {
        for (int i = 0; i < NODES; i++) {
            RedisServer server = RedisServer.start(version.settings("cluster-" + i)
                    .withPort(portWithBus())
                    .withExtraLines("cluster-enabled yes", "cluster-node-timeout 2000"));
            SERVERS.add(server);
            RedisClient client = RedisClient.create(server.uri());
            CLIENTS.add(client);
            CONNECTIONS.add(client.connect());
        }
        for (int i = 0; i < NODES; i++) {
            int node = i;
            redis(i).clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT)
                    .filter(s -> s % NODES == node)
                    .toArray());
            redis(i).clusterMeet("127.0.0.1", SERVERS.get(0).port());
        }
        for (int i = 0; i < NODES; i++) {
            int node = i;
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> redis(node).clusterInfo().contains("cluster_state:ok")
                            && redis(node).clusterInfo().contains("cluster_known_nodes:3"));
        }
        scripts = new RedisStockScripts(
                RedisUnderTest.settings(SERVERS.get(0).uri(), SERVERS.get(1).uri()), ScriptListener.NONE);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        scripts.close();
        CLIENTS.forEach(client -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
        SERVERS.forEach(RedisServer::close);
        CONNECTIONS.clear();
        CLIENTS.clear();
        SERVERS.clear();
    }

    /** A port whose cluster bus, 10000 above, is a port too. */
    private static int portWithBus() throws IOException {
        for (int port = 0; ; ) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            if (port < 55_000) {
                return port;
            }
        }
    }

    private static RedisCommands<String, String> redis(int node) {
        return CONNECTIONS.get(node).sync();
    }

    /** A pool whose keys are on this node. */
    private static String poolOn(int node, String name) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "c:" + name + i)
                .filter(pool -> SlotHash.getSlot("hf:{" + pool + "}:stock") % NODES == node)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void every_pool_is_served_by_its_node_and_trusted_under_that_nodes_identity() {
        Calls.untilUsable(scripts);
        for (int node = 0; node < NODES; node++) {
            String pool = poolOn(node, "all");
            Calls calls = new Calls(scripts, pool);

            assertThat(calls.init(5)).isEqualTo("CREATED v1 5+0=5/0/0");
            assertThat(calls.hold("r1", 2)).isEqualTo("HELD v2 5+0=3/2/0");
            assertThat(calls.confirm("r1", 1)).isEqualTo("CONFIRMED released 1 v3 5+0=4/0/1");
            assertThat(redis(node).hget("hf:{" + pool + "}:stock", "run_id"))
                    .isEqualTo(ServerInfo.read(redis(node).info()).processId());
        }
    }

    @Test
    void a_slot_that_moves_is_refused_as_not_done_and_found_on_its_new_node() {
        String pool = poolOn(0, "moving");
        Calls calls = new Calls(scripts, pool);
        assertThat(untilKnown(() -> calls.hold("r0", 1))).isEqualTo("POOL_MISSING");
        int slot = SlotHash.getSlot("hf:{" + pool + "}:stock");
        String target = redis(1).clusterMyId();
        redis(1).clusterSetSlotNode(slot, target);
        redis(0).clusterSetSlotNode(slot, target);

        assertThat(calls.init(5)).startsWith("UNAVAILABLE").contains("MOVED");
        assertThat(untilKnown(() -> calls.init(5))).isEqualTo("CREATED v1 5+0=5/0/0");
        assertThat(redis(1).hget("hf:{" + pool + "}:stock", "total")).isEqualTo("5");
    }

    @Test
    void a_pool_is_rebuilt_on_its_node_with_the_keys_of_many_fences_in_one_call() {
        Calls.untilUsable(scripts);
        for (int node = 0; node < NODES; node++) {
            String pool = poolOn(node, "rebuilt");
            Calls calls = new Calls(scripts, pool);
            untilKnown(() -> calls.init(5));
            List<String> reservations =
                    IntStream.range(0, 300).mapToObj(i -> "r" + i).toList();

            assertThat(calls.beginRebuild("b1", 2)).isEqualTo("BEGUN epoch 2 since b1 v1 5+0=5/0/0");
            assertThat(calls.load("b1", 2, 1, reservations)).isEqualTo("LOADED 1");
            assertThat(calls.openRebuilt("b1", 2, 1, 300, 4)).isEqualTo("OPENED OPEN epoch 2 v9 304+0=4/300/0");
            assertThat(calls.hold("late", 1)).isEqualTo("STALE_EPOCH 2");
            assertThat(redis(node).hget("hf:{" + pool + "}:r:r299", "phase")).isEqualTo("RESERVED");
        }
    }

    /** The scripts as a node has them: of a pool named so, the tag is that of its merchant's day. */
    private static RedisStockScripts sharing() {
        return new RedisStockScripts(
                RedisUnderTest.settings(SERVERS.get(0).uri(), SERVERS.get(1).uri()),
                ScriptListener.NONE,
                ScriptsUnderTest.TAGS);
    }

    private static OrderTryRequest together(String merchant, OrderTryRequest.Fate fate, String asking) {
        List<OrderTryRequest.Line> all = List.of(
                new OrderTryRequest.Line("r1", merchant + ":soup:2026-11-29", 2),
                new OrderTryRequest.Line("r2", merchant + ":bread:2026-11-29", 3));
        List<OrderTryRequest.Line> asked = fate == OrderTryRequest.Fate.OPEN
                ? all
                : all.stream().filter(line -> line.reservation().equals(asking)).toList();
        return new OrderTryRequest(
                asking,
                "g1",
                fate,
                asked.stream()
                        .map(line -> new OrderTryRequest.Pool(line.pool(), 1))
                        .toList(),
                asked,
                Instant.parse("2026-11-29T10:00:00Z"));
    }

    @Test
    void a_group_of_pools_that_share_a_tag_is_held_whole_on_whichever_node_has_them() {
        try (RedisStockScripts sharing = sharing()) {
            Calls.untilUsable(sharing);
            for (int node = 0; node < NODES; node++) {
                int wanted = node;
                String merchant = IntStream.range(0, 1000)
                        .mapToObj(i -> "shared" + i)
                        .filter(name -> SlotHash.getSlot("{"
                                                + ScriptsUnderTest.tag(name + ":soup:2026-11-29")
                                                        .orElseThrow()
                                                + "}")
                                        % NODES
                                == wanted)
                        .findFirst()
                        .orElseThrow();
                Calls soup = new Calls(sharing, merchant + ":soup:2026-11-29");
                Calls bread = new Calls(sharing, merchant + ":bread:2026-11-29");
                assertThat(untilKnown(() -> soup.init(5))).isEqualTo("CREATED v1 5+0=5/0/0");
                assertThat(untilKnown(() -> bread.init(3))).isEqualTo("CREATED v1 3+0=3/0/0");

                assertThat(line(sharing, together(merchant, OrderTryRequest.Fate.OPEN, "r1")))
                        .isEqualTo("HELD v2 5+0=3/2/0");
                assertThat(line(sharing, together(merchant, OrderTryRequest.Fate.HELD, "r2")))
                        .isEqualTo("HELD again v2 3+0=0/3/0");
                assertThat(bread.hold("late", 1)).isEqualTo("SHORT v2 3+0=0/3/0");
            }
        }
    }

    @Test
    void a_group_of_pools_on_different_nodes_is_refused_before_anything_moves() {
        Calls.untilUsable(scripts);
        String one = poolOn(0, "apart");
        String other = poolOn(1, "apart");
        untilKnown(() -> new Calls(scripts, one).init(5));
        untilKnown(() -> new Calls(scripts, other).init(5));
        List<OrderTryRequest.Line> lines =
                List.of(new OrderTryRequest.Line("r1", one, 2), new OrderTryRequest.Line("r2", other, 2));

        Outcome<OrderTryReply> outcome = scripts.orderTry(new OrderTryRequest(
                        "r1",
                        "g1",
                        OrderTryRequest.Fate.OPEN,
                        List.of(new OrderTryRequest.Pool(one, 1), new OrderTryRequest.Pool(other, 1)),
                        lines,
                        Instant.parse("2026-11-29T10:00:00Z")))
                .toCompletableFuture()
                .join();

        assertThat(outcome).isNotInstanceOf(Outcome.Known.class);
        assertThat(redis(0).hget("hf:{" + one + "}:stock", "reserved")).isEqualTo("0");
        assertThat(redis(1).hget("hf:{" + other + "}:stock", "reserved")).isEqualTo("0");
    }

    private static String line(RedisStockScripts asked, OrderTryRequest request) {
        return Lines.of(known(asked.orderTry(request)));
    }

    @Test
    void a_restarted_node_freezes_its_own_pools_alone() {
        Calls restarted = new Calls(scripts, poolOn(2, "restarted"));
        Calls untouched = new Calls(scripts, poolOn(0, "untouched"));
        untilKnown(() -> restarted.init(5));
        untilKnown(() -> untouched.init(5));

        SERVERS.get(2).stop();
        SERVERS.get(2).start();

        assertThat(untilKnown(() -> restarted.hold("r1", 1))).isEqualTo("POOL_SUSPECT OPEN other process");
        assertThat(untilKnown(() -> untouched.hold("r1", 1))).isEqualTo("HELD v2 5+0=4/1/0");
        assertThat(untilKnown(() -> restarted.verify("v1", 5, 5, 0, 0))).isEqualTo("VERIFIED OPEN v1 5+0=5/0/0");
        assertThat(restarted.hold("r1", 1)).isEqualTo("HELD v2 5+0=4/1/0");
    }

    @Test
    void a_cluster_node_named_alone_is_refused_with_what_to_do() {
        try (RedisStockScripts alone =
                new RedisStockScripts(RedisUnderTest.settings(SERVERS.get(0).uri()), ScriptListener.NONE)) {
            assertThat(alone.check().toCompletableFuture().join())
                    .isEqualTo(new RedisState.Unsuitable("Redis at 127.0.0.1:"
                            + SERVERS.get(0).port() + " is a cluster node: name the URIs of two or more nodes"));
        }
    }
}
