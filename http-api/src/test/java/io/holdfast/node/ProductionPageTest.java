package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.config.Danger;
import io.holdfast.config.NodeSection;
import io.holdfast.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings that the page on production tells people to save. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ProductionPageTest {

    private static final Map<String, String> SECRETS = Map.of(
            "HOLDFAST_HTTP_TLS_KEYSTORE_PASSWORD", KeyFiles.PASSWORD,
            "HOLDFAST_POSTGRES_PASSWORD", "b",
            "HOLDFAST_POSTGRES_OWNER_PASSWORD", "c",
            "HOLDFAST_POSTGRES_PROJECTOR_PASSWORD", "d",
            "HOLDFAST_REDIS_URL", "rediss://holdfast:e@redis.internal:6380",
            "HOLDFAST_KAFKA_SASL_PASSWORD", "f",
            "HOLDFAST_CLUSTER_TLS_KEYSTORE_PASSWORD", KeyFiles.PASSWORD,
            "HOLDFAST_GATE_SECRETS", "1:" + "0123456789abcdef".repeat(4));

    @Test
    void are_those_of_a_production_node_that_needs_nothing_allowed(@TempDir Path folder) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "production.md"));
        assertThat(SECRETS.keySet()).allSatisfy(name -> assertThat(page).contains(name));
        Settings settings = load(folder, page, SECRETS);
        assertThat(settings.node().mode()).isEqualTo(NodeSection.Mode.PRODUCTION);
        assertThat(Arrays.stream(Danger.values()).filter(danger -> !settings.refuses(danger)))
                .as("dangers allowed")
                .isEmpty();
        assertThat(settings.kafka().enabled()).isTrue();
        assertThat(settings.cluster().seedNodes()).hasSize(3);
    }

    private static Settings load(Path folder, String page, Map<String, String> environment) throws Exception {
        Matcher block = Pattern.compile("```hocon\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(block.find()).isTrue();
        Path keys = KeyFiles.selfSigned(folder.resolve("http.p12"), "node");
        Files.copy(keys, folder.resolve("cluster.p12"));
        Files.createFile(folder.resolve("ca.pem"));
        String here = block.group(1).replace("/etc/holdfast", folder.toString());
        return Settings.load(Optional.of(Files.writeString(folder.resolve("node.conf"), here)), environment);
    }
}
