package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL of ours, durable and only on loopback. Keeps its port and its folder until {@link #close()}, so that it can
 * be stopped or killed and started again under a running client.
 */
public final class PostgresServer implements AutoCloseable {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final Duration START_PATIENCE = Duration.ofMinutes(5);
    private static final long POLL_NANOS = 5_000_000;
    private static final String OWN_DATABASE = "holdfast";
    private static final Pattern DATABASE_NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");

    private final PostgresSettings settings;
    private final DataFolder folder;
    private final PostgresCluster cluster;
    private int port;
    private @Nullable ServerProcess process;

    private PostgresServer(PostgresSettings settings, DataFolder folder, PostgresCluster cluster) {
        this.settings = settings;
        this.folder = folder;
        this.cluster = cluster;
    }

    /**
     * Takes the folder, ends what an earlier owner left running there, makes the cluster if there is none, and starts.
     * Returns when the server accepts connections and has been asked whether it is durable.
     *
     * @throws LocalStackException if it cannot, with the reason and what to do
     */
    public static PostgresServer start(PostgresSettings settings) {
        return start(settings, ServerUser.forThisProcess());
    }

    static PostgresServer start(PostgresSettings settings, ServerUser user) {
        DataFolder folder = DataFolder.take(Service.POSTGRES, settings.folder());
        try {
            ServerProcess.reap(Service.POSTGRES, folder, Signal.INT, STOP_PATIENCE);
            PostgresCluster cluster = PostgresCluster.prepare(folder, user);
            PostgresServer server = new PostgresServer(settings, folder, cluster);
            server.startFirst();
            return server;
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** The URL of the database {@code holdfast}, which is there from the start. */
    public String jdbcUrl() {
        return jdbcUrl(OWN_DATABASE);
    }

    /** The URL of a database of this server, whether it exists or not. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://" + host() + ":" + port + "/" + database;
    }

    /** The name of a superuser. */
    public String user() {
        return PostgresCluster.SUPERUSER;
    }

    public String password() {
        return cluster.password();
    }

    /** URL, user and password of the database {@code holdfast}. */
    public PostgresAddress address() {
        return new PostgresAddress(jdbcUrl(), user(), password());
    }

    public String host() {
        return "127.0.0.1";
    }

    public int port() {
        return port;
    }

    /** The number of the running process. */
    public synchronized long pid() {
        return running().pid();
    }

    /** What the server has said. */
    public Path log() {
        return folder.resolve(ServerProcess.LOG);
    }

    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts again on the same port with the data that is there; does nothing if it runs. */
    public synchronized void start() {
        if (!isRunning()) {
            Ports.requireFree(Service.POSTGRES, port);
            launch();
        }
    }

    /** Ends it cleanly: open transactions are rolled back, connections closed, everything written to the disk. */
    public synchronized void stop() {
        end(Signal.INT);
    }

    /** Ends it at once without writing anything more; the next start recovers from the log, as after a power failure. */
    public synchronized void stopImmediately() {
        end(Signal.QUIT);
    }

    /** SIGKILL for the server and all its processes. */
    public synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** SIGSTOP for the server and all its processes: connections stay open and nothing answers, until {@link #resume()}. */
    public synchronized void pause() {
        running().signalWhole(Signal.STOP);
    }

    /** SIGCONT: what arrived during the pause is done now. */
    public synchronized void resume() {
        running().signalWhole(Signal.CONT);
    }

    /**
     * Makes an empty database and returns its JDBC URL.
     *
     * @param name small letters, digits and underscores, beginning with a letter; must not exist yet
     */
    public String createDatabase(String name) {
        if (!DATABASE_NAME.matcher(name).matches()) {
            throw new LocalStackException("'%s' cannot name a database: use small letters, digits and _, a letter first".formatted(name));
        }
        try (Connection connection = connect(OWN_DATABASE);
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new LocalStackException("the database %s could not be made (%s): choose another name or look at %s"
                    .formatted(name, e.getMessage(), log()), e);
        }
        return jdbcUrl(name);
    }

    /** Ends it cleanly and gives up its folder; it cannot be started again. */
    @Override
    public synchronized void close() {
        try {
            stop();
        } finally {
            folder.close();
        }
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), user(), password());
    }

    private ServerProcess running() {
        if (process == null || !process.isAlive()) {
            throw new LocalStackException("PostgreSQL on port " + port + " is not running: start it first");
        }
        return process;
    }

    private void end(Signal signal) {
        if (process != null) {
            process.signalWhole(Signal.CONT);
            process.end(signal, STOP_PATIENCE);
            process = null;
        }
    }

    private synchronized void startFirst() {
        Ports.launchOn(Service.POSTGRES, settings.port(), chosen -> {
            port = chosen;
            launch();
        });
    }

    private void launch() {
        ServerProcess launched = ServerProcess.launch(Service.POSTGRES, folder, cluster.serverCommand(parameters()), Signal.INT);
        process = launched;
        try {
            awaitReady(launched);
            ensureOwnDatabase();
            verifyDurable();
        } catch (RuntimeException e) {
            if (launched.isAlive()) {
                launched.kill();
            }
            process = null;
            throw e;
        }
    }

    /** On the command line, where they win over every file in the data folder. */
    private Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("max_connections", "200");
        parameters.put("shared_buffers", "64MB");
        parameters.put("max_wal_size", "512MB");
        parameters.put("huge_pages", "off");
        parameters.put("io_method", "sync");
        parameters.put("jit", "off");
        parameters.put("timezone", "UTC");
        parameters.put("log_timezone", "UTC");
        parameters.put("log_checkpoints", "off");
        parameters.put("log_line_prefix", "%m [%p] %d ");
        parameters.putAll(settings.parameters());
        parameters.put("logging_collector", "off");
        parameters.put("listen_addresses", host());
        parameters.put("unix_socket_directories", "");
        parameters.put("port", Integer.toString(port));
        DURABLE.forEach(name -> parameters.put(name, "on"));
        return parameters;
    }

    private void awaitReady(ServerProcess launched) {
        long deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (!cluster.isReady(launched.pid())) {
            if (!launched.isAlive()) {
                throw launched.whyItEnded(cluster.program(), port);
            }
            if (System.nanoTime() > deadline) {
                throw new LocalStackException("PostgreSQL on port %d was not ready after %d minutes: look at %s"
                        .formatted(port, START_PATIENCE.toMinutes(), log()));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void ensureOwnDatabase() {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select 1 from pg_database where datname = '" + OWN_DATABASE + "'")) {
            if (!found.next()) {
                statement.execute("create database " + OWN_DATABASE);
            }
        } catch (SQLException e) {
            throw new LocalStackException("PostgreSQL on port %d started but does not let us in (%s): look at %s"
                    .formatted(port, e.getMessage(), log()), e);
        }
    }

    /** Believes only the server itself, in a session like those its users get. */
    private void verifyDurable() {
        List<String> wrong = new ArrayList<>();
        try (Connection connection = connect(OWN_DATABASE);
                Statement statement = connection.createStatement()) {
            for (String name : DURABLE) {
                try (ResultSet value = statement.executeQuery("select current_setting('" + name + "')")) {
                    value.next();
                    if (!value.getString(1).equals("on")) {
                        wrong.add(name + " = " + value.getString(1));
                    }
                }
            }
        } catch (SQLException e) {
            throw new LocalStackException("PostgreSQL on port %d stopped answering while starting (%s): look at %s"
                    .formatted(port, e.getMessage(), log()), e);
        }
        if (!wrong.isEmpty()) {
            throw new LocalStackException("PostgreSQL in %s is not durable (%s): undo the ALTER ROLE or ALTER DATABASE that sets it"
                    .formatted(folder.path(), String.join(", ", wrong)));
        }
    }
}
