package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.openapi.OpenApi;
import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a whole node says about itself while its stores are away. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class HealthOfANodeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static RedisServer redis;
    private static FaultProxy toRedis;
    private static FaultProxy toPostgres;
    private static String database;
    private static Node node;

    @BeforeAll
    static void start() {
        var postgres = SharedStack.postgres();
        database = SharedStack.freshDatabase("health_of_a_node");
        redis = RedisServer.start(RedisSettings.in(SharedStack.freshFolder("redis-health-of-a-node")));
        toRedis = FaultProxy.to("127.0.0.1", redis.port());
        toPostgres = FaultProxy.to("127.0.0.1", postgres.port());
        node = Node.start(TestSettings.with(Map.of(
                "HOLDFAST_POSTGRES_URL", database.replace(":" + postgres.port() + "/", ":" + toPostgres.port() + "/"),
                "HOLDFAST_POSTGRES_USER", postgres.user(),
                "HOLDFAST_POSTGRES_PASSWORD", postgres.password(),
                "HOLDFAST_POSTGRES_CONNECT_TIMEOUT", "1s",
                "HOLDFAST_REDIS_URL", "redis://127.0.0.1:" + toRedis.port())));
    }

    @AfterAll
    static void stop() {
        node.close();
        toPostgres.close();
        toRedis.close();
        redis.close();
    }

    @Test
    void a_dead_redis_is_named_alone_and_forgotten_once_it_is_back() {
        ready();
        toRedis.refuse();
        toRedis.cut();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(down()).containsExactly("redis"));
        toRedis.heal();
        await().atMost(PATIENCE).untilAsserted(HealthOfANodeTest::ready);
    }

    @Test
    void a_dead_database_is_named_with_all_that_needs_it_and_forgotten_once_it_is_back() {
        ready();
        toPostgres.refuse();
        toPostgres.cut();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(down())
                        .containsExactlyInAnyOrder("postgresql", "journal", "projections", "sweeper"));
        toPostgres.heal();
        await().atMost(PATIENCE).untilAsserted(HealthOfANodeTest::ready);
    }

    @Test
    void a_projection_that_can_not_go_on_makes_the_node_unready_by_itself() throws SQLException {
        ready();
        sql("alter table projection_offset rename to projection_offset_away");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(down()).containsExactly("projections"));
        sql("alter table projection_offset_away rename to projection_offset");
        await().atMost(PATIENCE).untilAsserted(HealthOfANodeTest::ready);
    }

    @Test
    void the_lag_of_projections_and_what_is_owed_are_measured() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/metrics").body())
                        .contains("holdfast_projection_lag_events{projection=\"owed\"} 0.0")
                        .contains("holdfast_projection_lag_seconds{projection=\"reservation_view\"} 0.0")
                        .contains("holdfast_projection_parked_entities{projection=\"reservation_view\"} 0.0")
                        .contains("holdfast_sync_dead_reservations 0.0")
                        .contains("holdfast_sync_ratio 1.0")
                        .contains("holdfast_owed_entities 0.0")
                        .contains("holdfast_owed_due_entities 0.0")
                        .contains("holdfast_owed_oldest_seconds 0.0"));
    }

    private static void ready() {
        var answer = get("/health/ready");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** Names of the parts that the node says are down, while it says that it is not ready. */
    private static Set<String> down() {
        var answer = get("/health/ready");
        assertThat(answer.statusCode()).isEqualTo(503);
        Set<String> down = new HashSet<>();
        try {
            JsonNode parts = JSON.readTree(answer.body()).at("/checks");
            parts.properties().forEach(part -> {
                if (!part.getValue().at("/status").asText().equals("UP")) {
                    down.add(part.getKey());
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return down;
    }

    private static HttpResponse<String> get(String path) {
        try {
            return OpenApi.send(
                    HTTP,
                    HttpRequest.newBuilder(node.address().resolve(path)).GET().build(),
                    "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void sql(String statement) throws SQLException {
        var postgres = SharedStack.postgres();
        try (var connection = DriverManager.getConnection(database, postgres.user(), postgres.password());
                var s = connection.createStatement()) {
            s.execute(statement);
        }
    }
}
