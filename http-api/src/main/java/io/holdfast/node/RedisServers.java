package io.holdfast.node;

import io.holdfast.config.RedisSection;
import io.holdfast.lua.redis.RedisStockScripts;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Redis servers that the settings lead to, asked once each, before anything else starts. */
final class RedisServers {

    private static final Logger LOG = LoggerFactory.getLogger(RedisServers.class);

    private RedisServers() {}

    /**
     * The facts of the one server or primary; of a cluster, of all primaries that answer, found by whichever named node answers first.
     *
     * @throws IOException if none can be asked now
     */
    static List<RedisFacts> ask(RedisSection section) throws IOException {
        List<RedisURI> named = section.uris().stream().map(RedisURI::create).toList();
        if (named.size() == 1) {
            return List.of(asked(section, named.getFirst(), RedisServers::facts));
        }
        List<RedisFacts> primaries = new ArrayList<>();
        for (RedisURI uri : primaries(section, named)) {
            try {
                primaries.add(asked(section, uri, RedisServers::facts));
            } catch (IOException | RedisException e) {
                LOG.warn(
                        "Redis at {}:{} could not be asked how it is set up: {}", uri.getHost(), uri.getPort(), why(e));
            }
        }
        if (primaries.isEmpty()) {
            throw new IOException("no primary of the cluster answers");
        }
        return primaries;
    }

    private static List<RedisURI> primaries(RedisSection section, List<RedisURI> named) throws IOException {
        String lastFailure = "";
        for (RedisURI uri : named) {
            try {
                return asked(section, uri, redis -> primaries(uri, redis));
            } catch (IOException | RedisException e) {
                lastFailure = uri.getHost() + ":" + uri.getPort() + " " + why(e);
            }
        }
        throw new IOException("no node of the cluster answers: " + lastFailure);
    }

    /** The primaries as one node knows them. A server that is no cluster node speaks for itself: the client says what is wrong with it. */
    private static List<RedisURI> primaries(RedisURI asked, RedisCommands<String, String> redis) {
        if (!RedisFacts.of(redis.info("server")).inCluster()) {
            return List.of(asked);
        }
        List<RedisURI> primaries = new ArrayList<>();
        for (RedisClusterNode node : ClusterPartitionParser.parse(redis.clusterNodes())) {
            if (node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.getSlots().isEmpty()) {
                String host = node.getUri().getHost();
                primaries.add(RedisURI.builder(asked)
                        .withHost(host == null || host.isEmpty() ? asked.getHost() : host)
                        .withPort(node.getUri().getPort())
                        .build());
            }
        }
        return primaries;
    }

    private static RedisFacts facts(RedisCommands<String, String> redis) {
        return RedisFacts.of(redis.info());
    }

    private static <T> T asked(RedisSection section, RedisURI uri, Function<RedisCommands<String, String>, T> question)
            throws IOException {
        uri.setTimeout(section.connectTimeout());
        RedisClient client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .sslOptions(section.authority().map(RedisStockScripts::trusting).orElseGet(SslOptions::create))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(section.connectTimeout())
                        .build())
                .build());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            T answer = question.apply(connection.sync());
            if (answer instanceof RedisFacts facts && facts.loading()) {
                throw new IOException("it is still reading its files");
            }
            return answer;
        } finally {
            client.shutdown();
        }
    }

    private static String why(Exception failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
