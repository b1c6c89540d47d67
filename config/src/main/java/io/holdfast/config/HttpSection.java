package io.holdfast.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code holdfast.http}.
 *
 * @param host address to listen on
 * @param port port to listen on, 0 for any free one
 * @param tokens who may call; everybody may where it is empty and there is no jwt
 * @param jwt which signed tokens are taken
 * @param rates how often callers may call
 * @param patience how long callers wait
 * @param limits what requests may cost
 * @param tls key and certificate, if HTTPS is spoken
 */
public record HttpSection(
        String host,
        int port,
        List<TokenEntry> tokens,
        Optional<JwtSection> jwt,
        RatesSection rates,
        Patience patience,
        Limits limits,
        Optional<TlsSection> tls) {

    /** Whether everybody may call. */
    public boolean open() {
        return tokens.isEmpty() && jwt.isEmpty();
    }

    private static final String TOKENS = "tokens";

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
     * @param headTime for the head of a request to arrive
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
            Duration headTime,
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
                    reader.duration("head-time", Duration.ofMillis(100), Duration.ofMinutes(10)),
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
                JwtSection.read(reader.section("jwt")),
                RatesSection.read(reader.section("rates")),
                Patience.read(reader.section("patience")),
                Limits.read(reader.section("limits")),
                TlsSection.read(reader.section("tls")));
    }

    private static List<TokenEntry> tokens(SettingsReader reader) {
        List<TokenEntry> callers = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String entry : reader.texts(TOKENS)) {
            TokenEntry caller = TokenEntry.parse(reader, TOKENS, entry);
            if (!seen.add("name " + caller.name()) || !seen.add("hash " + caller.sha256())) {
                throw reader.complaint(TOKENS, "the same token or the same name is given twice");
            }
            callers.add(caller);
        }
        return List.copyOf(callers);
    }

    @Override
    public String toString() {
        return "HttpSection[" + host + ":" + port + ", callers " + tokens + ", tls " + tls + "]";
    }
}
