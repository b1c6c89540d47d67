package io.holdfast.node;

import io.holdfast.config.Danger;
import io.holdfast.config.PostgresSection;
import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a PostgreSQL says about itself, as this node's role sees it.
 *
 * @param versionNumber such as 180006
 * @param standby whether it follows another server and can't be written to
 * @param settings the values that decide whether a commit survives
 */
record PostgresFacts(int versionNumber, boolean standby, Map<String, String> settings) {

    /** The first version with {@code transaction_timeout}, on which projections rely to be bounded. */
    private static final int VERSION_MIN = 17;

    private static final Set<String> ON_STANDBY_DISK = Set.of("on", "remote_apply");

    PostgresFacts {
        settings = Map.copyOf(settings);
    }

    static PostgresFacts ask(Connection connection) throws SQLException {
        Map<String, String> settings = new LinkedHashMap<>();
        int version = 0;
        boolean standby = false;
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "select current_setting('server_version_num')::int, pg_is_in_recovery()")) {
            if (row.next()) {
                version = row.getInt(1);
                standby = row.getBoolean(2);
            }
        }
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select name, current_setting(name) from pg_settings where name in ('fsync',"
                                + " 'synchronous_commit', 'full_page_writes', 'synchronous_standby_names',"
                                + " 'default_transaction_read_only')")) {
            while (rows.next()) {
                settings.put(rows.getString(1), rows.getString(2));
            }
        }
        return new PostgresFacts(version, standby, settings);
    }

    /**
     * Whether this node may run on such a server.
     *
     * @return one line to warn with, if it may although it is not safe
     * @throws SettingsException if it may not
     */
    Optional<String> judge(Settings node) {
        if (versionNumber / 10_000 < VERSION_MIN) {
            throw new SettingsException("holdfast.postgres.url leads to PostgreSQL " + versionNumber / 10_000
                    + ": use version " + VERSION_MIN + " or newer.");
        }
        if (standby || "on".equals(setting("default_transaction_read_only"))) {
            throw new SettingsException("holdfast.postgres.url leads to a server that can't be written to ("
                    + (standby ? "a standby" : "default_transaction_read_only is on")
                    + "): use the primary, or add targetServerType=primary with all hosts in the URL.");
        }
        if (node.postgres().durability() == PostgresSection.Durability.SYNCHRONOUS) {
            requireStandby();
        }
        Map<String, String> off = new TreeMap<>(settings);
        off.keySet().retainAll(Set.of("fsync", "synchronous_commit", "full_page_writes"));
        off.values().removeIf(value -> !"off".equals(value));
        if (off.isEmpty()) {
            return Optional.empty();
        }
        if (node.refuses(Danger.VOLATILE_POSTGRES)) {
            throw Danger.VOLATILE_POSTGRES.refusal();
        }
        return Optional.of("PostgreSQL may lose commits: " + String.join(", ", off.keySet()) + " off.");
    }

    private void requireStandby() {
        if (setting("synchronous_standby_names").isBlank()) {
            throw new SettingsException("holdfast.postgres.durability = synchronous can't be kept: the server has no"
                    + " synchronous_standby_names; set it there, or durability = local.");
        }
        if (!ON_STANDBY_DISK.contains(setting("synchronous_commit"))) {
            throw new SettingsException(
                    "holdfast.postgres.durability = synchronous can't be kept: synchronous_commit is "
                            + setting("synchronous_commit")
                            + " for this role; set it to on or remote_apply, or durability = local.");
        }
    }

    private String setting(String name) {
        return settings.getOrDefault(name, "");
    }
}
