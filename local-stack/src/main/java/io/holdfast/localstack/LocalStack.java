package io.holdfast.localstack;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The servers one machine needs: ours, or those the user already has. Ask for the addresses to use them whoever runs them;
 * ask for the servers to stop, kill and restart ours.
 */
public final class LocalStack implements AutoCloseable {

    private final LocalStackSettings settings;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private @Nullable PostgresServer postgres;
    private @Nullable RedisServer redis;
    private @Nullable KafkaServer kafka;

    private LocalStack(LocalStackSettings settings) {
        this.settings = settings;
    }

    /**
     * Starts what is wanted and checks that what is there already answers.
     *
     * @throws LocalStackException with one line on what is wrong and what to do; nothing is left running then
     */
    public static LocalStack start(LocalStackSettings settings) {
        LocalStack stack = new LocalStack(settings);
        try {
            stack.startAll();
            return stack;
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
    }

    /** Our PostgreSQL; empty if there is none or the user's own is used. */
    public synchronized Optional<PostgresServer> postgres() {
        return Optional.ofNullable(postgres);
    }

    /** Our Redis; empty if there is none or the user's own is used. */
    public synchronized Optional<RedisServer> redis() {
        return Optional.ofNullable(redis);
    }

    /** Our Kafka; empty if it was not asked for or the user's own is used. */
    public synchronized Optional<KafkaServer> kafka() {
        return Optional.ofNullable(kafka);
    }

    /**
     * Starts Kafka now if it was not among the services from the start, or checks that the user's own answers.
     *
     * @return its bootstrap servers
     */
    public synchronized String startKafka() {
        if (settings.yourKafka().isPresent()) {
            YourServers.checkKafka(settings.yourKafka().get());
            return settings.yourKafka().get();
        }
        if (kafka == null) {
            kafka = KafkaServer.start(
                    KafkaSettings.in(settings.folder().resolve("kafka")).withPort(settings.port(Service.KAFKA)));
            started.push(kafka);
        }
        return kafka.bootstrapServers();
    }

    /** Where PostgreSQL is, whoever runs it. */
    public Optional<PostgresAddress> postgresAddress() {
        return settings.yourPostgres().or(() -> postgres().map(PostgresServer::address));
    }

    /** The URL of Redis, whoever runs it. */
    public Optional<String> redisUri() {
        return settings.yourRedis().or(() -> redis().map(RedisServer::uri));
    }

    /** The bootstrap servers of Kafka, whoever runs it; empty if it was not asked for. */
    public Optional<String> kafkaBootstrapServers() {
        return settings.yourKafka().or(() -> kafka().map(KafkaServer::bootstrapServers));
    }

    /** Ends our servers cleanly, the last started first; their data stay. */
    @Override
    public synchronized void close() {
        @Nullable RuntimeException failure = null;
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                RuntimeException wrapped = e instanceof RuntimeException known ? known : new IllegalStateException(e);
                if (failure == null) {
                    failure = wrapped;
                } else {
                    failure.addSuppressed(wrapped);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized void startAll() {
        settings.yourPostgres().ifPresent(YourServers::check);
        settings.yourRedis().ifPresent(YourServers::checkRedis);
        settings.yourKafka().ifPresent(YourServers::checkKafka);
        for (Service service : Service.values()) {
            if (settings.services().contains(service)) {
                start(service);
            }
        }
    }

    private void start(Service service) {
        switch (service) {
            case POSTGRES -> startPostgres();
            case REDIS -> startRedis();
            case KAFKA -> startKafka();
        }
    }

    private synchronized void startPostgres() {
        if (settings.yourPostgres().isEmpty()) {
            postgres =
                    PostgresServer.start(PostgresSettings.in(settings.folder().resolve("postgres"))
                            .withPort(settings.port(Service.POSTGRES)));
            started.push(postgres);
        }
    }

    private synchronized void startRedis() {
        if (settings.yourRedis().isEmpty()) {
            redis = RedisServer.start(RedisSettings.in(settings.folder().resolve("redis"))
                    .withPort(settings.port(Service.REDIS))
                    .withFsync(settings.redisFsync()));
            started.push(redis);
        }
    }
}
