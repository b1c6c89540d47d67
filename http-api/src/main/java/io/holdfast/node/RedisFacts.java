package io.holdfast.node;

import io.holdfast.config.Danger;
import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a Redis says about itself in {@code INFO}. */
record RedisFacts(Map<String, String> info) {

    RedisFacts {
        info = Map.copyOf(info);
    }

    /** From the text that {@code INFO} answers. */
    static RedisFacts of(String text) {
        Map<String, String> info = new HashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                info.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        }
        return new RedisFacts(info);
    }

    /** True while it still reads its files: it will answer later. */
    boolean loading() {
        return "1".equals(fact("loading"));
    }

    /**
     * Whether this node may run on such a server.
     *
     * @return one line to warn with, if it may although it is not safe
     * @throws SettingsException if it may not
     */
    Optional<String> judge(Settings node) {
        if (!recent()) {
            throw new SettingsException(
                    "holdfast.redis.url leads to Redis " + fact("redis_version") + ": use version 6.2 or newer.");
        }
        if ("slave".equals(fact("role"))) {
            throw new SettingsException(
                    "holdfast.redis.url leads to a replica, which can't be written to: use the primary, or a"
                            + " redis-sentinel:// URL that finds it.");
        }
        if (!"noeviction".equals(fact("maxmemory_policy"))) {
            throw new SettingsException("Redis would throw stock away when it is full (maxmemory-policy is "
                    + fact("maxmemory_policy") + "): set maxmemory-policy noeviction there.");
        }
        List<String> warnings = new ArrayList<>();
        if (!"1".equals(fact("aof_enabled"))) {
            if (node.refuses(Danger.VOLATILE_REDIS)) {
                throw Danger.VOLATILE_REDIS.refusal();
            }
            warnings.add("Redis forgets all stock when it restarts: appendonly is off.");
        }
        if (node.redis().sentinel() && !fenced()) {
            if (node.refuses(Danger.UNFENCED_REDIS)) {
                throw Danger.UNFENCED_REDIS.refusal();
            }
            warnings.add("A Redis that was replaced may sell the same stock again: min-replicas-to-write is 0.");
        }
        return warnings.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", warnings));
    }

    /** True for a node of a Redis Cluster. Valkey has another name for it than Redis. */
    boolean inCluster() {
        return "cluster".equals(fact("redis_mode")) || "cluster".equals(fact("server_mode"));
    }

    /** Whether it refuses to write while no replica follows: only then INFO counts the good ones. */
    private boolean fenced() {
        return info.containsKey("min_slaves_good_slaves");
    }

    private boolean recent() {
        String[] parts = fact("redis_version").split("\\.", -1);
        int major = parts.length > 0 && parts[0].matches("\\d{1,4}") ? Integer.parseInt(parts[0]) : 0;
        int minor = parts.length > 1 && parts[1].matches("\\d{1,4}") ? Integer.parseInt(parts[1]) : 0;
        return major > 6 || (major == 6 && minor >= 2);
    }

    private String fact(String name) {
        return info.getOrDefault(name, "");
    }
}
