package io.holdfast.bench;

import io.holdfast.bench.gauge.Meters;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.LocalStackSettings;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** PostgreSQL and Redis of the bench's own, durable, in a folder that goes with them. */
public final class Stores implements AutoCloseable {

    private final Path folder;
    private final LocalStack stack;

    private Stores(Path folder, LocalStack stack) {
        this.folder = folder;
        this.stack = stack;
    }

    /** Starts them. */
    public static Stores start() throws IOException {
        Path folder = Files.createTempDirectory("holdfast-bench");
        return new Stores(folder, LocalStack.start(LocalStackSettings.in(folder.resolve("stores"))));
    }

    /** The PostgreSQL. */
    public PostgresServer postgres() {
        return stack.postgres().orElseThrow();
    }

    /** The Redis. */
    public RedisServer redis() {
        return stack.redis().orElseThrow();
    }

    /** Bootstrap servers of a Kafka, which is started when it is first asked for. */
    public String kafka() {
        return stack.startKafka();
    }

    /** A new empty database. */
    public PostgresAddress database(String name) {
        return new PostgresAddress(
                postgres().createDatabase(name), postgres().user(), postgres().password());
    }

    /** Meters of this JVM and of the servers that run: Kafka's once it was asked for. */
    public Meters meters() {
        return new Meters(
                postgres().pid(),
                redis().pid(),
                stack.kafka().stream().mapToLong(KafkaServer::pid).findFirst());
    }

    /** For what else a run writes. */
    public Path folder() {
        return folder;
    }

    @Override
    public void close() throws IOException {
        stack.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
