package io.holdfast.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * {@code holdfast.postgres}.
 *
 * @param url JDBC URL
 * @param user role to log in as
 * @param password its password, or empty
 * @param startPatience how long start-up waits for the stores
 * @param connectTimeout for one connection
 * @param durability what must be on disk before a commit counts
 */
public record PostgresSection(
        String url, String user, Secret password, Duration startPatience, Duration connectTimeout, Durability durability) {

    /** Where a commit is on disk before it counts. */
    public enum Durability {
        /** On the primary. */
        LOCAL,
        /** On the primary and a standby: the loss of one machine loses nothing. */
        SYNCHRONOUS
    }

    private static final String SCHEME = "jdbc:postgresql:";
    private static final Set<String> ENCRYPTED = Set.of("require", "verify-ca", "verify-full");

    static PostgresSection read(SettingsReader reader) {
        String url = reader.text("url");
        if (!url.startsWith(SCHEME)) {
            throw reader.bad("url", "a JDBC URL that begins with " + SCHEME + "//");
        }
        Map<String, String> options = options(url);
        if (options.containsKey("password") || options.containsKey("user")) {
            throw reader.complaint("url", "user and password have settings of their own, where a password is kept out of logs");
        }
        if ("false".equals(options.get("raiseExceptionOnSilentRollback"))) {
            throw reader.complaint("url", "raiseExceptionOnSilentRollback=false reports commits that were rolled back as done; remove it");
        }
        return new PostgresSection(
                url,
                reader.text("user"),
                reader.secret("password"),
                reader.duration("start-patience", Duration.ZERO, Duration.ofHours(24)),
                reader.duration("connect-timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.choice("durability", Durability.class));
    }

    /** True when the URL insists on TLS. */
    public boolean encrypted() {
        return ENCRYPTED.contains(options(url).getOrDefault("sslmode", ""));
    }

    private static Map<String, String> options(String url) {
        Map<String, String> options = new LinkedHashMap<>();
        int question = url.indexOf('?');
        if (question >= 0) {
            for (String option : url.substring(question + 1).split("&")) {
                String[] parts = option.split("=", 2);
                options.put(parts[0], parts.length == 2 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "");
            }
        }
        return options;
    }
}
