package io.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SettingsTest {

    /** The least a development node needs. */
    private static final String ENOUGH = """
        holdfast {
          node.mode = development
          postgres.url = "jdbc:postgresql://localhost/holdfast"
          redis.url = "redis://localhost"
        }
        """;

    @TempDir
    Path folder;

    @Test
    void the_file_overrides_the_reference_and_the_environment_overrides_the_file() {
        var settings = load(ENOUGH + "holdfast.http { host = other, port = 9 }", Map.of("HOLDFAST_HTTP_PORT", "10"));
        assertThat(settings.http().host()).isEqualTo("other");
        assertThat(settings.http().port()).isEqualTo(10);
        assertThat(settings.redis().commandTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void the_environment_alone_is_enough() {
        var settings = Settings.load(
                Optional.empty(),
                Map.of(
                        "HOLDFAST_NODE_MODE", "development",
                        "HOLDFAST_POSTGRES_URL", "jdbc:postgresql://db/holdfast",
                        "HOLDFAST_REDIS_URL", "redis://cache",
                        "HOLDFAST_CLUSTER_SEED_NODES", "a:1, b:2"));
        assertThat(settings.cluster().seedNodes()).containsExactly("a:1", "b:2");
    }

    @Test
    void variables_that_an_orchestrator_makes_up_are_let_pass() {
        var settings = load(ENOUGH, Map.of("HOLDFAST_PORT", "tcp://10.0.0.1:80", "HOLDFAST_SERVICE_HOST", "10.0.0.1"));
        assertThat(settings.http().port()).isEqualTo(8080);
    }

    @Test
    void the_pekko_section_is_handed_on_as_written() {
        var settings = load(ENOUGH + "pekko.actor.x = 5", Map.of());
        assertThat(settings.pekko()).isEqualTo(ConfigFactory.parseString("pekko.actor.x = 5"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        http.port = 70000                   | holdfast.http.port = 70000 can't be: allowed is an integer from 0 to 65535. Set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.port = -1                      | holdfast.http.port = -1 can't be: allowed is an integer from 0 to 65535. Set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.port = 80.5                    | holdfast.http.port = 80.5 can't be: allowed is an integer from 0 to 65535. Set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.port = 1e30                    | holdfast.http.port = 1.0E30 can't be: allowed is an integer from 0 to 65535. Set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.port = eighty                  | holdfast.http.port = eighty can't be: allowed is an integer from 0 to 65535. Set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.port = [1]                     | holdfast.http.port = [1] can't be: allowed is one value, not a list. Set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.port = null                    | holdfast.http.port is not set and has no default: set it in the settings file or as HOLDFAST_HTTP_PORT.
        http.host = ""                      | holdfast.http.host is not set and has no default: set it in the settings file or as HOLDFAST_HTTP_HOST.
        http.prot = 80                      | holdfast.http.prot in FILE is not a setting; did you mean holdfast.http.port?
        http.port.number = 80               | holdfast.http.port.number in FILE is not a setting; holdfast.http.port is one value, not a section.
        http = 80                           | holdfast.http in FILE is not a setting; it is a section: write holdfast.http { ... } with the settings in it.
        http.completely-different-thing = 1 | holdfast.http.completely-different-thing in FILE is not a setting; remove it, or see holdfast-reference.conf for all there are.
        http.tokens = ["shop"]              | holdfast.http.tokens = *** can't be: allowed is a list of name:hash or name:hash:roles:merchants, the name of A-Z a-z 0-9 . _ -, the hash as sha256sum prints it. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = shop                  | holdfast.http.tokens = *** can't be: allowed is a list in square brackets. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = ["a:0000000000000000000000000000000000000000000000000000000000000000","b:0000000000000000000000000000000000000000000000000000000000000000"] | holdfast.http.tokens = *** can't be: the same token or the same name is given twice. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = ["a:0000000000000000000000000000000000000000000000000000000000000000:client"]  | holdfast.http.tokens = *** can't be: allowed is a list of name:hash or name:hash:roles:merchants, the name of A-Z a-z 0-9 . _ -, the hash as sha256sum prints it. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = ["a:0000000000000000000000000000000000000000000000000000000000000000:root:*"]  | holdfast.http.tokens = *** can't be: the caller a has a role that is none of client, user, operator, auditor, admin. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = ["a:0000000000000000000000000000000000000000000000000000000000000000::*"]      | holdfast.http.tokens = *** can't be: the caller a has a role that is none of client, user, operator, auditor, admin. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = ["a:0000000000000000000000000000000000000000000000000000000000000000:client:"] | holdfast.http.tokens = *** can't be: the merchants of the caller a must be ids with + between them, or * for all. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.tokens = ["a:0000000000000000000000000000000000000000000000000000000000000000:client:m1+*"] | holdfast.http.tokens = *** can't be: the merchants of the caller a must be ids with + between them, or * for all. Set it in the settings file or as HOLDFAST_HTTP_TOKENS.
        http.jwt.audience = shop            | holdfast.http.jwt.audience = shop can't be: it is of signed tokens, and no issuer is named that signs them. Set it in the settings file or as HOLDFAST_HTTP_JWT_AUDIENCE.
        http.jwt.issuer = "https://login.internal" | holdfast.http.jwt.audience =  can't be: tokens that the issuer made for somebody else would be taken; name who they are for. Set it in the settings file or as HOLDFAST_HTTP_JWT_AUDIENCE.
        http.jwt { issuer = a, audience = b } | holdfast.http.jwt.jwks =  can't be: the issuer's keys must be somewhere. Set it in the settings file or as HOLDFAST_HTTP_JWT_JWKS.
        http.jwt.jwks = "ftp://keys"        | holdfast.http.jwt.jwks = ftp://keys can't be: allowed is an address that begins with https://. Set it in the settings file or as HOLDFAST_HTTP_JWT_JWKS.
        http.jwt.algorithms = [HS256]       | holdfast.http.jwt.algorithms = [HS256] can't be: allowed is a list of at least one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512. Set it in the settings file or as HOLDFAST_HTTP_JWT_ALGORITHMS.
        http.jwt.algorithms = []            | holdfast.http.jwt.algorithms = [] can't be: allowed is a list of at least one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512. Set it in the settings file or as HOLDFAST_HTTP_JWT_ALGORITHMS.
        http.jwt.clock-skew = 1h            | holdfast.http.jwt.clock-skew = 1h can't be: allowed is a duration from 0s to 2m, with a unit such as ms, s, m, h. Set it in the settings file or as HOLDFAST_HTTP_JWT_CLOCK_SKEW.
        http.jwt.keys-kept = 5s             | holdfast.http.jwt.keys-kept = 5s can't be: it must be at least keys-at-most-every (30s). Set it in the settings file or as HOLDFAST_HTTP_JWT_KEYS_KEPT.
        http.rates.client = -1              | holdfast.http.rates.client = -1 can't be: allowed is an integer from 0 to 1000000. Set it in the settings file or as HOLDFAST_HTTP_RATES_CLIENT.
        http.tls.keystore = /nowhere        | holdfast.http.tls.keystore = /nowhere can't be: allowed is a file this process can read. Set it in the settings file or as HOLDFAST_HTTP_TLS_KEYSTORE.
        http.tls.keystore-password = x      | holdfast.http.tls.keystore =  can't be: a keystore-password is set, but no keystore. Set it in the settings file or as HOLDFAST_HTTP_TLS_KEYSTORE.
        node.mode = prod                    | holdfast.node.mode = prod can't be: allowed is one of production, development. Set it in the settings file or as HOLDFAST_NODE_MODE.
        node.name = "a b"                   | holdfast.node.name = a b can't be: allowed is letters, digits and hyphens, at most 32, a letter first. Set it in the settings file or as HOLDFAST_NODE_NAME.
        postgres.url = "mysql://x"          | holdfast.postgres.url = mysql://x can't be: allowed is a JDBC URL that begins with jdbc:postgresql://. Set it in the settings file or as HOLDFAST_POSTGRES_URL.
        postgres.url = ""                   | holdfast.postgres.url is not set and has no default: set it in the settings file or as HOLDFAST_POSTGRES_URL.
        postgres.url = "jdbc:postgresql://h/d?raiseExceptionOnSilentRollback=false" | holdfast.postgres.url = jdbc:postgresql://h/d?raiseExceptionOnSilentRollback=false can't be: raiseExceptionOnSilentRollback=false reports commits that were rolled back as done; remove it. Set it in the settings file or as HOLDFAST_POSTGRES_URL.
        postgres.connect-timeout = 5        | holdfast.postgres.connect-timeout = 5 can't be: allowed is a duration from 100ms to 1m, with a unit such as ms, s, m, h. Set it in the settings file or as HOLDFAST_POSTGRES_CONNECT_TIMEOUT.
        postgres.connect-timeout = 5 weeks  | holdfast.postgres.connect-timeout = 5 weeks can't be: allowed is a duration from 100ms to 1m, with a unit such as ms, s, m, h. Set it in the settings file or as HOLDFAST_POSTGRES_CONNECT_TIMEOUT.
        redis.url = "localhost:6379"        | holdfast.redis.url = localhost:6379 can't be: allowed is redis://..., rediss://..., redis-sentinel://..., or several redis(s)://... with commas between. Set it in the settings file or as HOLDFAST_REDIS_URL.
        redis.url = "tcp://me:swordfish@h"  | holdfast.redis.url = tcp://***@h can't be: allowed is redis://..., rediss://..., redis-sentinel://..., or several redis(s)://... with commas between. Set it in the settings file or as HOLDFAST_REDIS_URL.
        redis.command-timeout = 1ms         | holdfast.redis.command-timeout = 1ms can't be: allowed is a duration from 10ms to 1m, with a unit such as ms, s, m, h. Set it in the settings file or as HOLDFAST_REDIS_COMMAND_TIMEOUT.
        kafka.enabled = true                | holdfast.kafka.bootstrap-servers is not set and has no default: set it in the settings file or as HOLDFAST_KAFKA_BOOTSTRAP_SERVERS.
        kafka.bootstrap-servers = "broker"  | holdfast.kafka.bootstrap-servers = broker can't be: allowed is host:port, several with commas between. Set it in the settings file or as HOLDFAST_KAFKA_BOOTSTRAP_SERVERS.
        kafka.protocol = tls                | holdfast.kafka.protocol = tls can't be: allowed is one of ssl, sasl-ssl, sasl-plaintext, plaintext. Set it in the settings file or as HOLDFAST_KAFKA_PROTOCOL.
        kafka.protocol = sasl-ssl           | holdfast.kafka.sasl.user =  can't be: protocol names a login, but no user is set. Set it in the settings file or as HOLDFAST_KAFKA_SASL_USER.
        kafka.sasl.user = holdfast          | holdfast.kafka.sasl.user = holdfast can't be: a user is set, but protocol names no login. Set it in the settings file or as HOLDFAST_KAFKA_SASL_USER.
        kafka.topics.orders = "a b"         | holdfast.kafka.topics.orders = a b can't be: allowed is letters, digits and . _ -, at most 200. Set it in the settings file or as HOLDFAST_KAFKA_TOPICS_ORDERS.
        kafka.topics.orders = inventory.lifecycle.v1 | holdfast.kafka.topics.orders = inventory.lifecycle.v1 can't be: two topics must not have one name. Set it in the settings file or as HOLDFAST_KAFKA_TOPICS_ORDERS.
        kafka.largest-event = 2MiB          | holdfast.kafka.largest-event = 2MiB can't be: allowed is a size from 256 to 1048576 bytes, with a unit such as KiB or MiB. Set it in the settings file or as HOLDFAST_KAFKA_LARGEST_EVENT.
        cluster.seed-nodes = ["a"]          | holdfast.cluster.seed-nodes = [a] can't be: allowed is a list of host:port. Set it in the settings file or as HOLDFAST_CLUSTER_SEED_NODES.
        cluster.silence-max = 1s            | holdfast.cluster.silence-max = 1s can't be: it must be at least three times heartbeat-interval (500ms). Set it in the settings file or as HOLDFAST_CLUSTER_SILENCE_MAX.
        cluster.stable-after = 2s           | holdfast.cluster.stable-after = 2s can't be: it must be at least silence-max (3s). Set it in the settings file or as HOLDFAST_CLUSTER_STABLE_AFTER.
        postgres.owner-password = x         | holdfast.postgres.owner =  can't be: a password is set for it, but no role. Set it in the settings file or as HOLDFAST_POSTGRES_OWNER.
        postgres.migrate = yes              | holdfast.postgres.migrate = yes can't be: allowed is true or false. Set it in the settings file or as HOLDFAST_POSTGRES_MIGRATE.
        postgres.transaction-timeout = 5s   | holdfast.postgres.transaction-timeout = 5s can't be: it must be at least statement-timeout (10s). Set it in the settings file or as HOLDFAST_POSTGRES_TRANSACTION_TIMEOUT.
        postgres.view-connections = 7       | holdfast.postgres.view-connections = 7 can't be: it must be at least http.limits.query-threads and 4 more (8). Set it in the settings file or as HOLDFAST_POSTGRES_VIEW_CONNECTIONS.
        http.patience.most = 1s             | holdfast.http.patience.most = 1s can't be: it must be at least usual (2s). Set it in the settings file or as HOLDFAST_HTTP_PATIENCE_MOST.
        http.limits.body = 1GiB             | holdfast.http.limits.body = 1GiB can't be: allowed is a size from 256 to 1048576 bytes, with a unit such as KiB or MiB. Set it in the settings file or as HOLDFAST_HTTP_LIMITS_BODY.
        http.limits.body = 1000             | holdfast.http.limits.body = 1000 can't be: allowed is a size from 256 to 1048576 bytes, with a unit such as KiB or MiB. Set it in the settings file or as HOLDFAST_HTTP_LIMITS_BODY.
        reservation.zone = Atlantis         | holdfast.reservation.zone = Atlantis can't be: Atlantis is no time zone such as Asia/Shanghai. Set it in the settings file or as HOLDFAST_RESERVATION_ZONE.
        reservation.merchant-zones = ["a"]  | holdfast.reservation.merchant-zones = [a] can't be: allowed is a list of merchant=zone. Set it in the settings file or as HOLDFAST_RESERVATION_MERCHANT_ZONES.
        reservation.merchant-zones = ["a=UTC", "a=UTC"] | holdfast.reservation.merchant-zones = [a=UTC, a=UTC] can't be: the merchant a is named twice. Set it in the settings file or as HOLDFAST_RESERVATION_MERCHANT_ZONES.
        reservation.attempt-timeout = 500ms | holdfast.reservation.attempt-timeout = 500ms can't be: it must be at least redis.command-timeout (1s). Set it in the settings file or as HOLDFAST_RESERVATION_ATTEMPT_TIMEOUT.
        projections.gather = 5s             | holdfast.projections.poll-longest = 200ms can't be: it must be at least gather (5s). Set it in the settings file or as HOLDFAST_PROJECTIONS_POLL_LONGEST.
        sweeper.grace = 1s                  | holdfast.sweeper.grace = 1s can't be: it must be at least reservation.attempt-timeout (2s). Set it in the settings file or as HOLDFAST_SWEEPER_GRACE.
        orders.url = "orders/{order}"       | holdfast.orders.url = orders/{order} can't be: allowed is an http or https address; {order}, {reservation}, {merchant} and {dish} in it are filled in. Set it in the settings file or as HOLDFAST_ORDERS_URL.
        orders.url = "https://o/{id}"       | holdfast.orders.url = https://o/{id} can't be: allowed is an http or https address; {order}, {reservation}, {merchant} and {dish} in it are filled in. Set it in the settings file or as HOLDFAST_ORDERS_URL.
        orders.ask-longest = 10s            | holdfast.orders.ask-longest = 10s can't be: it must be at least ask-first (1m). Set it in the settings file or as HOLDFAST_ORDERS_ASK_LONGEST.
        orders.service.kind = built-in      | holdfast.orders.service.payments.provider = none can't be: the built-in order service needs somebody who takes the money. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_PROVIDER.
        orders.service { kind = built-in, payments.provider = http } | holdfast.orders.service.payments.url is not set and has no default: set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_URL.
        orders.service { kind = built-in, payments { provider = http, url = "https://pay" } } | holdfast.orders.service.payments.notice-secrets = *** can't be: without a secret no notice of a payment can be believed. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_NOTICE_SECRETS.
        orders.service { kind = built-in, payments.provider = sandbox } | holdfast.orders.service.kind = built-in can't be: the built-in order service is asked and answers through Kafka: set kafka.enabled. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_KIND.
        orders.service.payments.url = "https://pay/" | holdfast.orders.service.payments.url = https://pay/ can't be: allowed is an http or https address without a user, a query, or a slash at its end. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_URL.
        orders.service.payments.url = "ftp://me:swordfish@pay" | holdfast.orders.service.payments.url = ftp://***@pay can't be: allowed is an http or https address without a user, a query, or a slash at its end. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_URL.
        orders.service.payments.notice-secrets = ["swordfish"] | holdfast.orders.service.payments.notice-secrets = *** can't be: allowed is a list of secrets of at least 16 characters. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_NOTICE_SECRETS.
        orders.service.payments.name = "a b" | holdfast.orders.service.payments.name = a b can't be: allowed is letters, digits and . _ -, at most 64. Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_PAYMENTS_NAME.
        orders.service.retry-longest = 10ms | holdfast.orders.service.retry-longest = 10ms can't be: it must be at least retry-first (50ms). Set it in the settings file or as HOLDFAST_ORDERS_SERVICE_RETRY_LONGEST.
        days.archive-after = 1m             | holdfast.days.archive-after = 1m can't be: it must be at least close-after (5m). Set it in the settings file or as HOLDFAST_DAYS_ARCHIVE_AFTER.
        days.prepare-ahead = 13h            | holdfast.days.prepare-ahead = 13h can't be: allowed is a duration from 0s to 12h, with a unit such as ms, s, m, h. Set it in the settings file or as HOLDFAST_DAYS_PREPARE_AHEAD.
        sweeper.ahead.window = 10s          | holdfast.sweeper.ahead.window = 10s can't be: it must be at least interval and lead together (25s). Set it in the settings file or as HOLDFAST_SWEEPER_AHEAD_WINDOW.
        entities.wake-horizon = 2s          | holdfast.entities.wake-horizon = 2s can't be: it must be at least sweeper.ahead.lead (5s). Set it in the settings file or as HOLDFAST_ENTITIES_WAKE_HORIZON.
        entities.restart-longest = 100ms    | holdfast.entities.restart-longest = 100ms can't be: it must be at least restart-first (200ms). Set it in the settings file or as HOLDFAST_ENTITIES_RESTART_LONGEST.
        gate.secrets = ["1:00"]             | holdfast.gate.secrets = *** can't be: allowed is a list of version:secret, the version 1 to 999999, the secret 64 to 128 hex digits. Set it in the settings file or as HOLDFAST_GATE_SECRETS.
        gate.secrets = ["0:0000000000000000000000000000000000000000000000000000000000000000"] | holdfast.gate.secrets = *** can't be: allowed is a list of version:secret, the version 1 to 999999, the secret 64 to 128 hex digits. Set it in the settings file or as HOLDFAST_GATE_SECRETS.
        gate.secrets = ["1:0000000000000000000000000000000000000000000000000000000000000000","2:0000000000000000000000000000000000000000000000000000000000000000"] | holdfast.gate.secrets = *** can't be: the same version or the same secret is given twice. Set it in the settings file or as HOLDFAST_GATE_SECRETS.
        gate.secrets = ["1:0000000000000000000000000000000000000000000000000000000000000000","1:0000000000000000000000000000000000000000000000000000000000000001"] | holdfast.gate.secrets = *** can't be: the same version or the same secret is given twice. Set it in the settings file or as HOLDFAST_GATE_SECRETS.
        security.allow = [open-door]        | holdfast.security.allow = [open-door] can't be: allowed is a list of open-http, plain-keys, plain-http, plain-postgres, plain-redis, plain-kafka, plain-cluster, plain-orders, plain-payments, sandbox-payments, volatile-postgres, volatile-redis, unfenced-redis. Set it in the settings file or as HOLDFAST_SECURITY_ALLOW.
        logging.level = loud                | holdfast.logging.level = loud can't be: allowed is one of error, warn, info, debug, trace. Set it in the settings file or as HOLDFAST_LOGGING_LEVEL.
        """)
    void a_mistake_is_one_line_with_setting_value_and_remedy(String mistake, String line) {
        assertThatThrownBy(() -> load(ENOUGH + "holdfast." + mistake, Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessage(line.replace("FILE", file().toString()));
    }

    @Test
    void a_misspelt_variable_is_not_ignored() {
        assertThatThrownBy(() -> load(ENOUGH, Map.of("HOLDFAST_POSTGRES_PASWORD", "x")))
                .isInstanceOf(SettingsException.class)
                .hasMessage("The environment variable HOLDFAST_POSTGRES_PASWORD is not a setting; "
                        + "did you mean HOLDFAST_POSTGRES_PASSWORD?");
    }

    @Test
    void a_file_that_is_missing_or_not_hocon_is_said_in_one_line() throws IOException {
        assertThatThrownBy(() -> Settings.load(Optional.of(folder.resolve("none.conf")), Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("none.conf can't be read");
        assertThatThrownBy(() -> load("holdfast { http", Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("The settings file is not valid HOCON: ")
                .hasMessageContaining("holdfast.conf: 1")
                .extracting(Throwable::getMessage)
                .satisfies(message -> assertThat((String) message).doesNotContain("\n"));
    }

    @Test
    void secrets_stay_out_of_what_is_printed() {
        var settings = load(ENOUGH + """
            holdfast.postgres.password = swordfish
            holdfast.redis.url = "redis://me:swordfish@host"
            """, Map.of());
        assertThat(settings.toString()).doesNotContain("swordfish");
        assertThat(settings.postgres().owner()).isEqualTo(settings.postgres().user());
        assertThat(settings.redis().shownUrl()).isEqualTo("redis://host");
    }

    @Test
    void a_redis_url_may_name_cluster_nodes_or_sentinels() {
        var cluster = load(ENOUGH, Map.of("HOLDFAST_REDIS_URL", "redis://a:1, redis://b:2"))
                .redis();
        assertThat(cluster.uris()).containsExactly("redis://a:1", "redis://b:2");
        var sentinel = load(ENOUGH, Map.of("HOLDFAST_REDIS_URL", "redis-sentinel://a,b/0#primary"))
                .redis();
        assertThat(sentinel.uris()).containsExactly("redis-sentinel://a,b/0#primary");
    }

    @Test
    void a_list_in_the_environment_has_commas() {
        var settings = load(ENOUGH, Map.of("HOLDFAST_SECURITY_ALLOW", "open-http,plain-redis"));
        assertThat(settings.security().allow()).isEqualTo(java.util.Set.of(Danger.OPEN_HTTP, Danger.PLAIN_REDIS));
        assertThat(load(ENOUGH, Map.of("HOLDFAST_SECURITY_ALLOW", ""))
                        .security()
                        .allow())
                .isEqualTo(java.util.Set.of());
        assertThat(List.copyOf(settings.cluster().seedNodes())).isEmpty();
    }

    private Path file() {
        return folder.resolve("holdfast.conf");
    }

    private Settings load(String text, Map<String, String> environment) {
        try {
            Files.writeString(file(), text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return Settings.load(Optional.of(file()), environment);
    }
}
