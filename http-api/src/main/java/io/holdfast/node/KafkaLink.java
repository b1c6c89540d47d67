package io.holdfast.node;

import io.holdfast.config.KafkaSection;
import io.holdfast.config.NodeSection;
import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import io.holdfast.config.TlsSection;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.messaging.kafka.KafkaSettings;
import io.holdfast.messaging.kafka.TopicNames;
import io.holdfast.messaging.kafka.Topics;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the settings mean to Kafka's clients, and whether the broker is there and has what is needed. */
final class KafkaLink {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaLink.class);
    private static final int NEW_PARTITIONS = 4;

    private KafkaLink() {}

    /** Empty where this node does not speak with Kafka. */
    static Optional<KafkaSettings> settings(Settings settings) {
        KafkaSection section = settings.kafka();
        if (!section.enabled()) {
            return Optional.empty();
        }
        String name = settings.node().name();
        KafkaSection.Topics topics = section.topics();
        var names = new TopicNames(
                topics.orders(), topics.schedule(), topics.stockChange(), topics.lifecycle(), topics.orderRequests());
        return Optional.of(new KafkaSettings(
                connection(section),
                section.group().orElse("holdfast-" + name),
                section.sessionTimeout(),
                "/holdfast/" + name,
                settings.orders().service().builtIn() ? names.makingOrders() : names,
                section.concurrency(),
                section.buffer(),
                section.largestEvent(),
                section.ignoredTypes(),
                new Backoff(section.retryFirst(), section.retryLongest(), 2, 0.2)));
    }

    /**
     * Insists that the topics exist; a development node creates them. A broker that is away is no reason not to start: holds don't need it.
     *
     * @throws SettingsException if the broker says that topics are missing
     */
    static void prepare(Settings settings, KafkaSettings kafka) {
        var topics = new Topics(kafka);
        try {
            newPartitions(settings).ifPresent(topics::create);
            List<String> missing = topics.missing();
            if (!missing.isEmpty()) {
                throw new SettingsException(
                        "Kafka at " + kafka.shownServers() + " has no topic " + Topics.shown(missing)
                                + ": create what is missing, or name others under holdfast.kafka.topics.");
            }
        } catch (KafkaException e) {
            LOG.warn(
                    "Kafka at {} does not answer; the node starts without it and goes on trying ({})",
                    kafka.shownServers(),
                    e.getMessage());
        }
    }

    /** Of topics that this node creates: only one for development does. */
    static OptionalInt newPartitions(Settings settings) {
        return settings.node().mode() == NodeSection.Mode.DEVELOPMENT
                ? OptionalInt.of(NEW_PARTITIONS)
                : OptionalInt.empty();
    }

    private static Map<String, String> connection(KafkaSection section) {
        KafkaSection.Security security = section.security();
        Map<String, String> properties = new HashMap<>();
        properties.put("bootstrap.servers", section.bootstrapServers());
        properties.put("security.protocol", security.protocol().name());
        security.authority().map(Path::toString).ifPresent(file -> {
            properties.put("ssl.truststore.type", "PEM");
            properties.put("ssl.truststore.location", file);
        });
        security.client().ifPresent(client -> keystore(properties, client));
        if (security.login()) {
            properties.put("sasl.mechanism", security.mechanism().wireName());
            properties.put(
                    "sasl.jaas.config",
                    module(security.mechanism()) + " required username=" + quoted(security.user()) + " password="
                            + quoted(security.password().reveal()) + ";");
        }
        return properties;
    }

    private static void keystore(Map<String, String> properties, TlsSection client) {
        properties.put("ssl.keystore.type", "PKCS12");
        properties.put("ssl.keystore.location", client.keystore().toString());
        properties.put("ssl.keystore.password", client.password().reveal());
        properties.put("ssl.key.password", client.password().reveal());
    }

    private static String module(KafkaSection.Mechanism mechanism) {
        return switch (mechanism) {
            case PLAIN -> "org.apache.kafka.common.security.plain.PlainLoginModule";
            case SCRAM_SHA_256, SCRAM_SHA_512 -> "org.apache.kafka.common.security.scram.ScramLoginModule";
        };
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
