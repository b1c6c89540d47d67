package io.holdfast.bench.report;

import io.holdfast.localstack.PostgresAddress;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Where a run took place.
 *
 * @param machine processor, cores, memory, kernel
 * @param versions of the JVM and of the servers, as they say themselves
 * @param durability the settings that decide whether an acknowledged write survives, read back from the servers
 */
public record Surroundings(Map<String, String> machine, Map<String, String> versions, Map<String, String> durability) {

    private static final List<String> POSTGRES = List.of("fsync", "synchronous_commit", "full_page_writes");
    private static final List<String> REDIS = List.of("appendonly", "appendfsync", "maxmemory-policy");
    private static final List<String> KAFKA =
            List.of("min.insync.replicas", "default.replication.factor", "log.flush.interval.messages");

    /** Asks the machine, PostgreSQL and Redis. */
    public static Surroundings of(PostgresAddress database, String redisUri) throws SQLException, IOException {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        Map<String, String> durability = new LinkedHashMap<>();
        try (Connection connection =
                DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            versions.put("postgres", asked(connection, "show server_version"));
            for (String name : POSTGRES) {
                durability.put("postgres." + name, asked(connection, "show " + name));
            }
        }
        RedisClient client = RedisClient.create(redisUri);
        try (var connection = client.connect()) {
            versions.put("redis", line(connection.sync().info("server").lines(), "redis_version:"));
            for (String name : REDIS) {
                durability.put(
                        "redis." + name, connection.sync().configGet(name).getOrDefault(name, "?"));
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
        return new Surroundings(ofMachine(), versions, durability);
    }

    /** The same where this Kafka takes part as well; what is sent to it by the product waits for all replicas. */
    public Surroundings withKafka(String bootstrapServers) throws InterruptedException {
        Map<String, String> allVersions = new LinkedHashMap<>(versions);
        Map<String, String> allDurability = new LinkedHashMap<>(durability);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Node broker = admin.describeCluster().nodes().get().iterator().next();
            var resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
            Config settings = Objects.requireNonNull(
                    admin.describeConfigs(List.of(resource)).all().get().get(resource));
            for (String name : KAFKA) {
                allDurability.put("kafka." + name, settings.get(name).value());
            }
            var level = admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("metadata.version");
            allVersions.put("kafka", "metadata.version " + (level == null ? "?" : level.maxVersionLevel()));
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka can't be asked what it is", e.getCause());
        }
        return new Surroundings(machine, allVersions, allDurability);
    }

    private static Map<String, String> ofMachine() throws IOException {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("cpu", line(lines("/proc/cpuinfo"), "model name").replaceFirst("^\\s*:\\s*", ""));
        machine.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        machine.put("memory", line(lines("/proc/meminfo"), "MemTotal:").strip());
        machine.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        return machine;
    }

    private static Stream<String> lines(String file) throws IOException {
        return Files.readAllLines(Path.of(file)).stream();
    }

    private static String line(Stream<String> lines, String start) {
        return lines.filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst()
                .orElse("?");
    }

    private static String asked(Connection connection, String question) throws SQLException {
        try (var statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }
}
