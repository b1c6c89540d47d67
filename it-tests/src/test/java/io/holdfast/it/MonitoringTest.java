package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.holdfast.localstack.KafkaServer;
import io.holdfast.localstack.KafkaSettings;
import io.holdfast.localstack.SharedStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What is shipped for watching a fleet, against what a node really shows: an alert on a series that is not there never fires. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MonitoringTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Path ALERTS = DOCS.resolve("monitoring/holdfast-alerts.yml");
    private static final Path BOARD = DOCS.resolve("monitoring/holdfast-board.json");
    private static final Pattern NAME = Pattern.compile("\\b(?:holdfast|jvm|process)_[a-z_]+");
    private static final Pattern SELECTOR = Pattern.compile("(" + NAME + ")\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*[=!]~?\\s*\"");

    /** Series that are there only once something has happened, because nobody knows their labels before. */
    private static final Set<String> ONLY_AFTER_THE_FIRST = Set.of(
            "holdfast_http_requests_seconds_bucket",
            "holdfast_http_requests_seconds_count",
            "holdfast_entity_asks_seconds_count",
            "holdfast_effect_attempts_seconds_count",
            "holdfast_redis_scripts_seconds_count",
            "holdfast_redis_scripts_seconds_sum",
            "jvm_gc_pause_seconds_sum");

    private static KafkaServer broker;
    private static Site site;

    @BeforeAll
    static void start() {
        broker = KafkaServer.start(KafkaSettings.in(SharedStack.freshFolder("kafka-of-monitoring")));
        site = Site.open(
                "monitoring",
                Map.of(
                        "HOLDFAST_KAFKA_ENABLED", "true",
                        "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS", broker.bootstrapServers(),
                        "HOLDFAST_KAFKA_PROTOCOL", "plaintext",
                        "HOLDFAST_ORDERS_SERVICE_KIND", "built-in",
                        "HOLDFAST_ORDERS_SERVICE_PAYMENTS_PROVIDER", "sandbox"));
        site.startNode();
    }

    @AfterAll
    static void stop() {
        site.close();
        broker.close();
    }

    @Test
    void every_metric_that_the_documents_name_is_there_before_anything_has_happened() {
        Set<String> named = new TreeSet<>();
        Set<String> endings = new TreeSet<>();
        for (String page : List.of("operations.md", "monitoring.md", "concepts/ledger.md")) {
            String text = read(DOCS.resolve(page));
            Pattern.compile("`(holdfast_[a-z_]+[a-z])[`{]")
                    .matcher(text)
                    .results()
                    .forEach(found -> named.add(found.group(1)));
            Pattern.compile("`…(_[a-z_]+)").matcher(text).results().forEach(found -> endings.add(found.group(1)));
        }
        assertThat(named).hasSizeGreaterThan(40);
        assertThat(endings).hasSizeGreaterThan(8);
        settled(shown -> {
            assertThat(named)
                    .allSatisfy(name -> assertThat(shown.keySet())
                            .anyMatch(one -> List.of(name, name + "_count").contains(one)));
            assertThat(endings)
                    .allSatisfy(ending -> assertThat(shown.keySet())
                            .anyMatch(one -> one.endsWith(ending) || one.endsWith(ending + "_count")));
        });
    }

    @Test
    void every_alert_asks_for_series_and_labels_that_are_there_before_anything_has_happened() {
        List<String> asked = alerts().map(rule -> rule.path("expr").asText()).toList();
        assertThat(asked).hasSizeGreaterThan(30);
        settled(shown -> assertThat(asked).allSatisfy(expression -> assertThereIs(expression, shown)));
    }

    @Test
    void the_slowest_of_what_moves_stock_can_be_asked_for_before_anything_has_moved() {
        settled(shown ->
                assertThat(shown.get("holdfast_effect_attempts_seconds_bucket")).contains("effect", "result", "le"));
    }

    @Test
    void every_panel_of_the_board_asks_for_series_and_labels_that_a_node_can_show() throws IOException {
        List<String> asked = new ArrayList<>();
        new ObjectMapper()
                .readTree(BOARD.toFile())
                .findValues("targets")
                .forEach(targets ->
                        targets.forEach(one -> asked.add(one.path("expr").asText())));
        assertThat(asked).hasSizeGreaterThan(30);
        assertThat(site.client().createPool("dish", 2).status()).isEqualTo(201);
        assertThat(site.client().hold("dish", "watched", 1).status()).isEqualTo(201);
        settled(shown -> assertThat(asked).allSatisfy(expression -> assertThereIs(expression, shown)));
    }

    @Test
    void every_alert_says_how_bad_it_is_and_where_its_remedy_stands() {
        assertThat(alerts()).allSatisfy(rule -> {
            assertThat(rule.path("labels").path("severity").asText()).isIn("warning", "critical");
            assertThat(rule.path("annotations").path("summary").asText()).isNotBlank();
            String[] runbook = rule.path("annotations").path("runbook").asText().split("#");
            assertThat(headings(Path.of("..").resolve(runbook[0])))
                    .as("%s", rule.path("alert"))
                    .contains(runbook.length == 1 ? "" : runbook[1]);
        });
        assertThat(alerts().map(rule -> rule.path("alert").asText())).doesNotHaveDuplicates();
    }

    private interface Check {
        void of(Map<String, Set<String>> shown) throws IOException;
    }

    /** Some figures are measured some seconds after the start, and collections of garbage come when they come. */
    private static void settled(Check check) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> check.of(Metrics.labels(site.address(0))));
    }

    private static void assertThereIs(String expression, Map<String, Set<String>> shown) {
        NAME.matcher(expression)
                .results()
                .map(found -> found.group())
                .filter(name -> !ONLY_AFTER_THE_FIRST.contains(name))
                .forEach(name -> assertThat(shown).as(expression).containsKey(name));
        SELECTOR.matcher(expression)
                .results()
                .filter(found -> shown.containsKey(found.group(1)))
                .forEach(found -> LABEL.matcher(found.group(2))
                        .results()
                        .forEach(label -> assertThat(shown.get(found.group(1)))
                                .as(expression)
                                .contains(label.group(1))));
    }

    private static Stream<JsonNode> alerts() {
        try {
            List<JsonNode> rules = new ArrayList<>();
            new YAMLMapper()
                    .readTree(ALERTS.toFile())
                    .path("groups")
                    .forEach(group -> group.path("rules").forEach(rules::add));
            return rules.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The anchors of a page, and "" for the page itself. */
    private static Set<String> headings(Path page) {
        Set<String> anchors = new TreeSet<>(Set.of(""));
        read(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .forEach(line -> anchors.add(line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-')));
        return anchors;
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
