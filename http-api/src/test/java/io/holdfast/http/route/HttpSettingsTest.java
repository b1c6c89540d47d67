package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.http.route.HttpSettings.Access;
import io.holdfast.http.route.HttpSettings.Limits;
import io.holdfast.http.route.HttpSettings.Patience;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.json.JsonLimits;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpSettingsTest {

    private static void refused(ThrowingCallable settings, String naming) {
        assertThatThrownBy(settings)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(naming);
    }

    @Test
    void values_that_can_not_work_are_refused_by_name() {
        Duration second = Duration.ofSeconds(1);
        refused(() -> HttpSettings.open(" ", 8080), "host");
        refused(() -> HttpSettings.open("127.0.0.1", 65536), "port");
        refused(() -> new Limits(10, second, JsonLimits.DEFAULT, 1, 1, 1, 1, 1, 2), "body bytes");
        refused(() -> new Limits(1024, Duration.ZERO, JsonLimits.DEFAULT, 1, 1, 1, 1, 1, 2), "body time");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 0, 1, 1, 1, 1, 2), "connections");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 1, 0, 1, 1, 1, 2), "backlog");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 1, 1, 0, 1, 1, 2), "queries");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 1, 1, 1, 0, 1, 2), "query threads");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 1, 1, 1, 1, 0, 2), "order lines");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 1, 1, 1, 1, 201, 2), "order lines");
        refused(() -> new Limits(1024, second, JsonLimits.DEFAULT, 1, 1, 1, 1, 1, 1), "lines together");
        refused(() -> new JsonLimits(0, 19, 1024, 64), "JSON limits");
        refused(() -> new Patience(second.negated(), second, second, second), "usual patience");
        refused(() -> new Patience(second, Duration.ZERO, second, second), "most patience");
        refused(() -> new Patience(second, second, Duration.ZERO, second), "grace");
        refused(() -> new Patience(second, second, second, Duration.ofMillis(10)), "retry-after");
        refused(() -> new Access.Tokens(List.of()), "at least one caller");
        refused(() -> new TokenHolder("a b", "0".repeat(64)), "name");
        refused(() -> new TokenHolder("shop", "0".repeat(63)), "SHA-256");
        var shop = new TokenHolder("shop", "0".repeat(64));
        refused(() -> new Access.Tokens(List.of(shop, new TokenHolder("shop", "1".repeat(64)))), "one name");
        refused(() -> new Access.Tokens(List.of(shop, new TokenHolder("till", "0".repeat(64)))), "one token");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=10 | 10000 | wait=10",
                "wait=0 | 0 | wait=0",
                "wait=999 | 30000 | wait=30",
                "WAIT=3 | 3000 | wait=3",
                "wait = \"3\" | 3000 | wait=3",
                "respond-async | 0 | respond-async",
                "respond-async, wait=4 | 4000 | wait=4",
                "handling=lenient; x=1, wait=5; y | 5000 | wait=5",
                "wait=3, wait=9 | 3000 | wait=3",
                "wait=soon | 2000 | ",
                "wait=-1 | 2000 | ",
                "wait=1.5 | 2000 | ",
                "wait=2147483647 | 30000 | wait=30",
                "wait=2147483648 | 30000 | wait=30",
                "wait=99999999999999999999 | 30000 | wait=30",
                "wait=0000000000000000000005 | 5000 | wait=5",
                "return=minimal | 2000 | "
            })
    void patience_follows_the_preference_within_its_bound(String prefer, long millis, String applied) {
        var preferences =
                Preferences.of(HttpRequest.GET("/").addHeader(RawHeader.create("Prefer", prefer)), Patience.DEFAULT);
        assertThat(preferences.patience()).hasMillis(millis);
        assertThat(preferences.applied().orElse(null)).isEqualTo(applied);
    }
}
