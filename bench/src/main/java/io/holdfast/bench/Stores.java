package io.holdfast.bench;

import io.holdfast.bench.gauge.Meters;
import io.holdfast.localstack.LocalStack;
import io.holdfast.localstack.LocalStackSettings;
import io.holdfast.localstack.PostgresAddress;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** PostgreSQL and Redis of the bench's own, durable, in a folder that goes with them. */
final class Stores implements AutoCloseable {

    private final Path folder;
    private final LocalStack stack;

    private Stores(Path folder, LocalStack stack) {
        this.folder = folder;
        this.stack = stack;
    }

    static Stores start() throws IOException {
        Path folder = Files.createTempDirectory("holdfast-bench");
        return new Stores(folder, LocalStack.start(LocalStackSettings.in(folder.resolve("stores"))));
    }

    PostgresServer postgres() {
        return stack.postgres().orElseThrow();
    }

    RedisServer redis() {
        return stack.redis().orElseThrow();
    }

    /** A new empty database. */
    PostgresAddress database(String name) {
        return new PostgresAddress(
                postgres().createDatabase(name), postgres().user(), postgres().password());
    }

    Meters meters() {
        return new Meters(postgres().pid(), redis().pid(), OptionalLong.empty());
    }

    /** For what else a run writes. */
    Path folder() {
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
