package io.holdfast.config;

/** What a production node refuses unless {@code holdfast.security.allow} names it. */
public enum Danger {
    /** HTTP without tokens. */
    OPEN_HTTP("HTTP would serve everybody", "set holdfast.http.tokens"),
    /** Keys of signed tokens without TLS. */
    PLAIN_KEYS("the keys of tokens would be fetched without TLS", "make holdfast.http.jwt.jwks https://..."),
    /** HTTP without TLS. */
    PLAIN_HTTP("HTTP would be spoken without TLS", "set holdfast.http.tls.keystore"),
    /** PostgreSQL without TLS. */
    PLAIN_POSTGRES("PostgreSQL would be spoken to without TLS", "add sslmode=verify-full to holdfast.postgres.url"),
    /** Redis without TLS or password. */
    PLAIN_REDIS(
            "Redis would be spoken to without TLS or without a password",
            "make holdfast.redis.url rediss://user:password@..."),
    /** Kafka without TLS. */
    PLAIN_KAFKA("Kafka would be spoken to without TLS", "set holdfast.kafka.protocol to sasl-ssl or ssl"),
    /** Cluster traffic without TLS. */
    PLAIN_CLUSTER("the other nodes would be spoken to without TLS", "set holdfast.cluster.tls.keystore"),
    /** The order domain without TLS. */
    PLAIN_ORDERS("the order domain would be asked without TLS", "make holdfast.orders.url https://..."),
    /** The payment provider without TLS. */
    PLAIN_PAYMENTS(
            "the payment provider would be asked without TLS", "make holdfast.orders.service.payments.url https://..."),
    /** Payments that nobody makes. */
    SANDBOX_PAYMENTS("payments would only be played", "set holdfast.orders.service.payments.provider to http"),
    /** A PostgreSQL that may lose commits. Found at start, by asking it. */
    VOLATILE_POSTGRES("PostgreSQL may lose commits", "switch fsync, synchronous_commit and full_page_writes on"),
    /** A Redis that forgets at restart. Found at start, by asking it. */
    VOLATILE_REDIS("Redis forgets all stock when it restarts", "set appendonly yes in its configuration"),
    /** A Redis under Sentinel that goes on writing when it is cut off and replaced. Found at start, by asking it. */
    UNFENCED_REDIS(
            "a Redis that Sentinel has replaced may sell the same stock again",
            "set min-replicas-to-write to 1 or more on every Redis that may become primary");

    private final String what;
    private final String remedy;

    Danger(String what, String remedy) {
        this.what = what;
        this.remedy = remedy;
    }

    /** The name in the settings. */
    public String word() {
        return SettingsReader.word(this);
    }

    /** The one line that refuses it. */
    public SettingsException refusal() {
        return new SettingsException("In production " + what + ": " + remedy
                + ", or accept it by name with holdfast.security.allow = [\"" + word() + "\"].");
    }
}
