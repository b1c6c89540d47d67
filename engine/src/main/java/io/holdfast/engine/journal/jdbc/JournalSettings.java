package io.holdfast.engine.journal.jdbc;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.Properties;

/**
 * The section {@code holdfast-journal}, and where the database is: as for the rest of the plugin.
 *
 * @param url JDBC URL
 * @param login user, password and driver properties
 * @param table of the journal, with its schema
 * @param writers connections that write
 * @param batchRows most rows in one statement
 * @param batchBytes about the most bytes in one statement
 * @param queue most writes that wait
 * @param statementTimeout after which the server gives up on a statement
 * @param writeDeadline after which whoever waits for a write is told in any case
 * @param readDeadline the same for reads
 * @param notifyInterval least time between two notifications of other nodes
 */
record JournalSettings(
        String url,
        Properties login,
        String table,
        int writers,
        int batchRows,
        int batchBytes,
        int queue,
        Duration statementTimeout,
        Duration writeDeadline,
        Duration readDeadline,
        Duration notifyInterval) {

    private static final String SECTION = "holdfast-journal";
    private static final String PLUGIN = "jdbc-journal";

    /** @throws IllegalArgumentException if values do not go together */
    JournalSettings {
        require(writers >= 1 && writers <= 2, "writers must be 1 or 2");
        require(batchRows >= 1 && batchBytes >= 1 && queue >= 1, "batch-rows, batch-size and queue must be positive");
        require(
                statementTimeout.multipliedBy(2).compareTo(writeDeadline) <= 0,
                "write-deadline must be at least twice statement-timeout");
    }

    /** Reads it from an actor system's configuration. */
    static JournalSettings from(Config system) {
        Config own = system.getConfig(SECTION);
        Config database = system.getConfig(PLUGIN + ".slick.db");
        Config table = system.getConfig(PLUGIN + ".tables.event_journal");
        String schema = table.getString("schemaName");
        return new JournalSettings(
                database.getString("url"),
                login(database),
                schema.isEmpty() ? table.getString("tableName") : schema + "." + table.getString("tableName"),
                own.getInt("writers"),
                own.getInt("batch-rows"),
                Math.toIntExact(own.getBytes("batch-size")),
                own.getInt("queue"),
                own.getDuration("statement-timeout"),
                own.getDuration("write-deadline"),
                own.getDuration("read-deadline"),
                own.getDuration("notify-interval"));
    }

    private static Properties login(Config database) {
        var login = new Properties();
        // From the first use on, statements are kept prepared at the server: there are five of them, and they run all
        // the time.
        login.setProperty("prepareThreshold", "1");
        if (database.hasPath("properties")) {
            database.getConfig("properties")
                    .root()
                    .forEach((name, value) -> login.setProperty(name, String.valueOf(value.unwrapped())));
        }
        for (String name : new String[] {"user", "password"}) {
            if (database.hasPath(name)) {
                login.setProperty(name, database.getString(name));
            }
        }
        // Name resolution and handshake have no other end.
        login.putIfAbsent("loginTimeout", login.getProperty("connectTimeout", "10"));
        return login;
    }

    private static void require(boolean kept, String what) {
        if (!kept) {
            throw new IllegalArgumentException(SECTION + ": " + what);
        }
    }
}
