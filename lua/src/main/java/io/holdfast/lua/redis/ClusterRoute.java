package io.holdfast.lua.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Redis Cluster: every master is a process of its own with its own identity, so calls are never redirected behind our back. The slot map is
 * read from any node that answers; a call that meets a moved slot is refused as not done, the map is read again, and the caller's retry
 * finds the new node.
 */
@SuppressWarnings("FutureReturnValueIgnored") // every outcome is dealt with in the stage that is dropped
final class ClusterRoute implements Route {

    private record Node(String host, int port) {}

    /** Which node serves which slots. */
    private record SlotMap(Map<Integer, Node> bySlot) {
        Set<Node> nodes() {
            return new LinkedHashSet<>(bySlot.values());
        }
    }

    private final RedisLink.Shared shared;
    private final List<RedisURI> seeds;
    private final Map<Node, RedisLink> links = new HashMap<>();
    private @Nullable SlotMap map;
    private @Nullable CompletableFuture<SlotMap> reading;
    private long readAgainFrom = System.nanoTime();
    private boolean closed;

    ClusterRoute(RedisLink.Shared shared, List<RedisURI> seeds) {
        this.shared = shared;
        this.seeds = List.copyOf(seeds);
    }

    @Override
    public CompletionStage<RedisLink> link(String key) {
        int slot = SlotHash.getSlot(key);
        return slotMap().thenCompose(known -> {
            Node node = known.bySlot().get(slot);
            if (node == null) {
                doubted();
                return CompletableFuture.failedFuture(
                        NotConnectedException.unreachable("no node of the cluster serves slot " + slot));
            }
            return CompletableFuture.completedFuture(link(node));
        });
    }

    @Override
    public Object together(String key) {
        return SlotHash.getSlot(key);
    }

    private synchronized CompletionStage<SlotMap> slotMap() {
        SlotMap known = map;
        return known != null ? CompletableFuture.completedFuture(known) : read();
    }

    private synchronized RedisLink link(Node node) {
        return links.computeIfAbsent(
                node,
                n -> new RedisLink(
                        shared,
                        RedisURI.builder(seeds.get(0))
                                .withHost(n.host())
                                .withPort(n.port())
                                .build(),
                        true));
    }

    @Override
    public CompletionStage<RedisState> check() {
        return slotMap()
                .handle((known, error) -> {
                    if (known == null) {
                        return RedisStates.of(CompletableFuture.<Void>failedFuture(error));
                    }
                    CompletionStage<RedisState> all = CompletableFuture.completedFuture(new RedisState.Usable());
                    for (Node node : known.nodes()) {
                        all = all.thenCombine(RedisStates.of(link(node).connection()), RedisStates::worse);
                    }
                    return known.bySlot().size() == SlotHash.SLOT_COUNT
                            ? all
                            : all.thenApply(state -> RedisStates.worse(
                                    state, new RedisState.Unreachable("the cluster serves only some slots")));
                })
                .thenCompose(state -> state);
    }

    @Override
    public synchronized void doubted() {
        if (!closed && System.nanoTime() - readAgainFrom >= 0) {
            read();
        }
    }

    private synchronized CompletableFuture<SlotMap> read() {
        CompletableFuture<SlotMap> underWay = reading;
        if (underWay != null) {
            return underWay;
        }
        CompletableFuture<SlotMap> started = new CompletableFuture<>();
        reading = started;
        List<RedisURI> asked = new ArrayList<>(seeds);
        if (map != null) {
            map.nodes()
                    .forEach(node -> asked.add(RedisURI.builder(seeds.get(0))
                            .withHost(node.host())
                            .withPort(node.port())
                            .build()));
        }
        ask(asked, 0, "").whenComplete((read, error) -> {
            synchronized (this) {
                reading = null;
                readAgainFrom = System.nanoTime() + shared.backoff().first().toNanos();
                if (read != null) {
                    map = read;
                    closeUnused(read.nodes());
                }
            }
            if (read != null) {
                started.complete(read);
            } else {
                started.completeExceptionally(error);
            }
        });
        return started;
    }

    private void closeUnused(Set<Node> used) {
        links.entrySet().removeIf(entry -> {
            boolean unused = !used.contains(entry.getKey());
            if (unused) {
                entry.getValue().close();
            }
            return unused;
        });
    }

    /** Asks one node after the other until one answers. */
    private CompletionStage<SlotMap> ask(List<RedisURI> nodes, int next, String lastFailure) {
        if (next == nodes.size()) {
            return CompletableFuture.failedFuture(
                    NotConnectedException.unreachable("no node of the cluster answers: " + lastFailure));
        }
        RedisURI node = nodes.get(next);
        CompletableFuture<StatefulRedisConnection<String, String>> connecting =
                shared.client().connectAsync(StringCodec.UTF8, node).toCompletableFuture();
        return connecting
                .thenCompose(connection -> connection.async().clusterSlots())
                .orTimeout(shared.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((slots, error) -> {
                    connecting.thenAccept(StatefulRedisConnection::closeAsync);
                    return slots != null
                            ? CompletableFuture.completedFuture(slotMap(slots, node))
                            : ask(nodes, next + 1, node.getHost() + ":" + node.getPort() + " " + error.getMessage());
                })
                .thenCompose(map -> map);
    }

    /** CLUSTER SLOTS: {@code [first, last, [host, port, ...], replicas...]} for each range. */
    private static SlotMap slotMap(List<Object> ranges, RedisURI asked) {
        Map<Integer, Node> bySlot = new HashMap<>();
        for (Object range : ranges) {
            if (range instanceof List<?> r
                    && r.size() > 2
                    && r.get(0) instanceof Number first
                    && r.get(1) instanceof Number last
                    && r.get(2) instanceof List<?> master
                    && master.get(1) instanceof Number port) {
                String host =
                        Optional.ofNullable(master.get(0)).map(Object::toString).orElse("");
                Node node = new Node(host.isEmpty() ? asked.getHost() : host, port.intValue());
                for (int slot = first.intValue(); slot <= last.intValue(); slot++) {
                    bySlot.put(slot, node);
                }
            }
        }
        return new SlotMap(bySlot);
    }

    @Override
    public synchronized CompletionStage<Void> close() {
        closed = true;
        return CompletableFuture.allOf(
                links.values().stream().map(RedisLink::close).toArray(CompletableFuture[]::new));
    }
}
