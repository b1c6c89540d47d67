package io.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SafeByDefaultTest {

    private static final String ALL =
            Arrays.stream(Danger.values()).map(Danger::word).collect(Collectors.joining(","));

    /** A node that is open in every way a setting can make it. */
    private static final Map<String, String> OPEN = Map.of(
            "HOLDFAST_POSTGRES_URL", "jdbc:postgresql://db/holdfast",
            "HOLDFAST_REDIS_URL", "redis://cache",
            "HOLDFAST_KAFKA_ENABLED", "true",
            "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS", "broker:9092",
            "HOLDFAST_KAFKA_PROTOCOL", "plaintext",
            "HOLDFAST_CLUSTER_HOST", "10.0.0.1",
            "HOLDFAST_ORDERS_URL", "http://orders/{order}",
            "HOLDFAST_SECURITY_ALLOW", ALL);

    @Test
    void a_node_is_a_production_node_unless_it_says_otherwise() {
        assertThat(load(Map.of()).node().mode()).isEqualTo(NodeSection.Mode.PRODUCTION);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        open-http      | In production HTTP would serve everybody: set holdfast.http.tokens, or accept it by name with holdfast.security.allow = ["open-http"].
        plain-http     | In production HTTP would be spoken without TLS: set holdfast.http.tls.keystore, or accept it by name with holdfast.security.allow = ["plain-http"].
        plain-postgres | In production PostgreSQL would be spoken to without TLS: add sslmode=verify-full to holdfast.postgres.url, or accept it by name with holdfast.security.allow = ["plain-postgres"].
        plain-redis    | In production Redis would be spoken to without TLS or without a password: make holdfast.redis.url rediss://user:password@..., or accept it by name with holdfast.security.allow = ["plain-redis"].
        plain-kafka    | In production Kafka would be spoken to without TLS: set holdfast.kafka.protocol to sasl-ssl or ssl, or accept it by name with holdfast.security.allow = ["plain-kafka"].
        plain-cluster  | In production the other nodes would be spoken to without TLS: set holdfast.cluster.tls.keystore, or accept it by name with holdfast.security.allow = ["plain-cluster"].
        plain-orders   | In production the order domain would be asked without TLS: make holdfast.orders.url https://..., or accept it by name with holdfast.security.allow = ["plain-orders"].
        """)
    void each_danger_is_refused_unless_it_is_named(String danger, String line) {
        assertThatThrownBy(() -> load(Map.of("HOLDFAST_SECURITY_ALLOW", allBut(danger))))
                .isInstanceOf(SettingsException.class)
                .hasMessage(line);
        assertThat(load(Map.of("HOLDFAST_SECURITY_ALLOW", ALL)).refuses(Danger.OPEN_HTTP))
                .isFalse();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
        http    | plain-payments   | In production the payment provider would be asked without TLS: make holdfast.orders.service.payments.url https://..., or accept it by name with holdfast.security.allow = ["plain-payments"].
        sandbox | sandbox-payments | In production payments would only be played: set holdfast.orders.service.payments.provider to http, or accept it by name with holdfast.security.allow = ["sandbox-payments"].
        """)
    void orders_that_nobody_safely_pays_for_are_refused_unless_that_is_named(
            String provider, String danger, String line) {
        Map<String, String> orders = new java.util.HashMap<>(Map.of(
                "HOLDFAST_ORDERS_SERVICE_KIND", "built-in",
                "HOLDFAST_ORDERS_SERVICE_PAYMENTS_PROVIDER", provider,
                "HOLDFAST_ORDERS_SERVICE_PAYMENTS_URL", "http://pay",
                "HOLDFAST_ORDERS_SERVICE_PAYMENTS_NOTICE_SECRETS", "sixteen-letters-and-more"));
        assertThat(load(orders).orders().service().builtIn()).isTrue();
        assertThat(load(orders).toString()).doesNotContain("sixteen");
        orders.put("HOLDFAST_SECURITY_ALLOW", allBut(danger));
        assertThatThrownBy(() -> load(orders))
                .isInstanceOf(SettingsException.class)
                .hasMessage(line);
        orders.put("HOLDFAST_ORDERS_SERVICE_KIND", "external");
        assertThat(load(orders).orders().service().builtIn()).isFalse();
    }

    @Test
    void nobody_makes_orders_or_plays_payments_unless_told_to() {
        assertThat(load(Map.of()).orders().service().builtIn()).isFalse();
        assertThat(load(Map.of()).orders().service().sandboxed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Danger.class)
    void each_danger_is_refused_by_name_and_explained_where_it_is_allowed(Danger danger) throws IOException {
        assertThat(load(Map.of("HOLDFAST_SECURITY_ALLOW", allBut("volatile-redis", "unfenced-redis")))
                        .refuses(danger))
                .isEqualTo(danger == Danger.VOLATILE_REDIS || danger == Danger.UNFENCED_REDIS);
        assertThat(danger.refusal()).hasMessageContaining("holdfast.security.allow = [\"" + danger.word() + "\"]");
        try (var reference = Settings.class.getResourceAsStream("/holdfast-reference.conf")) {
            assertThat(new String(reference.readAllBytes(), StandardCharsets.UTF_8))
                    .containsPattern("\n    #   " + danger.word() + " +[a-z]");
        }
    }

    @Test
    void development_needs_no_permission() {
        var settings = load(Map.of("HOLDFAST_SECURITY_ALLOW", "", "HOLDFAST_NODE_MODE", "development"));
        assertThat(Arrays.stream(Danger.values()).filter(settings::refuses)).isEmpty();
    }

    @Test
    void a_secret_that_everybody_can_read_is_refused_in_production_and_cannot_be_accepted() {
        String ofDevelopment = "7:" + GateSection.OF_DEVELOPMENT.reveal();
        assertThatThrownBy(() -> load(Map.of("HOLDFAST_GATE_SECRETS", "8:" + "0a".repeat(32) + "," + ofDevelopment)))
                .isInstanceOf(SettingsException.class)
                .hasMessage("holdfast.gate.secrets = *** can't be: the secret of development is in our source, so"
                        + " production needs others. Set it in the settings file or as HOLDFAST_GATE_SECRETS.");
        assertThat(load(Map.of("HOLDFAST_GATE_SECRETS", ofDevelopment, "HOLDFAST_NODE_MODE", "development"))
                        .gate()
                        .declared())
                .containsOnlyKeys(7);
    }

    @Test
    void development_has_a_secret_where_none_is_set_and_production_has_none() {
        var production = load(Map.of());
        assertThat(production.gate().secrets(NodeSection.Mode.PRODUCTION)).isEmpty();
        assertThat(production.gate().secrets(NodeSection.Mode.DEVELOPMENT))
                .isEqualTo(Map.of(1, GateSection.OF_DEVELOPMENT));
        var both = load(Map.of("HOLDFAST_GATE_SECRETS", "9:" + "0a".repeat(32) + ",10:" + "0b".repeat(40)));
        assertThat(both.gate().secrets(NodeSection.Mode.PRODUCTION).lastKey()).isEqualTo(10);
        assertThat(both.gate().secrets(NodeSection.Mode.DEVELOPMENT))
                .isEqualTo(both.gate().declared());
        assertThat(both.toString()).doesNotContain("0a0a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"require", "verify-ca", "verify-full"})
    void a_database_url_that_insists_on_tls_is_no_danger(String mode) {
        var url = "jdbc:postgresql://db/holdfast?ApplicationName=x&sslmode=" + mode;
        assertThat(load(Map.of("HOLDFAST_POSTGRES_URL", url, "HOLDFAST_SECURITY_ALLOW", allBut("plain-postgres")))
                        .postgres()
                        .encrypted())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prefer", "allow", "disable"})
    void a_database_url_that_only_prefers_tls_is_a_danger(String mode) {
        var url = "jdbc:postgresql://db/holdfast?sslmode=" + mode;
        assertThatThrownBy(() ->
                        load(Map.of("HOLDFAST_POSTGRES_URL", url, "HOLDFAST_SECURITY_ALLOW", allBut("plain-postgres"))))
                .isInstanceOf(SettingsException.class);
    }

    @ParameterizedTest(name = "{0} is safe: {1}")
    @CsvSource({
        "rediss://:secret@cache, true",
        "rediss://user:secret@cache:6380/1, true",
        "rediss://cache, false",
        "redis://:secret@cache, false"
    })
    void redis_needs_tls_and_a_password(String url, boolean safe) {
        var settings = load(Map.of("HOLDFAST_REDIS_URL", url)).redis();
        assertThat(settings.encrypted() && settings.authenticated()).isEqualTo(safe);
    }

    @Test
    void a_node_alone_on_its_machine_needs_no_tls_between_nodes() {
        assertThat(load(Map.of(
                                "HOLDFAST_CLUSTER_HOST",
                                "127.0.0.1",
                                "HOLDFAST_SECURITY_ALLOW",
                                allBut("plain-cluster")))
                        .cluster()
                        .reachable())
                .isFalse();
    }

    @Test
    void a_node_with_tokens_still_refuses_plain_http() {
        assertThatThrownBy(() -> load(Map.of(
                        "HOLDFAST_HTTP_TOKENS",
                        "shop:" + "0123456789abcdef".repeat(4),
                        "HOLDFAST_SECURITY_ALLOW",
                        allBut("plain-http", "open-http"))))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("plain-http");
    }

    @Test
    void signed_tokens_let_nobody_else_in_and_their_keys_are_fetched_with_tls() {
        var signed = new HashMap<>(Map.of(
                "HOLDFAST_HTTP_JWT_ISSUER", "https://login.internal",
                "HOLDFAST_HTTP_JWT_AUDIENCE", "holdfast",
                "HOLDFAST_HTTP_JWT_JWKS", "https://login.internal/keys",
                "HOLDFAST_SECURITY_ALLOW", allBut("open-http", "plain-keys")));
        assertThat(load(signed).http().jwt()).isPresent();
        signed.put("HOLDFAST_HTTP_JWT_JWKS", "http://login.internal/keys");
        assertThatThrownBy(() -> load(signed))
                .isInstanceOf(SettingsException.class)
                .hasMessage("In production the keys of tokens would be fetched without TLS: make holdfast.http.jwt.jwks"
                        + " https://..., or accept it by name with holdfast.security.allow = [\"plain-keys\"].");
    }

    private static String allBut(String... dangers) {
        return Arrays.stream(Danger.values())
                .map(Danger::word)
                .filter(word -> !Arrays.asList(dangers).contains(word))
                .collect(Collectors.joining(","));
    }

    private static Settings load(Map<String, String> changes) {
        var environment = new HashMap<>(OPEN);
        environment.putAll(changes);
        return Settings.load(Optional.empty(), environment);
    }
}
