package io.holdfast.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code holdfast.http}.
 *
 * @param host address to listen on
 * @param port port to listen on, 0 for any free one
 * @param tokens caller's name by SHA-256 (hex) of its token; empty when everybody may call
 * @param patience how long callers wait
 * @param limits what requests may cost
 * @param tls key and certificate, if HTTPS is spoken
 */
public record HttpSection(
        String host, int port, Map<String, String> tokens, Patience patience, Limits limits, Optional<TlsSection> tls) {

    /**
     * How long callers wait.
     *
     * @param usual when they say nothing about it
     * @param most what they may ask for
     */
    public record Patience(Duration usual, Duration most) {
        static Patience read(SettingsReader reader) {
            var patience = new Patience(
                    reader.duration("usual", Duration.ZERO, Duration.ofMinutes(5)),
                    reader.duration("most", Duration.ofSeconds(1), Duration.ofMinutes(5)));
            reader.atLeast("most", patience.most(), "usual", patience.usual());
            return patience;
        }
    }

    /**
     * What requests may cost.
     *
     * @param body bytes of one
     * @param bodyTime for it to arrive
     * @param connections open at a time
     * @param backlog of those that wait to be accepted
     * @param queries waiting for a thread
     * @param queryThreads that serve them
     * @param orderLines of one order in one request
     * @param linesTogether of those, if they are to be held all or nothing
     */
    public record Limits(
            int body,
            Duration bodyTime,
            int connections,
            int backlog,
            int queries,
            int queryThreads,
            int orderLines,
            int linesTogether) {
        static Limits read(SettingsReader reader) {
            return new Limits(
                    (int) reader.bytes("body", 256, 1024 * 1024),
                    reader.duration("body-time", Duration.ofMillis(100), Duration.ofMinutes(5)),
                    reader.integer("connections", 1, 65535),
                    reader.integer("backlog", 1, 65535),
                    reader.integer("queries", 1, 100_000),
                    reader.integer("query-threads", 1, 256),
                    reader.integer("order-lines", 1, 200),
                    reader.integer("lines-together", 2, 50));
        }
    }

    static HttpSection read(SettingsReader reader) {
        return new HttpSection(
                reader.text("host"),
                reader.integer("port", 0, 65535),
                tokens(reader),
                Patience.read(reader.section("patience")),
                Limits.read(reader.section("limits")),
                TlsSection.read(reader.section("tls")));
    }

    private static Map<String, String> tokens(SettingsReader reader) {
        Map<String, String> callers = new LinkedHashMap<>();
        for (String entry : reader.texts("tokens")) {
            String[] parts = entry.split(":", 2);
            if (parts.length != 2 || !parts[0].matches("[A-Za-z0-9._-]{1,64}") || !parts[1].matches("[0-9a-f]{64}")) {
                throw reader.bad(
                        "tokens",
                        "a list of name:hash, the name of A-Z a-z 0-9 . _ -, the hash as sha256sum prints it");
            }
            if (callers.containsValue(parts[0]) || callers.put(parts[1], parts[0]) != null) {
                throw reader.complaint("tokens", "the same token or the same name is given twice");
            }
        }
        return Map.copyOf(callers);
    }

    @Override
    public String toString() {
        return "HttpSection[" + host + ":" + port + ", callers " + tokens.values() + ", tls " + tls + "]";
    }
}
