package io.holdfast.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code holdfast.http}.
 *
 * @param host address to listen on
 * @param port port to listen on, 0 for any free one
 * @param tokens caller's name by SHA-256 (hex) of its token; empty when everybody may call
 * @param tls key and certificate, if HTTPS is spoken
 */
public record HttpSection(String host, int port, Map<String, String> tokens, Optional<TlsSection> tls) {

    static HttpSection read(SettingsReader reader) {
        return new HttpSection(
                reader.text("host"),
                reader.integer("port", 0, 65535),
                tokens(reader),
                TlsSection.read(reader.section("tls")));
    }

    private static Map<String, String> tokens(SettingsReader reader) {
        Map<String, String> callers = new LinkedHashMap<>();
        for (String entry : reader.texts("tokens")) {
            String[] parts = entry.split(":", 2);
            if (parts.length != 2
                    || !parts[0].matches("[A-Za-z0-9._-]{1,64}")
                    || !parts[1].matches("[0-9a-f]{64}")) {
                throw reader.bad("tokens", "a list of name:hash, the name of A-Z a-z 0-9 . _ -, the hash as sha256sum prints it");
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
