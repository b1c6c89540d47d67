package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.config.Settings;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.localstack.PostgresServer;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.lua.redis.RedisClientSettings;
import io.holdfast.lua.redis.RedisState;
import io.holdfast.lua.redis.RedisStockScripts;
import io.holdfast.lua.redis.ScriptListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Redis over TLS and with a login, as production has it: a real server with a certificate that only the settings believe. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EncryptedStoresTest {

    private static int free() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void redis_is_reached_with_tls_and_a_password_where_its_certificate_is_believed() throws Exception {
        Path folder = Files.createDirectories(SharedStack.freshFolder("tls-redis"));
        var pem = KeyFiles.pem(KeyFiles.selfSigned(folder.resolve("redis.p12"), "redis"), "redis");
        int port = free();
        try (var redis = RedisServer.start(RedisSettings.in(folder.resolve("server"))
                .withExtraLines(
                        "tls-port " + port,
                        "tls-cert-file " + pem.certificate(),
                        "tls-key-file " + pem.key(),
                        "tls-ca-cert-file " + pem.certificate(),
                        "tls-auth-clients no",
                        "user holdfast on >let-me-in ~* &* +@all"))) {
            String uri = "rediss://holdfast:let-me-in@127.0.0.1:" + port;
            assertThatCode(() -> Stores.require(redis(
                            uri,
                            Map.of(
                                    "HOLDFAST_REDIS_TLS_AUTHORITY",
                                    pem.certificate().toString(),
                                    "HOLDFAST_POSTGRES_START_PATIENCE",
                                    "60s"))))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> Stores.require(redis(uri, Map.of())))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("Redis at rediss://127.0.0.1:" + port)
                    .hasMessageNotContaining("let-me-in");

            var client = new RedisClientSettings(
                    List.of(uri),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10),
                    new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 0),
                    Duration.ofSeconds(10),
                    Optional.of(pem.certificate()),
                    1000);
            try (var scripts = new RedisStockScripts(client, ScriptListener.NONE)) {
                assertThat(scripts.check().toCompletableFuture().join()).isInstanceOf(RedisState.Usable.class);
            }
            assertThat(redis.port())
                    .as("the same server speaks plainly beside it")
                    .isNotEqualTo(port);
        }
    }

    private static Settings redis(String uri, Map<String, String> more) {
        PostgresServer postgres = SharedStack.postgres();
        Map<String, String> changes = new HashMap<>(Map.of(
                "HOLDFAST_POSTGRES_URL", SharedStack.postgres().jdbcUrl(),
                "HOLDFAST_POSTGRES_USER", postgres.user(),
                "HOLDFAST_POSTGRES_PASSWORD", postgres.password(),
                "HOLDFAST_POSTGRES_START_PATIENCE", "300ms",
                "HOLDFAST_REDIS_URL", uri));
        changes.putAll(more);
        return TestSettings.with(changes);
    }
}
