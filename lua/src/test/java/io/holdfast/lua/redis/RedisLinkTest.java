package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Backoff;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RedisLinkTest {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void an_attempt_that_can_not_even_begin_fails_like_any_other() {
        try (var client = RedisClient.create();
                var timer = Executors.newSingleThreadScheduledExecutor()) {
            var shared = new RedisLink.Shared(
                    client,
                    LoadedScripts.all(),
                    timer,
                    Duration.ofSeconds(5),
                    new Backoff(LONG, LONG, 1, 0),
                    LONG,
                    ScriptListener.NONE);
            // Without an address, the client throws before it does anything.
            var link = new RedisLink(shared, new RedisURI(), false);

            assertThat(link.connection().toCompletableFuture()).isCompletedExceptionally();
            assertThat(link.connection().toCompletableFuture()).isCompletedExceptionally();
            link.close();
            timer.shutdownNow();
        }
    }
}
