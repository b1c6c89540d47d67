package io.holdfast.localstack;

import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Checks that servers the user named answer, so that a wrong address is told at once and in one line. */
final class YourServers {

    private static final String SECONDS = "5";

    private YourServers() {}

    static void check(PostgresAddress postgres) {
        Properties properties = new Properties();
        properties.setProperty("user", postgres.user());
        properties.setProperty("password", postgres.password());
        properties.setProperty("connectTimeout", SECONDS);
        properties.setProperty("loginTimeout", SECONDS);
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl(), properties)) {
            if (!connection.isValid(Integer.parseInt(SECONDS))) {
                throw new SQLException("it does not answer");
            }
        } catch (SQLException e) {
            throw silent(Service.POSTGRES, postgres.toString(), e);
        }
    }

    /** A single Redis is asked; Sentinel and TLS addresses are left to the client that understands them. */
    static void checkRedis(String uri) {
        URI address;
        try {
            address = URI.create(uri);
        } catch (IllegalArgumentException e) {
            throw new LocalStackException("'%s' is no URL of a Redis: write redis://host:port".formatted(uri), e);
        }
        if (!"redis".equals(address.getScheme())
                || address.getHost() == null
                || address.getHost().contains(",")) {
            return;
        }
        int port = address.getPort() < 0 ? 6379 : address.getPort();
        try (RedisWire wire = new RedisWire(address.getHost(), port)) {
            wire.ask("PING");
        } catch (IOException e) {
            throw silent(Service.REDIS, "redis://" + address.getHost() + ":" + port, e);
        }
    }

    /** One of them is enough: it knows the others. */
    static void checkKafka(String bootstrapServers) {
        @Nullable IOException last = null;
        for (String server : bootstrapServers.split(",", -1)) {
            String[] parts = server.strip().split(":", -1);
            if (parts.length != 2 || !parts[1].matches("\\d{1,5}")) {
                throw new LocalStackException(
                        "'%s' is no address of a Kafka: write host:port,host:port".formatted(bootstrapServers));
            }
            try {
                KafkaWire.ask(parts[0], Integer.parseInt(parts[1]));
                return;
            } catch (IOException e) {
                last = e;
            }
        }
        throw silent(Service.KAFKA, bootstrapServers, last == null ? new IOException("no address") : last);
    }

    private static LocalStackException silent(Service service, String address, Exception cause) {
        return new LocalStackException(
                "the %s named in the configuration (%s) does not answer (%s): start it, mend the address, or remove it to have one started here"
                        .formatted(service.title(), address, cause.getMessage()),
                cause);
    }
}
