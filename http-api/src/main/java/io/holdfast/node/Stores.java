package io.holdfast.node;

import io.holdfast.config.PostgresSection;
import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks both stores, before anything else starts, whether they are there and fit to be relied on. */
final class Stores {

    private static final Logger LOG = LoggerFactory.getLogger(Stores.class);

    private Stores() {}

    /**
     * Waits for PostgreSQL and Redis and judges them.
     *
     * @throws StartException if one does not answer within the start patience
     * @throws SettingsException if one answers and must not be used
     */
    static void require(Settings settings) {
        var patience = new StartPatience(settings.postgres().startPatience());
        var postgres = patience.waitFor(
                "PostgreSQL at " + StartQuestion.shownUrl(settings.postgres()),
                () -> StartQuestion.once(settings.postgres(), () -> ask(settings.postgres())));
        postgres.judge(settings).ifPresent(LOG::warn);
        patience.waitFor("Redis at " + settings.redis().shownUrl(), () -> RedisServers.ask(settings.redis()))
                .forEach(redis -> redis.judge(settings).ifPresent(LOG::warn));
    }

    private static PostgresFacts ask(PostgresSection section) throws SQLException {
        var login = new Properties();
        login.setProperty("user", section.user().user());
        login.setProperty("password", section.user().password().reveal());
        String seconds = Long.toString(Math.max(1, section.connectTimeout().toSeconds()));
        login.setProperty("connectTimeout", seconds);
        login.setProperty("loginTimeout", seconds);
        login.setProperty("socketTimeout", "30");
        try (Connection connection = DriverManager.getConnection(section.url(), login)) {
            return PostgresFacts.ask(connection);
        }
    }
}
