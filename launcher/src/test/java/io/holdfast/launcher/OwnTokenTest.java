package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.config.CallerRole;
import io.holdfast.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OwnTokenTest {

    private static final String SHOP = "shop:" + "ab".repeat(32) + ":client:m1";

    private static final Map<String, String> SIGNED = Map.of(
            "HOLDFAST_HTTP_JWT_ISSUER", "https://login.example",
            "HOLDFAST_HTTP_JWT_AUDIENCE", "holdfast",
            "HOLDFAST_HTTP_JWT_JWKS", "https://login.example/keys");

    @TempDir
    Path folder;

    private Settings settings(Map<String, String> environment) throws IOException {
        Path file = folder.resolve("dev.conf");
        Files.writeString(file, """
            holdfast {
              node.mode = development
              postgres.url = "jdbc:postgresql://127.0.0.1:1/holdfast"
              redis.url = "redis://127.0.0.1:1"
            }
            """);
        return Settings.load(Optional.of(file), environment);
    }

    @Test
    void where_everybody_may_call_none_is_needed() throws IOException {
        assertThat(OwnToken.where(settings(Map.of()))).isEmpty();
    }

    @Test
    void where_only_callers_with_tokens_may_it_is_let_in_beside_them_for_what_samples_need() throws IOException {
        Map<String, String> both = new HashMap<>(SIGNED);
        both.put("HOLDFAST_HTTP_TOKENS", SHOP);
        for (Map<String, String> environment : java.util.List.of(SIGNED, Map.of("HOLDFAST_HTTP_TOKENS", SHOP), both)) {
            OwnToken own = OwnToken.where(settings(environment)).orElseThrow();
            var http = settings(own.added(environment)).http();
            assertThat(http.jwt().isPresent()).isEqualTo(environment.containsKey("HOLDFAST_HTTP_JWT_ISSUER"));
            assertThat(http.tokens().stream().anyMatch(entry -> entry.name().equals("shop")))
                    .isEqualTo(environment.containsKey("HOLDFAST_HTTP_TOKENS"));
            assertThat(http.tokens().getLast()).satisfies(entry -> {
                assertThat(entry.name()).isEqualTo(OwnToken.CALLER);
                assertThat(entry.roles()).containsExactlyInAnyOrder(CallerRole.CLIENT, CallerRole.OPERATOR);
                assertThat(entry.merchants()).isEmpty();
            });
        }
    }

    @Test
    void every_start_has_another_and_none_shows_it() throws IOException {
        Settings guarded = settings(Map.of("HOLDFAST_HTTP_TOKENS", SHOP));
        OwnToken one = OwnToken.where(guarded).orElseThrow();
        assertThat(one.token())
                .isNotEqualTo(OwnToken.where(guarded).orElseThrow().token());
        assertThat(one.toString()).doesNotContain(one.token());
        assertThat(one.added(Map.of()).toString()).doesNotContain(one.token());
    }
}
