package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.fleet.SessionSource;
import io.holdfast.localstack.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** For tests: a database of its own with the real schema, and journal rows written by hand. */
public final class JournalDatabase implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Map<Integer, String> TEMPLATES = new ConcurrentHashMap<>();

    private final PostgresServer server;
    private final String url;
    private final List<HikariDataSource> pools = new ArrayList<>();

    private JournalDatabase(PostgresServer server, String url) {
        this.server = server;
        this.url = url;
    }

    public static JournalDatabase on(PostgresServer server) {
        String name = "readside_" + COUNT.incrementAndGet();
        String template = TEMPLATES.computeIfAbsent(server.port(), port -> migratedOnce(server));
        try (Connection c = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement s = c.createStatement()) {
            s.execute("create database " + name + " template " + template);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new JournalDatabase(server, server.jdbcUrl(name));
    }

    private static String migratedOnce(PostgresServer server) {
        String name = "readside_template_" + COUNT.incrementAndGet();
        PGSimpleDataSource owner = new PGSimpleDataSource();
        owner.setUrl(server.createDatabase(name));
        owner.setUser(server.user());
        owner.setPassword(server.password());
        new Migrations(owner).migrate();
        return name;
    }

    /** A pool of its own, as each node has one. */
    public HikariDataSource pool() {
        return poolThrough(url);
    }

    public HikariDataSource poolThrough(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(2000);
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        synchronized (pools) {
            pools.add(pool);
        }
        return pool;
    }

    /** Sessions as a node's loops open them. */
    public SessionSource sessions() {
        return this::connect;
    }

    public SessionSource sessionsThrough(String jdbcUrl) {
        return () -> DriverManager.getConnection(jdbcUrl, server.user(), server.password());
    }

    public String url() {
        return url;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, server.user(), server.password());
    }

    public void execute(String... statements) throws SQLException {
        try (Connection c = connect();
                Statement s = c.createStatement()) {
            for (String sql : statements) {
                s.execute(sql);
            }
        }
    }

    /** First column of every row, as text. */
    public List<String> query(String sql) throws SQLException {
        try (Connection c = connect();
                Statement s = c.createStatement();
                ResultSet r = s.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (r.next()) {
                values.add(r.getString(1));
            }
            return values;
        }
    }

    public String one(String sql) throws SQLException {
        return query(sql).getFirst();
    }

    /** One event in a transaction of its own. */
    public void append(String persistenceId, long sequenceNumber, String json) throws SQLException {
        try (Connection c = connect()) {
            append(c, persistenceId, sequenceNumber, json);
        }
    }

    public static void append(Connection c, String persistenceId, long sequenceNumber, String json)
            throws SQLException {
        try (PreparedStatement s =
                c.prepareStatement("insert into event_journal (persistence_id, sequence_number, writer,"
                        + " write_timestamp, adapter_manifest, event_ser_id, event_ser_manifest, event_payload)"
                        + " values (?, ?, 'w', extract(epoch from clock_timestamp()) * 1000, '', 1, '', ?)")) {
            s.setString(1, persistenceId);
            s.setLong(2, sequenceNumber);
            s.setBytes(3, json.getBytes(StandardCharsets.UTF_8));
            s.executeUpdate();
        }
    }

    /** Quick to notice and to recover, so that tests do not wait. */
    public static FleetSettings quick() {
        return new FleetSettings(
                Duration.ofMillis(20),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                new Backoff(Duration.ofMillis(5), Duration.ofMillis(100), 2, 0));
    }

    public static ProjectionSettings settings(int batchRows) {
        return new ProjectionSettings(
                batchRows,
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                1,
                2,
                10,
                new Backoff(Duration.ofHours(1), Duration.ofHours(1), 1, 0),
                Duration.ofSeconds(20));
    }

    /** Stops until the projections of a test have carried out what was ordered. */
    public void awaitObeyed() {
        await().untilAsserted(
                        () -> assertThat(query("select projection from projection_offset where rebuild_requested or"
                                        + " rewind_xid is not null"))
                                .isEmpty());
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
    }
}
