package io.holdfast.config;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;

/**
 * {@code holdfast.redis}.
 *
 * @param url where Redis is, and how to log in: not for logs, see {@link #shownUrl()}
 * @param commandTimeout after which an outcome is unknown
 * @param connectTimeout for one connection
 */
public record RedisSection(Secret url, Duration commandTimeout, Duration connectTimeout) {

    private static final Set<String> SCHEMES = Set.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");

    static RedisSection read(SettingsReader reader) {
        String url = reader.text("url");
        if (Arrays.stream(url.split(",")).limit(1).noneMatch(RedisSection::wellFormed)) {
            throw reader.bad("url", "redis://..., rediss://..., redis-sentinel://... or rediss-sentinel://...");
        }
        return new RedisSection(
                new Secret(url),
                reader.duration("command-timeout", Duration.ofMillis(10), Duration.ofMinutes(1)),
                reader.duration("connect-timeout", Duration.ofMillis(10), Duration.ofMinutes(1)));
    }

    /** True when the URL speaks TLS. */
    public boolean encrypted() {
        return url.reveal().startsWith("rediss");
    }

    /** True when the URL logs in with a password. */
    public boolean authenticated() {
        return url.reveal().matches("[a-z-]+://[^/@]+@.*");
    }

    /** The URL without what logs in. */
    public String shownUrl() {
        return url.reveal().replaceAll("//[^/@]*@", "//");
    }

    private static boolean wellFormed(String url) {
        return url.contains("://") && SCHEMES.contains(url.substring(0, url.indexOf("://"))) && URI.create(url).getRawAuthority() != null;
    }
}
