package io.holdfast.node;

import io.holdfast.config.Settings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Settings of a development node on free ports, given as the environment gives them. */
final class TestSettings {

    private TestSettings() {}

    static Settings with(Map<String, String> changes) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "HOLDFAST_NODE_MODE", "development",
                "HOLDFAST_HTTP_PORT", "0",
                "HOLDFAST_CLUSTER_PORT", "0",
                "HOLDFAST_POSTGRES_URL", "jdbc:postgresql://127.0.0.1:1/holdfast",
                "HOLDFAST_REDIS_URL", "redis://127.0.0.1:1"));
        environment.putAll(changes);
        return Settings.load(Optional.empty(), environment);
    }
}
