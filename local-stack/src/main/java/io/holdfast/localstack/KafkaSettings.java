package io.holdfast.localstack;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a Kafka of ours is started with.
 *
 * @param folder holds everything of this server; made if absent
 * @param port the broker's port on 127.0.0.1, or 0 for any free one
 * @param properties further broker properties; they win over the settings made here
 */
public record KafkaSettings(Path folder, int port, Map<String, String> properties) {

    public KafkaSettings {
        properties = Map.copyOf(properties);
    }

    /** Any free port, nothing special. */
    public static KafkaSettings in(Path folder) {
        return new KafkaSettings(folder, 0, Map.of());
    }

    public KafkaSettings withPort(int wanted) {
        return new KafkaSettings(folder, wanted, properties);
    }

    public KafkaSettings withProperty(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(properties);
        more.put(name, value);
        return new KafkaSettings(folder, port, more);
    }
}
