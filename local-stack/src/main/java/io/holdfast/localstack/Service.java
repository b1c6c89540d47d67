package io.holdfast.localstack;

/** The servers a local stack can run. */
public enum Service {
    POSTGRES("PostgreSQL"),
    REDIS("Redis"),
    KAFKA("Kafka");

    private final String title;

    Service(String title) {
        this.title = title;
    }

    /** The product's own spelling, for messages. */
    public String title() {
        return title;
    }
}
