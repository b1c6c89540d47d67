package io.holdfast.it;

import static org.awaitility.Awaitility.await;

import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.lettuce.core.cluster.SlotHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Redis Cluster of masters that share the slots in turn. */
final class RedisMasters implements AutoCloseable {

    private static final int BUS = 10_000;
    private static final int LARGEST_PORT = 65_535;

    private final List<RedisServer> servers = new ArrayList<>();

    RedisMasters(String name, int count) {
        for (int i = 0; i < count; i++) {
            servers.add(RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-" + name + "-" + i))
                    .withPort(portWithBus())
                    .withExtraLines("cluster-enabled yes", "cluster-node-timeout 5000")));
        }
        for (int i = 0; i < count; i++) {
            int node = i;
            Site.askRedis(uri(i), redis -> {
                redis.clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT)
                        .filter(slot -> slot % count == node)
                        .toArray());
                return redis.clusterMeet("127.0.0.1", servers.getFirst().port());
            });
        }
        for (int i = 0; i < count; i++) {
            int node = i;
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Site.askRedis(uri(node), redis -> {
                        String info = redis.clusterInfo();
                        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:" + count);
                    }));
        }
    }

    /** As a node is told of them. */
    String uris() {
        return servers.stream().map(RedisServer::uri).collect(Collectors.joining(","));
    }

    /** Where one of them is. */
    String uri(int node) {
        return servers.get(node).uri();
    }

    /** Which one has the keys of this pool. */
    int of(String pool) {
        return SlotHash.getSlot("hf:{" + pool + "}:stock") % servers.size();
    }

    private static int portWithBus() {
        for (; ; ) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() + BUS <= LARGEST_PORT) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
