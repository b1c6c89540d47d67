package io.holdfast.node;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.OrderServiceSection;
import io.holdfast.config.PostgresSection;
import io.holdfast.config.PostgresSection.Login;
import io.holdfast.engine.fleet.SessionSource;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** How this node talks to PostgreSQL: every session has an end to each statement, each transaction, and each silence of the network. */
final class Sessions {

    /** The server ends a statement at its time-out; the client gives up on a server that no longer answers this much later. */
    private static final Duration NETWORK_MARGIN = Duration.ofSeconds(10);

    private Sessions() {}

    /** Driver properties of every session. */
    static Map<String, String> properties(PostgresSection section, String name) {
        Duration statement = section.pools().statementTimeout();
        Duration transaction = section.pools().transactionTimeout();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("ApplicationName", name);
        properties.put("tcpKeepAlive", "true");
        properties.put(
                "connectTimeout",
                Long.toString(Math.max(1, section.connectTimeout().toSeconds())));
        properties.put(
                "socketTimeout", Long.toString(statement.plus(NETWORK_MARGIN).toSeconds()));
        properties.put(
                "options",
                "-c statement_timeout=" + statement.toMillis() + " -c transaction_timeout=" + transaction.toMillis()
                        + " -c idle_in_transaction_session_timeout=" + transaction.toMillis());
        return properties;
    }

    /** The pool of queries. */
    static HikariDataSource views(PostgresSection section) {
        var config = new HikariConfig();
        config.setPoolName("views");
        config.setJdbcUrl(section.url());
        config.setUsername(section.projector().user());
        config.setPassword(section.projector().password().reveal());
        config.setMaximumPoolSize(section.pools().views());
        config.setMinimumIdle(Math.min(2, section.pools().views()));
        config.setConnectionTimeout(Math.max(250, section.connectTimeout().toMillis()));
        // Start-up has asked already; a database that went away since is waited for by whoever needs a connection.
        config.setInitializationFailTimeout(-1);
        properties(section, "holdfast views").forEach(config::addDataSourceProperty);
        return new HikariDataSource(config);
    }

    /** The pool of decisions about orders: each is one transaction, given up soon, and tried again. */
    static HikariDataSource orders(PostgresSection section, OrderServiceSection orders) {
        var config = new HikariConfig();
        config.setPoolName("orders");
        config.setJdbcUrl(section.url());
        config.setUsername(section.decider().user());
        config.setPassword(section.decider().password().reveal());
        config.setMaximumPoolSize(orders.transactions());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Math.max(250, section.connectTimeout().toMillis()));
        config.setInitializationFailTimeout(-1);
        properties(section, "holdfast orders").forEach(config::addDataSourceProperty);
        long most = orders.transactionTimeout().toMillis();
        config.addDataSourceProperty(
                "options",
                "-c statement_timeout=" + most + " -c transaction_timeout=" + 2 * most
                        + " -c idle_in_transaction_session_timeout=" + most);
        return new HikariDataSource(config);
    }

    /** Sessions that loops of the read side keep for themselves. */
    static SessionSource ofLoops(PostgresSection section) {
        var login = new Properties();
        login.setProperty("user", section.projector().user());
        login.setProperty("password", section.projector().password().reveal());
        properties(section, "holdfast").forEach(login::setProperty);
        return () -> DriverManager.getConnection(section.url(), login);
    }

    /** Single connections for what people ask and order of the read side. */
    static DataSource ofCommands(PostgresSection section) {
        return single(section, section.projector());
    }

    /** Single connections for a command or for migrations, which may take longer than any statement of a running node. */
    static DataSource single(PostgresSection section, Login login) {
        var source = new PGSimpleDataSource();
        source.setUrl(section.url());
        source.setUser(login.user());
        source.setPassword(login.password().reveal());
        source.setConnectTimeout((int) Math.max(1, section.connectTimeout().toSeconds()));
        source.setApplicationName("holdfast");
        return source;
    }
}
