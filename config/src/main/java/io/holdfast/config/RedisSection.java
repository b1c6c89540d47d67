package io.holdfast.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code holdfast.redis}.
 *
 * @param url where Redis is, and how to log in: not for logs, see {@link #shownUrl()}
 * @param commandTimeout after which an outcome is unknown
 * @param connectTimeout for one connection
 * @param authority PEM file with the certificates of those that sign the server's; empty: the JVM's own
 * @param probeInterval between checks of an open connection
 * @param queue unanswered calls per connection
 */
public record RedisSection(
        Secret url,
        Optional<Path> authority,
        Duration commandTimeout,
        Duration connectTimeout,
        Duration probeInterval,
        int queue) {

    private static final String NODE = "rediss?://\\S+";
    private static final String SENTINEL = "redis-sentinel://\\S+";

    static RedisSection read(SettingsReader reader) {
        String url = reader.text("url");
        if (!url.matches(SENTINEL) && !split(url).stream().allMatch(node -> node.matches(NODE))) {
            throw reader.bad(
                    "url",
                    "redis://..., rediss://..., redis-sentinel://..., or several redis(s)://... with commas between");
        }
        return new RedisSection(
                new Secret(url),
                reader.section("tls").file("authority"),
                reader.duration("command-timeout", Duration.ofMillis(10), Duration.ofMinutes(1)),
                reader.duration("connect-timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.duration("probe-interval", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.integer("queue", 1, 1_000_000));
    }

    /** One URI, or the nodes of a cluster. */
    public List<String> uris() {
        return split(url.reveal());
    }

    /** True when Sentinels say which server is the primary, and may put another in its place. */
    public boolean sentinel() {
        return url.reveal().matches(SENTINEL);
    }

    /** True when every connection speaks TLS. */
    public boolean encrypted() {
        return uris().stream().allMatch(uri -> uri.startsWith("rediss://"));
    }

    /** True when every connection logs in with a password. */
    public boolean authenticated() {
        return uris().stream().allMatch(uri -> uri.matches("[a-z-]+://[^/@]+@.*"));
    }

    /** The URL without what logs in. */
    public String shownUrl() {
        return url.reveal().replaceAll("//[^/@]*@", "//");
    }

    /** A comma before a scheme separates nodes; the commas of a Sentinel URL stay. */
    private static List<String> split(String url) {
        return List.of(url.split("\\s*,\\s*(?=rediss?://)"));
    }
}
