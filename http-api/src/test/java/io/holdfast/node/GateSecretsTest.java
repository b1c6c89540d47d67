package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import io.holdfast.localstack.SharedStack;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class GateSecretsTest {

    private static final String SEVEN = "7:" + "0a".repeat(32);
    private static final String EIGHT = "8:" + "0b".repeat(32);

    private static String database;

    @BeforeAll
    static void a_database_in_which_a_sale_keeps_version_7() throws SQLException {
        database = SharedStack.freshDatabase("gate_secrets");
        Schema.prepare(settings("").postgres());
        var server = SharedStack.postgres();
        try (var connection = DriverManager.getConnection(database, server.user(), server.password());
                var insert = connection.createStatement()) {
            insert.execute("""
                insert into pool_view (pool, merchant, dish, status, suspect, key_version, created_at, updated_at, sequence_number)
                values ('spring:phone', 'spring', 'phone', 'OPEN', false, 7, now(), now(), 2)
                """);
        }
    }

    private static Settings settings(String secrets) {
        return settings(Map.of("HOLDFAST_GATE_SECRETS", secrets));
    }

    private static Settings settings(Map<String, String> others) {
        var server = SharedStack.postgres();
        Map<String, String> all = new HashMap<>(Map.of(
                "HOLDFAST_POSTGRES_URL",
                database,
                "HOLDFAST_POSTGRES_USER",
                server.user(),
                "HOLDFAST_POSTGRES_PASSWORD",
                server.password()));
        all.putAll(others);
        return TestSettings.with(all);
    }

    @Test
    void a_node_without_a_secret_that_a_sale_keeps_does_not_start() {
        for (String secrets : new String[] {"", EIGHT}) {
            assertThatThrownBy(() -> GateSecrets.require(settings(secrets)))
                    .isInstanceOf(SettingsException.class)
                    .hasMessage(
                            "holdfast.gate.secrets has no secret of version 7, which a sale keeps: with another one a"
                                    + " repeated request would become a second one. Set it in the settings file or as"
                                    + " HOLDFAST_GATE_SECRETS.");
        }
    }

    @Test
    void a_node_that_has_it_starts_and_gives_new_sales_the_highest_version() {
        assertThat(GateSecrets.require(settings(SEVEN + "," + EIGHT)).newest()).contains(8);
        assertThat(GateSecrets.require(settings(SEVEN)).newest()).contains(7);
    }

    @Test
    void a_database_that_does_not_answer_is_said_to_be_the_reason() {
        var elsewhere =
                TestSettings.with(Map.of("HOLDFAST_GATE_SECRETS", SEVEN, "HOLDFAST_POSTGRES_START_PATIENCE", "300ms"));
        assertThatThrownBy(() -> GateSecrets.require(elsewhere))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith(
                        "Gave up after 0 s: PostgreSQL, asked which secrets sales keep can't be used (");
    }

    @Test
    void a_role_of_the_read_side_that_is_not_let_in_is_not_waited_for() {
        var settings = settings(Map.of(
                "HOLDFAST_POSTGRES_PROJECTOR",
                SharedStack.postgres().user(),
                "HOLDFAST_POSTGRES_PROJECTOR_PASSWORD",
                "wrong",
                "HOLDFAST_POSTGRES_START_PATIENCE",
                "24h"));
        assertThatThrownBy(() -> GateSecrets.require(settings))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("password authentication failed")
                .hasMessageContaining("holdfast.postgres.projector-password");
    }
}
