package io.holdfast.engine.journal.jdbc;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.engine.projection.JournalDatabase;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.fault.FaultProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import scala.concurrent.Future;

/** A database of its own behind a network that can be broken, and journals that write to it without an actor system. */
final class JournalSite implements AutoCloseable {

    /** Times short enough for tests, and statements as text, so that the network can tell them apart. */
    private static final String SHORT = """
        holdfast-journal {
          statement-timeout = 1s
          write-deadline = 4s
          read-deadline = 4s
        }
        jdbc-journal.slick.db.properties {
          prepareThreshold = 0
          connectTimeout = 2
        }
        """;

    private final PostgresServer server;
    private final JournalDatabase database;
    final FaultProxy network;
    private final List<RunningJournal> journals = new ArrayList<>();

    JournalSite(PostgresServer server) {
        this.server = server;
        this.database = JournalDatabase.on(server);
        this.network = FaultProxy.to(server.host(), server.port());
    }

    /** What an actor system of this site needs. */
    Config config(String changes) {
        return ConfigFactory.parseString(changes)
                .withFallback(ConfigFactory.parseMap(Map.of(
                        "jdbc-journal.slick.db.url",
                        url(),
                        "jdbc-journal.slick.db.user",
                        server.user(),
                        "jdbc-journal.slick.db.password",
                        server.password())))
                .withFallback(ConfigFactory.parseString(SHORT))
                .withFallback(ConfigFactory.parseResources("holdfast-engine.conf"));
    }

    String url() {
        return database.url().replace(":" + server.port() + "/", ":" + network.port() + "/");
    }

    RunningJournal open(Notes notes) {
        return open(notes, "");
    }

    /** A journal with settings changed. Whoever waits is told on the journal's own threads. */
    RunningJournal open(Notes notes, String changes) {
        var listeners = new Listeners();
        listeners.add(notes);
        var journal = new RunningJournal(
                JournalSettings.from(config(changes)
                        .withFallback(ConfigFactory.defaultReference())
                        .resolve()),
                listeners,
                Runnable::run);
        journals.add(journal);
        return journal;
    }

    static Future<?> write(RunningJournal journal, String id, long number, String writer) {
        return journal.write(List.of(Rows.row(id, number, writer)), Outcomes.nothingRejected());
    }

    /** Straight to the database, past the network. */
    Connection connect() throws SQLException {
        return database.connect();
    }

    /** Every row as {@code id/number/writer}, sorted. */
    List<String> rows() {
        return ask("select persistence_id || '/' || sequence_number || '/' || writer from event_journal"
                + " order by persistence_id, sequence_number");
    }

    List<String> ask(String sql) {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            List<String> values = new ArrayList<>();
            if (statement.execute(sql)) {
                var rows = statement.getResultSet();
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    @Override
    public void close() {
        journals.forEach(RunningJournal::close);
        network.close();
    }
}
