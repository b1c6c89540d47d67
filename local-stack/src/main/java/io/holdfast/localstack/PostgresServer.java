package io.holdfast.localstack;

import io.holdfast.localstack.Signals.Signal;
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
import java.util.regex.Pattern;

/** One PostgreSQL of ours, durable and only on loopback. */
public final class PostgresServer extends LocalServer {

    private static final String OWN_DATABASE = "holdfast";
    private static final Pattern DATABASE_NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");

    private final PostgresSettings settings;
    private final PostgresCluster cluster;

    private PostgresServer(PostgresSettings settings, DataFolder folder, PostgresCluster cluster) {
        // Recovery after a kill has to read what was written since the last checkpoint, which takes what it takes.
        super(Service.POSTGRES, folder, cluster.program(), Signal.INT, Duration.ofMinutes(5));
        this.settings = settings;
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
        return startIn(
                Service.POSTGRES,
                settings.folder(),
                Signal.INT,
                settings.port(),
                folder -> new PostgresServer(settings, folder, PostgresCluster.prepare(folder, user)));
    }

    /** The URL of the database {@code holdfast}, which is there from the start. */
    public String jdbcUrl() {
        return jdbcUrl(OWN_DATABASE);
    }

    /** The URL of a database of this server, whether it exists or not. */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + database;
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

    /** Ends it at once without writing anything more; the next start recovers from the log, as after a power failure. */
    public void stopImmediately() {
        end(Signal.QUIT);
    }

    /**
     * Makes an empty database and returns its JDBC URL.
     *
     * @param name small letters, digits and underscores, beginning with a letter; must not exist yet
     */
    public String createDatabase(String name) {
        return createDatabase(name, "template0");
    }

    /**
     * Makes a database that begins as a copy of another one of this server, and returns its JDBC URL.
     *
     * @param name as above
     * @param template the other one; nobody may be connected to it meanwhile
     */
    public String createDatabase(String name, String template) {
        if (!DATABASE_NAME.matcher(name).matches()) {
            throw new LocalStackException(
                    "'%s' cannot name a database: use small letters, digits and _, a letter first".formatted(name));
        }
        try (Connection connection = connect(OWN_DATABASE);
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name + " template " + template);
        } catch (SQLException e) {
            throw new LocalStackException(
                    "the database %s could not be made (%s): choose another name or look at %s"
                            .formatted(name, e.getMessage(), log()),
                    e);
        }
        return jdbcUrl(name);
    }

    @Override
    void endStragglers() {
        cluster.endOrphans();
    }

    @Override
    ServerProcess launchProgram() {
        return ServerProcess.launch(Service.POSTGRES, folder(), cluster.serverCommand(parameters()), Signal.INT);
    }

    @Override
    Readiness readiness(ServerProcess launched) {
        return cluster.isReady(launched.pid()) ? Readiness.READY : Readiness.SILENT;
    }

    @Override
    void verify() {
        ensureOwnDatabase();
        requireDurable();
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), user(), password());
    }

    /** On the command line, where they win over every file in the data folder. */
    private Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("max_connections", "200");
        parameters.put("shared_buffers", "256MB");
        parameters.put("max_wal_size", "2GB");
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
        parameters.put("port", Integer.toString(port()));
        DURABLE.forEach(name -> parameters.put(name, "on"));
        return parameters;
    }

    private void ensureOwnDatabase() {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("select 1 from pg_database where datname = '" + OWN_DATABASE + "'")) {
            if (!found.next()) {
                statement.execute("create database " + OWN_DATABASE);
            }
        } catch (SQLException e) {
            throw new LocalStackException(
                    "PostgreSQL on port %d started but does not let us in (%s): look at %s"
                            .formatted(port(), e.getMessage(), log()),
                    e);
        }
    }

    /** Believes only the server itself, in a session like those its users get. */
    private void requireDurable() {
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
            throw new LocalStackException(
                    "PostgreSQL on port %d stopped answering while starting (%s): look at %s"
                            .formatted(port(), e.getMessage(), log()),
                    e);
        }
        if (!wrong.isEmpty()) {
            throw new LocalStackException(
                    "PostgreSQL in %s is not durable (%s): undo the ALTER ROLE or ALTER DATABASE that sets it"
                            .formatted(folder().path(), String.join(", ", wrong)));
        }
    }
}
