package io.holdfast.node;

import io.holdfast.config.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Settings of a development node on free ports, given as the environment gives them. */
final class TestSettings {

    /** Nearly every test forms a cluster and leaves it: its rounds come sooner than the usual second. */
    private static final String QUICK_ROUNDS = """
        pekko.cluster { periodic-tasks-initial-delay = 200ms, gossip-interval = 200ms, leader-actions-interval = 200ms }
        """;

    private static final Path ROUNDS_FILE = written();

    private TestSettings() {}

    private static Path written() {
        try {
            return Files.writeString(Files.createTempFile("rounds", ".conf"), QUICK_ROUNDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Settings with(Map<String, String> changes) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOLDFAST_NODE_MODE", "development",
                "HOLDFAST_HTTP_PORT", "0",
                "HOLDFAST_CLUSTER_PORT", "0",
                "HOLDFAST_POSTGRES_URL", "jdbc:postgresql://127.0.0.1:1/holdfast",
                "HOLDFAST_REDIS_URL", "redis://127.0.0.1:1"));
        environment.putAll(changes);
        return Settings.load(Optional.of(ROUNDS_FILE), environment);
    }
}
