package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.effect.Backoff;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RedisClientSettingsTest {

    private static RedisClientSettings settings(List<String> uris, Duration wait, int queue) {
        Backoff backoff = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1), 2, 0.2);
        return new RedisClientSettings(uris, wait, wait, backoff, wait, queue);
    }

    @Test
    void one_server_one_sentinel_uri_or_nodes_of_a_cluster_are_taken() {
        for (List<String> uris : List.of(
                List.of("redis://127.0.0.1"),
                List.of("rediss://user:secret@redis.example:6380/3"),
                List.of("redis-sentinel://127.0.0.1:26379,127.0.0.1:26380#stock"),
                List.of("redis://127.0.0.1:7000", "redis://127.0.0.1:7001"))) {
            assertThat(settings(uris, Duration.ofSeconds(1), 1).uris()).isEqualTo(uris);
        }
    }

    @Test
    void what_cannot_be_meant_is_refused_by_name() {
        Duration second = Duration.ofSeconds(1);
        List<String> one = List.of("redis://127.0.0.1");
        assertThatThrownBy(() -> settings(List.of(), second, 1)).hasMessageStartingWith("redis uris");
        assertThatThrownBy(() -> settings(List.of("http://127.0.0.1"), second, 1))
                .hasMessageStartingWith("redis uris");
        assertThatThrownBy(() -> settings(List.of("redis-sentinel://a#m", "redis-sentinel://b#m"), second, 1))
                .hasMessageStartingWith("redis uris");
        assertThatThrownBy(() -> settings(one, Duration.ofMillis(1), 1))
                .hasMessageStartingWith("redis connect time-out");
        assertThatThrownBy(() -> settings(one, Duration.ofHours(1), 1))
                .hasMessageStartingWith("redis connect time-out");
        assertThatThrownBy(() -> settings(one, second, 0)).hasMessageStartingWith("redis request queue size");
    }

    @Test
    void a_password_is_not_printed() {
        assertThat(settings(List.of("redis://user:secret@127.0.0.1"), Duration.ofSeconds(1), 1)
                        .toString())
                .doesNotContain("secret");
    }
}
