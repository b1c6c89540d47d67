package io.holdfast.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code holdfast.orders.service}.
 *
 * @param kind who decides the orders of admitted holds
 * @param payWithin how long a created order waits for its payment
 * @param lookForOrder how long a payment waits for an order that is not known
 * @param transactions threads, and so connections, that decide
 * @param transactionTimeout of one decision
 * @param retryFirst wait before what an order owes is tried again
 * @param retryLongest the wait grows up to this
 * @param stalledAfter failed attempts before it counts as stalled
 * @param requests how requests for orders are read
 * @param payments who takes the money
 */
public record OrderServiceSection(
        Kind kind,
        Duration payWithin,
        Duration lookForOrder,
        int transactions,
        Duration transactionTimeout,
        Duration retryFirst,
        Duration retryLongest,
        int stalledAfter,
        Requests requests,
        Payments payments) {

    /** Who decides orders. */
    public enum Kind {
        /** Another system, which reads the requests and tells of its orders as any order system does. */
        EXTERNAL,
        /** Every node of this fleet. */
        BUILT_IN
    }

    /**
     * How requests for orders are read.
     *
     * @param concurrency requests that wait for their decision at a time
     * @param lagLimit while the oldest unread request is older than this, nothing is decided because of a deadline
     */
    public record Requests(int concurrency, Duration lagLimit) {
        static Requests read(SettingsReader reader) {
            return new Requests(
                    reader.integer("concurrency", 1, 10_000),
                    reader.duration("lag-limit", Duration.ofMillis(100), Duration.ofHours(1)));
        }
    }

    /**
     * Who takes the money.
     *
     * @param provider how it is spoken to
     * @param name of the provider, as payments name it
     * @param url what the paths are added to; empty unless it is spoken to over HTTP
     * @param token sent with each question
     * @param timeout of one question
     * @param together questions at a time
     * @param noticeSecrets what its notices may be signed with
     * @param noticeTolerance how far the time of a notice may lie from now
     * @param sandboxPort where the sandbox listens; 0 takes any free port
     * @param latePayment what becomes of a payment that comes after its order was cancelled
     */
    public record Payments(
            Provider provider,
            String name,
            Optional<URI> url,
            Secret token,
            Duration timeout,
            int together,
            List<Secret> noticeSecrets,
            Duration noticeTolerance,
            int sandboxPort,
            LatePayment latePayment) {

        private static final String NAME = "[A-Za-z0-9._-]{1,64}";
        private static final int SHORTEST_SECRET = 16;

        public Payments {
            noticeSecrets = List.copyOf(noticeSecrets);
        }

        static Payments read(SettingsReader reader) {
            String name = reader.text("name");
            if (!name.matches(NAME)) {
                throw reader.bad("name", "letters, digits and . _ -, at most 64");
            }
            List<Secret> secrets =
                    reader.texts("notice-secrets").stream().map(Secret::new).toList();
            if (secrets.stream().anyMatch(secret -> secret.reveal().length() < SHORTEST_SECRET)) {
                throw reader.bad("notice-secrets", "a list of secrets of at least " + SHORTEST_SECRET + " characters");
            }
            return new Payments(
                    reader.choice("provider", Provider.class),
                    name,
                    reader.optionalText("url").map(text -> address(reader, text)),
                    reader.secret("token"),
                    reader.duration("timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                    reader.integer("together", 1, 10_000),
                    secrets,
                    reader.duration("notice-tolerance", Duration.ofSeconds(1), Duration.ofDays(1)),
                    reader.integer("sandbox-port", 0, 65_535),
                    reader.choice("late-payment", LatePayment.class));
        }

        private static URI address(SettingsReader reader, String text) {
            try {
                URI uri = URI.create(text);
                boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
                if (web
                        && uri.getHost() != null
                        && uri.getUserInfo() == null
                        && uri.getQuery() == null
                        && uri.getFragment() == null
                        && !text.endsWith("/")) {
                    return uri;
                }
            } catch (IllegalArgumentException malformed) {
                // Told below, with what is allowed.
            }
            throw reader.bad("url", "an http or https address without a user, a query, or a slash at its end");
        }

        /** Whether nobody on the way can read or change what is asked; so it is when nobody is. */
        boolean encrypted() {
            return provider != Provider.HTTP
                    || url.filter(address -> !"https".equals(address.getScheme()))
                            .isEmpty();
        }
    }

    /** What becomes of a payment that comes after its order was cancelled. */
    public enum LatePayment {
        /** It goes back. */
        REFUND,
        /** The order comes back for it where units can be had; else it goes back. */
        REACQUIRE
    }

    /** How the provider is spoken to. */
    public enum Provider {
        /** Not at all: the built-in order service does not start. */
        NONE,
        /** At its address. */
        HTTP,
        /** One that this node starts itself, for development: nobody pays anything. */
        SANDBOX
    }

    static OrderServiceSection read(SettingsReader reader) {
        var section = new OrderServiceSection(
                reader.choice("kind", Kind.class),
                reader.duration("pay-within", Duration.ofSeconds(1), Duration.ofDays(30)),
                reader.duration("look-for-order", Duration.ofSeconds(1), Duration.ofDays(30)),
                reader.integer("transactions", 1, 256),
                reader.duration("transaction-timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.duration("retry-first", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.duration("retry-longest", Duration.ofMillis(10), Duration.ofHours(1)),
                reader.integer("stalled-after", 1, 1000),
                Requests.read(reader.section("requests")),
                Payments.read(reader.section("payments")));
        reader.atLeast("retry-longest", section.retryLongest(), "retry-first", section.retryFirst());
        section.requirePayments(reader.section("payments"));
        return section;
    }

    private void requirePayments(SettingsReader reader) {
        if (!builtIn()) {
            return;
        }
        switch (payments.provider()) {
            case NONE ->
                throw reader.complaint("provider", "the built-in order service needs somebody who takes the money");
            case HTTP -> {
                if (payments.url().isEmpty()) {
                    throw reader.missing("url");
                }
                if (payments.noticeSecrets().isEmpty()) {
                    throw reader.complaint("notice-secrets", "without a secret no notice of a payment can be believed");
                }
            }
            case SANDBOX -> {}
        }
    }

    /** Whether the nodes of this fleet decide orders themselves. */
    public boolean builtIn() {
        return kind == Kind.BUILT_IN;
    }

    /** Whether payments are only played. */
    public boolean sandboxed() {
        return builtIn() && payments.provider() == Provider.SANDBOX;
    }

    /** Whether nobody on the way to the provider can read or change what is asked; so it is when nobody is. */
    public boolean encrypted() {
        return !builtIn() || payments.encrypted();
    }
}
