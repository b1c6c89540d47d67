package io.holdfast.reservation.conformance;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.sql.Migrations;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.SharedStack;

/** A database with the whole schema, behind a small pool of connections. Whoever opens it closes it. */
public final class MigratedDatabase {

    private MigratedDatabase() {}

    /** A new one of the shared server. */
    public static HikariDataSource fresh(String name) {
        return open(SharedStack.postgres(), SharedStack.freshDatabase(name));
    }

    /** The one at this address of a server of the test's own. */
    public static HikariDataSource open(PostgresServer server, String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(4);
        HikariDataSource database = new HikariDataSource(config);
        new Migrations(database).migrate();
        return database;
    }
}
