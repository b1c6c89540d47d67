package io.holdfast.localstack;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a PostgreSQL of ours is started with.
 *
 * @param folder holds everything of this server; made if absent
 * @param port the port on 127.0.0.1, or 0 for any free one
 * @param parameters further server parameters by name, for example {@code max_connections}; they win over the settings made
 *     here, except the durable ones
 */
public record PostgresSettings(Path folder, int port, Map<String, String> parameters) {

    public PostgresSettings {
        parameters = Map.copyOf(parameters);
    }

    /** Any free port, nothing special. */
    public static PostgresSettings in(Path folder) {
        return new PostgresSettings(folder, 0, Map.of());
    }

    public PostgresSettings withPort(int wanted) {
        return new PostgresSettings(folder, wanted, parameters);
    }

    public PostgresSettings withParameter(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new PostgresSettings(folder, port, more);
    }
}
