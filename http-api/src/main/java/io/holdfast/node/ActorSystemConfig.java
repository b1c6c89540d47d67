package io.holdfast.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.ClusterSection;
import io.holdfast.config.JournalSection;
import io.holdfast.config.PostgresSection;
import io.holdfast.config.Settings;
import io.holdfast.config.TlsSection;
import io.holdfast.engine.runtime.SameShards;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The actor system's configuration as it follows from the settings. */
final class ActorSystemConfig {

    private ActorSystemConfig() {}

    /**
     * The user's {@code pekko} section over what the settings say, over what the node and the engine need, over Pekko's own defaults.
     */
    static Config of(Settings settings) {
        return settings.pekko()
                .withFallback(ConfigFactory.parseMap(values(settings), "settings"))
                .withFallback(ConfigFactory.parseResources("holdfast-node.conf"))
                .withFallback(journalPlugin(settings.postgres().journal()))
                .withFallback(ConfigFactory.parseResources("holdfast-engine.conf"))
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
    }

    private static Map<String, Object> values(Settings settings) {
        ClusterSection cluster = settings.cluster();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("pekko.remote.artery.canonical.hostname", cluster.host());
        values.put("pekko.remote.artery.canonical.port", cluster.port());
        values.put("pekko.cluster.failure-detector.heartbeat-interval", text(cluster.heartbeatInterval()));
        values.put("pekko.cluster.failure-detector.acceptable-heartbeat-pause", text(cluster.silenceMax()));
        values.put("pekko.cluster.split-brain-resolver.stable-after", text(cluster.stableAfter()));
        values.put("pekko.cluster.down-removal-margin", text(cluster.removalMargin()));
        values.put(SameShards.SETTING, settings.entities().shards());
        values.put(
                "pekko.persistence.max-concurrent-recoveries",
                settings.entities().recoveries());
        values.putAll(journal(settings.postgres()));
        cluster.tls().ifPresent(tls -> values.putAll(tls(tls)));
        return values;
    }

    private static Config journalPlugin(JournalSection journal) {
        return switch (journal.dao()) {
            case GROUP_COMMIT -> ConfigFactory.empty();
            case STOCK -> ConfigFactory.parseResources("holdfast-stock-journal.conf");
        };
    }

    private static Map<String, Object> journal(PostgresSection postgres) {
        String pool = "jdbc-journal.slick.db.";
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(pool + "url", postgres.url());
        values.put(pool + "user", postgres.user().user());
        values.put(pool + "password", postgres.user().password().reveal());
        values.put(pool + "connectionTimeout", postgres.connectTimeout().toMillis());
        Sessions.properties(postgres, "holdfast journal")
                .forEach((name, value) -> values.put(pool + "properties." + name, value));
        values.putAll(
                switch (postgres.journal().dao()) {
                    case GROUP_COMMIT -> groupCommit(postgres.journal());
                    case STOCK -> stock(pool, postgres.pools().journal());
                });
        return values;
    }

    private static Map<String, Object> groupCommit(JournalSection journal) {
        String section = "holdfast-journal.";
        return Map.of(
                section + "writers", journal.writers(),
                section + "batch-rows", journal.batchRows(),
                section + "queue", journal.queue(),
                section + "statement-timeout", text(journal.statementTimeout()),
                section + "write-deadline", text(journal.writeDeadline()),
                section + "notify-interval", text(journal.notifyInterval()));
    }

    private static Map<String, Object> stock(String pool, int connections) {
        return Map.of(
                pool + "numThreads", connections,
                pool + "maxConnections", connections,
                pool + "minConnections", Math.min(2, connections));
    }

    private static Map<String, Object> tls(TlsSection tls) {
        String engine = "pekko.remote.artery.ssl.config-ssl-engine.";
        String password = tls.password().reveal();
        return Map.of(
                "pekko.remote.artery.transport",
                "tls-tcp",
                engine + "key-store",
                tls.keystore().toString(),
                engine + "key-store-password",
                password,
                engine + "key-password",
                password,
                engine + "trust-store",
                tls.keystore().toString(),
                engine + "trust-store-password",
                password,
                engine + "protocol",
                "TLSv1.3",
                engine + "enabled-algorithms",
                List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"),
                engine + "require-mutual-authentication",
                "on");
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
