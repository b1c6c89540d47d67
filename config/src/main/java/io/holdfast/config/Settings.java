package io.holdfast.config;

import com.typesafe.config.Config;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All settings of one node, validated.
 *
 * @param node what the node is for
 * @param http the API
 * @param postgres the database of journals and views
 * @param redis the stock
 * @param kafka events in and messages out
 * @param cluster the other nodes
 * @param entities bounds of the runtime
 * @param projections bounds of the read side
 * @param sweeper the safety net
 * @param reservation times of holds
 * @param days when pools of business days come and go
 * @param reconciliation bounds of comparing Redis with the journals
 * @param compensation how stock that goes back is recorded, and who resolves what is contradicted
 * @param gate what ids of admissions are made with
 * @param orders whom to ask for news of overdue holds, and who decides orders
 * @param streams bounds of streams of events
 * @param uploads bounds of uploads of pools
 * @param webhooks bounds of calling others
 * @param security what is allowed although it is not safe
 * @param logging how lines are written
 * @param pekko what the user's file says about the actor system, unchecked
 */
public record Settings(
        NodeSection node,
        HttpSection http,
        PostgresSection postgres,
        RedisSection redis,
        KafkaSection kafka,
        ClusterSection cluster,
        EntitiesSection entities,
        ProjectionsSection projections,
        SweeperSection sweeper,
        ReservationSection reservation,
        DaysSection days,
        ReconciliationSection reconciliation,
        CompensationSection compensation,
        GateSection gate,
        OrdersSection orders,
        StreamsSection streams,
        UploadsSection uploads,
        WebhooksSection webhooks,
        SecuritySection security,
        LoggingSection logging,
        Config pekko) {

    /**
     * Reads the reference file, the user's file over it, and the environment over both.
     *
     * @throws SettingsException with one line, if anything is wrong, unknown or missing, or not safe enough for production
     */
    public static Settings load(Optional<Path> file, Map<String, String> environment) {
        Config all = SettingsFile.load(file, environment);
        var reader = new SettingsReader(all);
        Settings settings = read(reader, SettingsFile.pekko(all));
        settings.requireRelations(reader);
        settings.refusedDangers().stream().findFirst().ifPresent(danger -> {
            throw danger.refusal();
        });
        return settings;
    }

    static Settings read(SettingsReader reader, Config pekko) {
        return new Settings(
                NodeSection.read(reader.section("node")),
                HttpSection.read(reader.section("http")),
                PostgresSection.read(reader.section("postgres")),
                RedisSection.read(reader.section("redis")),
                KafkaSection.read(reader.section("kafka")),
                ClusterSection.read(reader.section("cluster")),
                EntitiesSection.read(reader.section("entities")),
                ProjectionsSection.read(reader.section("projections")),
                SweeperSection.read(reader.section("sweeper")),
                ReservationSection.read(reader.section("reservation")),
                DaysSection.read(reader.section("days")),
                ReconciliationSection.read(reader.section("reconciliation")),
                CompensationSection.read(reader.section("compensation")),
                GateSection.read(reader.section("gate")),
                OrdersSection.read(reader.section("orders")),
                StreamsSection.read(reader.section("streams")),
                UploadsSection.read(reader.section("uploads")),
                WebhooksSection.read(reader.section("webhooks")),
                SecuritySection.read(reader.section("security")),
                LoggingSection.read(reader.section("logging")),
                pekko);
    }

    /** True when this danger stops this node. */
    public boolean refuses(Danger danger) {
        return switch (node.mode()) {
            case PRODUCTION -> !security.allow().contains(danger);
            case DEVELOPMENT -> false;
        };
    }

    /** Connections for whoever is not a query: comparisons of pools, what is measured, streams of events, and calls to
     * webhooks.
     */
    private static final int OTHER_THAN_QUERIES = 4;

    /** Events that name nobody, and those that wait. */
    private static final int OF_EVENTS = 2;

    private void requireRelations(SettingsReader reader) {
        reader.section("reservation")
                .atLeast(
                        "attempt-timeout",
                        reservation.attemptTimeout(),
                        "redis.command-timeout",
                        redis.commandTimeout());
        reader.section("sweeper")
                .atLeast("grace", sweeper.grace(), "reservation.attempt-timeout", reservation.attemptTimeout());
        reader.section("entities")
                .atLeast(
                        "wake-horizon",
                        entities.wakeHorizon(),
                        "sweeper.ahead.lead",
                        sweeper.ahead().lead());
        if (node.mode() == NodeSection.Mode.PRODUCTION && gate.knownToEverybody()) {
            throw reader.section("gate")
                    .complaint("secrets", "the secret of development is in our source, so production needs others");
        }
        if (orders.service().builtIn() && !kafka.enabled()) {
            throw reader.section("orders.service")
                    .complaint(
                            "kind", "the built-in order service is asked and answers through Kafka: set kafka.enabled");
        }
        int others = OTHER_THAN_QUERIES + (kafka.enabled() ? OF_EVENTS : 0);
        int wanted = http.limits().queryThreads() + others;
        if (postgres.pools().views() < wanted) {
            throw reader.section("postgres")
                    .complaint(
                            "view-connections",
                            "it must be at least http.limits.query-threads and " + others + " more (" + wanted + ")");
        }
    }

    private Set<Danger> refusedDangers() {
        Set<Danger> dangers = EnumSet.noneOf(Danger.class);
        if (http.open()) {
            dangers.add(Danger.OPEN_HTTP);
        }
        if (http.jwt().filter(jwt -> !jwt.encrypted()).isPresent()) {
            dangers.add(Danger.PLAIN_KEYS);
        }
        if (http.tls().isEmpty()) {
            dangers.add(Danger.PLAIN_HTTP);
        }
        if (!postgres.encrypted()) {
            dangers.add(Danger.PLAIN_POSTGRES);
        }
        if (!redis.encrypted() || !redis.authenticated()) {
            dangers.add(Danger.PLAIN_REDIS);
        }
        if (kafka.enabled() && !kafka.security().encrypted()) {
            dangers.add(Danger.PLAIN_KAFKA);
        }
        if (cluster.tls().isEmpty() && cluster.reachable()) {
            dangers.add(Danger.PLAIN_CLUSTER);
        }
        if (!orders.encrypted()) {
            dangers.add(Danger.PLAIN_ORDERS);
        }
        if (!orders.service().encrypted()) {
            dangers.add(Danger.PLAIN_PAYMENTS);
        }
        if (orders.service().sandboxed()) {
            dangers.add(Danger.SANDBOX_PAYMENTS);
        }
        dangers.removeIf(danger -> !refuses(danger));
        return dangers;
    }
}
