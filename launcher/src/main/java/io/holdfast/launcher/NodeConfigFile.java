package io.holdfast.launcher;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.PostgresAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings file of a development node: where its stores are. {@code audit replay} reads it too. */
final class NodeConfigFile {

    private static final Set<String> DECIDED = Set.of(
            "HOLDFAST_NODE_MODE",
            "HOLDFAST_HTTP_PORT",
            "HOLDFAST_CLUSTER_PORT",
            "HOLDFAST_POSTGRES_URL",
            "HOLDFAST_POSTGRES_USER",
            "HOLDFAST_POSTGRES_PASSWORD",
            "HOLDFAST_REDIS_URL",
            "HOLDFAST_KAFKA_ENABLED",
            "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS",
            "HOLDFAST_KAFKA_PROTOCOL");

    private NodeConfigFile() {}

    /** The environment without what the file decides: those variables have said already which stores are meant. */
    static Map<String, String> withoutItsOwn(Map<String, String> environment) {
        Map<String, String> others = new LinkedHashMap<>(environment);
        others.keySet().removeIf(name -> DECIDED.contains(name));
        return others;
    }

    /** Writes it, readable only by the user: it holds a password. */
    static Path write(Path file, LocalStack stack, int httpPort) throws IOException {
        return write(file, stack, httpPort, Map.of());
    }

    /**
     * Writes it, as {@link #write(Path, LocalStack, int)} does.
     *
     * @param more settings by full name, also where others would be reached that join this one (holdfast.cluster.port)
     */
    static Path write(Path file, LocalStack stack, int httpPort, Map<String, ?> more) throws IOException {
        PostgresAddress postgres = stack.postgresAddress().orElseThrow();
        Map<String, Object> values = new LinkedHashMap<>(more);
        values.put("holdfast.node.mode", "development");
        values.put("holdfast.http.port", httpPort);
        values.putIfAbsent("holdfast.cluster.port", 0);
        values.put("holdfast.postgres.url", postgres.jdbcUrl());
        values.put("holdfast.postgres.user", postgres.user());
        values.put("holdfast.postgres.password", postgres.password());
        values.put("holdfast.redis.url", stack.redisUri().orElseThrow());
        Optional<String> kafka = stack.kafkaBootstrapServers();
        values.put("holdfast.kafka.enabled", kafka.isPresent());
        kafka.ifPresent(servers -> {
            values.put("holdfast.kafka.bootstrap-servers", servers);
            values.put("holdfast.kafka.protocol", "plaintext");
        });
        String text = "# Written by ./holdfast dev at every start; changes are lost.\n"
                + secondNode(file, httpPort, values.get("holdfast.cluster.port"))
                + ConfigFactory.parseMap(values)
                        .root()
                        .render(ConfigRenderOptions.defaults()
                                .setOriginComments(false)
                                .setJson(false));
        if (Files.notExists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        return Files.writeString(file, text);
    }

    /** Without the name of the first it would be a cluster of its own, and is not let in as one. */
    private static String secondNode(Path file, int httpPort, Object clusterPort) {
        return clusterPort.equals(0) ? "" : """
            # A second node beside this one:
            #   HOLDFAST_HTTP_PORT=%d HOLDFAST_CLUSTER_PORT=0 HOLDFAST_CLUSTER_SEED_NODES=127.0.0.1:%s \\
            #     HOLDFAST_ORDERS_SERVICE_PAYMENTS_SANDBOX_PORT=0 ./holdfast node --config %s
            """.formatted(httpPort + 1, clusterPort, file);
    }
}
