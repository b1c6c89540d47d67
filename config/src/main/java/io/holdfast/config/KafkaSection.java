package io.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code holdfast.kafka}.
 *
 * @param enabled whether this node speaks with Kafka at all
 * @param bootstrapServers brokers, as host:port with commas between; empty only where it is not enabled
 * @param security how the connection is secured
 * @param group consumer group; empty: made of the fleet's name
 * @param sessionTimeout after this long a node that died is missed
 * @param topics what the topics are called
 * @param concurrency reservations asked at a time
 * @param buffer events of one partition taken up while an older one is not done with
 * @param largestEvent bytes
 * @param ignoredTypes types of events that are meant for others
 * @param retryFirst wait before an event is delivered again, at first
 * @param retryLongest and at most
 */
public record KafkaSection(
        boolean enabled,
        String bootstrapServers,
        Security security,
        Optional<String> group,
        Duration sessionTimeout,
        Topics topics,
        int concurrency,
        int buffer,
        int largestEvent,
        Set<String> ignoredTypes,
        Duration retryFirst,
        Duration retryLongest) {

    private static final String SERVER = "[A-Za-z0-9._-]+:\\d{1,5}|\\[[0-9A-Fa-f:]+\\]:\\d{1,5}";
    private static final String TOPIC = "[A-Za-z0-9._-]{1,200}";

    /** How a connection is secured. */
    public enum Protocol {
        /** TLS. */
        SSL,
        /** TLS, and a login. */
        SASL_SSL,
        /** A login in the clear. */
        SASL_PLAINTEXT,
        /** Nothing. */
        PLAINTEXT
    }

    /** How a login is proven. */
    public enum Mechanism {
        SCRAM_SHA_512("SCRAM-SHA-512"),
        SCRAM_SHA_256("SCRAM-SHA-256"),
        PLAIN("PLAIN");

        private final String wireName;

        Mechanism(String wireName) {
            this.wireName = wireName;
        }

        /** The name Kafka has for it. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * How the connection is secured.
     *
     * @param authority PEM file with the certificates of the authorities brokers are signed by; empty: the JVM's own
     * @param client key and certificate of this client, where brokers ask for one
     */
    public record Security(
            Protocol protocol,
            Optional<Path> authority,
            Optional<TlsSection> client,
            Mechanism mechanism,
            String user,
            Secret password) {

        static Security read(SettingsReader reader) {
            SettingsReader tls = reader.section("tls");
            SettingsReader sasl = reader.section("sasl");
            var security = new Security(
                    reader.choice("protocol", Protocol.class),
                    tls.file("authority"),
                    TlsSection.read(tls),
                    sasl.choice("mechanism", Mechanism.class),
                    sasl.optionalText("user").orElse(""),
                    sasl.secret("password"));
            if (security.login() == security.user().isEmpty()) {
                throw sasl.complaint(
                        "user",
                        security.login()
                                ? "protocol names a login, but no user is set"
                                : "a user is set, but protocol names no login");
            }
            return security;
        }

        /** Whether it logs in. */
        public boolean login() {
            return switch (protocol) {
                case SASL_SSL, SASL_PLAINTEXT -> true;
                case SSL, PLAINTEXT -> false;
            };
        }

        /** Whether it speaks TLS. */
        public boolean encrypted() {
            return switch (protocol) {
                case SSL, SASL_SSL -> true;
                case SASL_PLAINTEXT, PLAINTEXT -> false;
            };
        }
    }

    /** What the topics are called. */
    public record Topics(String orders, String schedule, String stockChange, String lifecycle, String orderRequests) {

        static Topics read(SettingsReader reader) {
            var topics = new Topics(
                    topic(reader, "orders"),
                    topic(reader, "schedule"),
                    topic(reader, "stock-change"),
                    topic(reader, "lifecycle"),
                    topic(reader, "order-requests"));
            if (Set.copyOf(List.of(
                                    topics.orders,
                                    topics.schedule,
                                    topics.stockChange,
                                    topics.lifecycle,
                                    topics.orderRequests))
                            .size()
                    < 5) {
                throw reader.complaint("orders", "two topics must not have one name");
            }
            return topics;
        }

        private static String topic(SettingsReader reader, String name) {
            String topic = reader.text(name);
            if (!topic.matches(TOPIC)) {
                throw reader.bad(name, "letters, digits and . _ -, at most 200");
            }
            return topic;
        }
    }

    static KafkaSection read(SettingsReader reader) {
        boolean enabled = reader.flag("enabled");
        Optional<String> servers = reader.optionalText("bootstrap-servers");
        if (enabled && servers.isEmpty()) {
            throw reader.missing("bootstrap-servers");
        }
        servers.ifPresent(given -> {
            for (String server : given.split("\\s*,\\s*", -1)) {
                if (!server.matches(SERVER)) {
                    throw reader.bad("bootstrap-servers", "host:port, several with commas between");
                }
            }
        });
        var section = new KafkaSection(
                enabled,
                servers.orElse(""),
                Security.read(reader),
                reader.optionalText("group"),
                reader.duration("session-timeout", Duration.ofSeconds(6), Duration.ofMinutes(30)),
                Topics.read(reader.section("topics")),
                reader.integer("concurrency", 1, 10_000),
                reader.integer("buffer", 1, 10_000),
                (int) reader.bytes("largest-event", 256, 1024 * 1024),
                Set.copyOf(reader.texts("ignored-types")),
                reader.duration("retry-first", Duration.ofMillis(10), Duration.ofMinutes(1)),
                reader.duration("retry-longest", Duration.ofMillis(10), Duration.ofHours(1)));
        reader.atLeast("retry-longest", section.retryLongest(), "retry-first", section.retryFirst());
        return section;
    }
}
