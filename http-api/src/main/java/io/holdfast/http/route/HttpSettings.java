package io.holdfast.http.route;

import io.holdfast.http.access.Caller;
import io.holdfast.http.access.RateLimits;
import io.holdfast.http.token.JwtSettings;
import io.holdfast.json.JsonLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the HTTP side listens and what it accepts. Refuses values that can't work, naming each.
 *
 * @param host interface to listen on
 * @param port port to listen on; 0 takes a free one
 * @param limits what one request may cost
 * @param patience how long a caller waits for an answer
 * @param access who may call
 * @param rates how often
 */
public record HttpSettings(String host, int port, Limits limits, Patience patience, Access access, RateLimits rates) {

    /** Everybody as often as they like. */
    public HttpSettings(String host, int port, Limits limits, Patience patience, Access access) {
        this(host, port, limits, patience, access, RateLimits.NONE);
    }

    /**
     * What one request, and all of them together, may cost.
     *
     * @param bodyBytes largest body; a larger one is refused with BODY_TOO_LARGE before it is read whole
     * @param bodyTime how long a body may take to arrive
     * @param headTime how long a connection may take to bring the head of a request, from its start or the answer before; then it is cut
     * @param json what one JSON document may contain
     * @param connections open connections; beyond, new ones wait in the kernel's queue
     * @param backlog how many may wait there, as far as the kernel lets them
     * @param queries list, journal and metrics requests that may be waiting for a thread; beyond, they are refused with TOO_BUSY
     * @param queryThreads threads that serve those requests, one each
     * @param orderLines lines of one order that one request may ask for
     * @param linesTogether lines that one request may ask to be held all or not at all
     */
    public record Limits(
            int bodyBytes,
            Duration bodyTime,
            Duration headTime,
            JsonLimits json,
            int connections,
            int backlog,
            int queries,
            int queryThreads,
            int orderLines,
            int linesTogether) {

        /** 16 KiB bodies within 5 s, heads within a minute, 1024 connections and 4096 in the queue, 256 waiting queries on 4 threads, 50 lines of an order, 20 together. */
        public static final Limits DEFAULT = new Limits(
                16 * 1024,
                Duration.ofSeconds(5),
                Duration.ofMinutes(1),
                JsonLimits.DEFAULT,
                1024,
                4096,
                256,
                4,
                50,
                20);

        /** Heads within a minute. */
        public Limits(
                int bodyBytes,
                Duration bodyTime,
                JsonLimits json,
                int connections,
                int backlog,
                int queries,
                int queryThreads,
                int orderLines,
                int linesTogether) {
            this(
                    bodyBytes,
                    bodyTime,
                    Duration.ofMinutes(1),
                    json,
                    connections,
                    backlog,
                    queries,
                    queryThreads,
                    orderLines,
                    linesTogether);
        }

        public Limits {
            var wrong = new ArrayList<String>();
            check(wrong, bodyBytes >= 256 && bodyBytes <= 1024 * 1024, "body bytes must be 256 to 1048576", bodyBytes);
            check(wrong, positive(bodyTime), "body time must be positive", bodyTime);
            check(wrong, positive(headTime), "head time must be positive", headTime);
            check(wrong, connections >= 1, "connections must be at least 1", connections);
            check(wrong, backlog >= 1, "the backlog must be at least 1", backlog);
            check(wrong, queries >= 1, "queries must be at least 1", queries);
            check(wrong, queryThreads >= 1, "query threads must be at least 1", queryThreads);
            check(wrong, orderLines >= 1 && orderLines <= 200, "order lines must be 1 to 200", orderLines);
            check(wrong, linesTogether >= 2 && linesTogether <= 50, "lines together must be 2 to 50", linesTogether);
            refuse(wrong);
        }
    }

    /**
     * How long a caller waits. Waiting longer than {@code most} plus {@code grace} means the entity itself never answered.
     *
     * @param usual without {@code Prefer: wait}
     * @param most what {@code Prefer: wait} may ask for; more is cut to this
     * @param grace after the patience has ended, how long until the answer is "unknown" whatever happens
     * @param retryAfter what a caller is told to wait before asking again
     */
    public record Patience(Duration usual, Duration most, Duration grace, Duration retryAfter) {

