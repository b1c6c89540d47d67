package io.holdfast.it;

import io.holdfast.config.Settings;
import io.holdfast.config.sql.Migrations;
import io.holdfast.launcher.NodeProcess;
import io.holdfast.launcher.Terminal;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import io.holdfast.node.Node;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Real stores with a faulty network in front of each, and nodes in this process that use them. Every site has its own database and its own
 * Redis, so tests that break things break their own.
 */
final class Site implements AutoCloseable {

    /** Nearly every test forms a cluster and leaves it: its rounds come sooner than the usual second. */
    private static final String QUICK_ROUNDS = """
        pekko.cluster { periodic-tasks-initial-delay = 200ms, gossip-interval = 200ms, leader-actions-interval = 200ms }
        """;

    private static final Path ROUNDS_FILE = written();

    /** Of all who ask a Redis something: tests look often. */
    private static final ClientResources REDIS_THREADS = ClientResources.create();

    /** The schema, made once in this JVM: a site begins with a copy of it, in which a node finds nothing to migrate. */
    private static final class Schema {

        private static final String NAME = "site_schema";

        static {
            var database = new PGSimpleDataSource();
            database.setUrl(SharedStack.freshDatabase(NAME));
            database.setUser(SharedStack.postgres().user());
            database.setPassword(SharedStack.postgres().password());
            new Migrations(database).migrate();
        }

        static String copy(String name) {
            return SharedStack.freshCopy(name, NAME);
        }
    }

    private final PostgresServer postgres;
    private final String jdbcUrl;
    final RedisServer redis;
    final FaultProxy toPostgres;
    final FaultProxy toRedis;
    private Map<String, String> environment;
    private final List<Node> nodes = new ArrayList<>();
    private @Nullable Connection observer;

    private Site(PostgresServer postgres, String name, Map<String, String> changes) {
        this.postgres = postgres;
        this.jdbcUrl = Schema.copy(name);
        this.redis = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-" + name)));
        this.toPostgres = FaultProxy.to("127.0.0.1", postgres.port());
        this.toRedis = FaultProxy.to("127.0.0.1", redis.port());
        this.environment = new HashMap<>(Map.of(
                "HOLDFAST_NODE_MODE",
                "development",
                "HOLDFAST_HTTP_PORT",
                "0",
                "HOLDFAST_CLUSTER_PORT",
                "0",
                "HOLDFAST_POSTGRES_URL",
                jdbcUrl.replace(":" + postgres.port() + "/", ":" + toPostgres.port() + "/"),
                "HOLDFAST_POSTGRES_USER",
                postgres.user(),
                "HOLDFAST_POSTGRES_PASSWORD",
                postgres.password(),
                "HOLDFAST_REDIS_URL",
                "redis://127.0.0.1:" + toRedis.port()));
        this.environment.putAll(changes);
    }

    private static Path written() {
        try {
            return Files.writeString(Files.createTempFile("rounds", ".conf"), QUICK_ROUNDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A site with no node yet. */
    static Site open(String name, Map<String, String> changes) {
        return new Site(SharedStack.postgres(), name, changes);
    }

    /** A site with one node. */
    static Site withNode(String name) {
        Site site = open(name, Map.of());
        site.startNode();
        return site;
    }

    /** One more node; the first forms the cluster, the others join it. */
    Node startNode() {
        return startNode(Node::start);
    }

    /** As {@link #startNode()}, by this clock. */
    Node startNodeBy(InstantSource clock) {
        return startNode(settings -> Node.start(settings, clock));
    }

    private Node startNode(Function<Settings, Node> start) {
        Map<String, String> mine = new HashMap<>(environment);
        if (!nodes.isEmpty()) {
            mine.put(
                    "HOLDFAST_CLUSTER_SEED_NODES",
                    "127.0.0.1:" + nodes.getFirst().clusterPort());
        }
        Node node = start.apply(Settings.load(Optional.of(ROUNDS_FILE), mine));
        nodes.add(node);
        return node;
    }

    /**
     * A node in a process of its own, which can be killed as a machine dies.
     *
     * @param more lines of its settings file, below {@code holdfast}
     */
    NodeProcess startProcess(String more) throws IOException, InterruptedException {
        int port = freePort();
        Path file = settingsFile(port, more);
        return NodeProcess.start(file, port, file.resolveSibling("node.log"));
    }

    /** A person at a terminal who asks about the first of the nodes in this process, and the stores that it uses. */
    Terminal terminal(String more) throws IOException {
        return new Terminal(settingsFile(address(0).getPort(), more));
    }

    private Path settingsFile(int port, String more) throws IOException {
        Path folder = Files.createDirectories(SharedStack.freshFolder("node"));
        Path file = folder.resolve("node.conf");
        return Files.writeString(file, """
            holdfast {
              node.mode = development
              http.port = %d
              cluster.port = 0
              postgres { url = "%s", user = "%s", password = "%s" }
              redis.url = "%s"
              %s
            }
            %s
            """.formatted(
                        port,
                        environment.get("HOLDFAST_POSTGRES_URL"),
                        environment.get("HOLDFAST_POSTGRES_USER"),
                        environment.get("HOLDFAST_POSTGRES_PASSWORD"),
                        environment.get("HOLDFAST_REDIS_URL"),
                        more,
                        QUICK_ROUNDS));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The same site, for nodes with these settings changed. */
    Site with(Map<String, String> changes) {
        Map<String, String> changed = new HashMap<>(environment);
        changed.putAll(changes);
        environment = changed;
        return this;
    }

    /** Settings of a node of this site, as the environment gives them. */
    Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    Client client() {
        return client(0);
    }

    Client client(int node) {
        return new Client(nodes.get(node).address());
    }

    URI address(int node) {
        return nodes.get(node).address();
    }

    /** Where the others reach the first of the nodes in this process. */
    int clusterPort() {
        return nodes.getFirst().clusterPort();
    }

    /** Asks a Redis something, past the faulty network. */
    static <T> T askRedis(String uri, Function<RedisCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create(REDIS_THREADS, uri);
        try (var connection = client.connect()) {
            return question.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    /** Straight to the database, past the faulty network. */
    Connection database() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, postgres.user(), postgres.password());
    }

    /** One number out of the database, on a session that is kept: tests look often. */
    synchronized long count(String question) throws SQLException {
        if (observer == null) {
            observer = database();
        }
        try (Statement statement = observer.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            if (!row.next()) {
                throw new IllegalArgumentException("no row: " + question);
            }
            return row.getLong(1);
        }
    }

    /** Stops one of the nodes in this process, in order; those after it move up. */
    void closeNode(int index) {
        nodes.remove(index).close();
    }

    /** Stops the nodes in this process, in order. */
    void closeNodes() {
        for (Node node : nodes.reversed()) {
            node.close();
        }
        nodes.clear();
    }

    private synchronized void closeObserver() {
        if (observer != null) {
            try {
                observer.close();
            } catch (SQLException e) {
                throw new IllegalStateException("the session that looks does not end", e);
            }
        }
    }

    @Override
    public void close() {
        closeNodes();
        closeObserver();
        toRedis.close();
        toPostgres.close();
        redis.close();
    }
}
