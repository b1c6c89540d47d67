package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.PostgresSettings;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The checks before start, against real servers. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class StoresTest {

    @Test
    void durable_stores_pass() {
        assertThatCode(() -> Stores.require(
                        settings(SharedStack.postgres(), SharedStack.redis().uri(), "10s")))
                .doesNotThrowAnyException();
    }

    @Test
    void a_database_that_is_down_at_start_is_waited_for() throws Exception {
        try (var postgres = PostgresServer.start(PostgresSettings.in(SharedStack.freshFolder("late-postgres")))) {
            postgres.stop();
            var waiting = new CountDownLatch(1);
            var checked = CompletableFuture.runAsync(() -> {
                waiting.countDown();
                Stores.require(settings(postgres, SharedStack.redis().uri(), "60s"));
            });
            waiting.await();
            postgres.start();
            assertThatCode(() -> checked.get(60, TimeUnit.SECONDS)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_database_that_stays_down_ends_the_start_with_one_line() {
        var settings = TestSettings.with(Map.of("HOLDFAST_POSTGRES_START_PATIENCE", "300ms"));
        assertThatThrownBy(() -> Stores.require(settings))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith(
                        "Gave up after 0 s: PostgreSQL at jdbc:postgresql://127.0.0.1:1/holdfast can't be used (")
                .hasMessageEndingWith("); start it or correct the address, and start this node again.");
    }

    @Test
    void a_redis_that_stays_down_ends_the_start_with_one_line() {
        assertThatThrownBy(
                        () -> Stores.require(settings(SharedStack.postgres(), "redis://:secret@127.0.0.1:1", "300ms")))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("Redis at redis://127.0.0.1:1 can't be used (")
                .hasMessageNotContaining("secret");
    }

    @Test
    void a_redis_that_evicts_ends_the_start_with_one_line() {
        try (var redis = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("evicting-redis"))
                .withExtraLines("maxmemory-policy allkeys-lru"))) {
            assertThatThrownBy(() -> Stores.require(settings(SharedStack.postgres(), redis.uri(), "10s")))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("maxmemory-policy noeviction");
        }
    }

    @Test
    void a_wrong_password_is_not_waited_for_without_saying_why() {
        var settings = TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL",
                SharedStack.postgres().jdbcUrl(),
                "HOLDFAST_POSTGRES_USER",
                SharedStack.postgres().user(),
                "HOLDFAST_POSTGRES_PASSWORD",
                "wrong",
                "HOLDFAST_POSTGRES_START_PATIENCE",
                "300ms"));
        assertThatThrownBy(() -> Stores.require(settings))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("password authentication failed");
    }

    private static Settings settings(PostgresServer postgres, String redis, String patience) {
        return TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL", postgres.jdbcUrl(),
                "HOLDFAST_POSTGRES_USER", postgres.user(),
                "HOLDFAST_POSTGRES_PASSWORD", postgres.password(),
                "HOLDFAST_REDIS_URL", redis,
                "HOLDFAST_POSTGRES_START_PATIENCE", patience));
    }
}
