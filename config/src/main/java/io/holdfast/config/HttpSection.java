package io.holdfast.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code holdfast.http}.
 *
 * @param host address to listen on
 * @param port port to listen on, 0 for any free one
 * @param tokens caller's name by token; empty when everybody may call
 * @param tls key and certificate, if HTTPS is spoken
 */
public record HttpSection(String host, int port, Map<String, String> tokens, Optional<TlsSection> tls) {

    private static final int TOKEN_LENGTH_MIN = 16;

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
                    || !parts[1].matches("[\\x21-\\x7e]{" + TOKEN_LENGTH_MIN + ",256}")) {
                throw reader.bad("tokens", "a list of name:token, the name of A-Z a-z 0-9 . _ -, the token of " + TOKEN_LENGTH_MIN
                        + " to 256 printable characters without blanks");
            }
            if (callers.put(parts[1], parts[0]) != null) {
                throw reader.complaint("tokens", "the same token is given to two callers");
            }
        }
        return Map.copyOf(callers);
    }

    @Override
    public String toString() {
        return "HttpSection[" + host + ":" + port + ", callers " + tokens.values() + ", tls " + tls + "]";
    }
}