        /** 2 s, at most 30 s, 15 s of grace, ask again after 1 s. */
        public static final Patience DEFAULT = new Patience(
                Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(15), Duration.ofSeconds(1));

        public Patience {
            var wrong = new ArrayList<String>();
            check(wrong, !usual.isNegative(), "the usual patience must not be negative", usual);
            check(wrong, most.compareTo(usual) >= 0, "the most patience must be at least the usual one", most);
            check(wrong, positive(grace), "the grace must be positive", grace);
            check(wrong, retryAfter.toSeconds() >= 1, "retry-after must be at least 1 s", retryAfter);
            refuse(wrong);
        }
    }

    /** Who may call. */
    public sealed interface Access {

        /** Anybody, named "anonymous" in the journal. For development, and behind a gateway that authenticates. */
        record Open() implements Access {}

        /**
         * Whoever presents a bearer token one of these hashes was made of, or a signed one.
         *
         * @param callers no name and no hash twice
         * @param jwt which signed tokens are taken; empty for none, and then there is at least one caller
         */
        record Tokens(List<TokenHolder> callers, Optional<JwtSettings> jwt) implements Access {

            /** No signed ones. */
            public Tokens(List<TokenHolder> callers) {
                this(callers, Optional.empty());
            }

            public Tokens {
                callers = List.copyOf(callers);
                var wrong = new ArrayList<String>();
                check(
                        wrong,
                        !callers.isEmpty() || jwt.isPresent(),
                        "access by token needs at least one caller",
                        "none");
                Set<String> names = new HashSet<>();
                Set<String> hashes = new HashSet<>();
                for (var caller : callers) {
                    check(wrong, names.add(caller.name()), "two callers have one name", caller.name());
                    check(wrong, hashes.add(caller.tokenSha256()), "two callers have one token", caller.name());
                }
                refuse(wrong);
            }
        }
    }

    /**
     * One caller, known by the hash of its token.
     *
     * @param caller who it is; the name is written to the journal as who asked
     * @param tokenSha256 SHA-256 of the token's UTF-8 bytes, 64 lower-case hex digits; the token itself is never configured
     */
    public record TokenHolder(Caller caller, String tokenSha256) {

        /** One who may do everything. */
        public TokenHolder(String name, String tokenSha256) {
            this(Caller.almighty(name), tokenSha256);
        }

        /** As the journal has it. */
        public String name() {
            return caller.name();
        }

        public TokenHolder {
            String name = caller.name();
            var wrong = new ArrayList<String>();
            check(wrong, name.matches("[A-Za-z0-9._-]{1,64}"), "a caller's name is 1 to 64 of A-Z a-z 0-9 . _ -", name);
            check(
                    wrong,
                    tokenSha256.matches("[0-9a-f]{64}"),
                    "a token's SHA-256 is 64 lower-case hex digits, for caller",
                    name);
            check(wrong, !caller.roles().isEmpty(), "a caller has at least one role", name);
            refuse(wrong);
        }
    }

    public HttpSettings {
        var wrong = new ArrayList<String>();
        check(wrong, !host.isBlank(), "the host must be given", host);
        check(wrong, port >= 0 && port <= 65535, "the port must be 0 to 65535", port);
        refuse(wrong);
    }

    /** Open access on this port of this interface, everything else as by default. */
    public static HttpSettings open(String host, int port) {
        return new HttpSettings(host, port, Limits.DEFAULT, Patience.DEFAULT, new Access.Open());
    }

    private static boolean positive(Duration duration) {
        return !duration.isZero() && !duration.isNegative();
    }

    private static void check(List<String> wrong, boolean right, String rule, Object value) {
        if (!right) {
            wrong.add("HTTP: " + rule + ", but is " + value);
        }
    }

    private static void refuse(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", wrong));
        }
    }
}
