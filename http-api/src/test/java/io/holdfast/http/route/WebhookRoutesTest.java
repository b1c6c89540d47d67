package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.route.TestNode.Answer;
import io.holdfast.messaging.out.AnnouncedTypes;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class WebhookRoutesTest {

    private static final String ALL = "/v1/webhooks";
    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.start();
        node.webhooks.sent.addAll(List.of(
                TestWebhooks.delivery(3, "PENDING"),
                TestWebhooks.delivery(2, "GIVEN_UP"),
                TestWebhooks.delivery(1, "DELIVERED")));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static Answer make(String url, String key) {
        return node.post(ALL, "{\"url\":\"" + url + "\"}", "Idempotency-Key", key);
    }

    @Test
    void a_secret_is_told_once_and_in_no_other_answer() {
        Answer made = make("https://shop.example/hooks", "told-once");
        assertThat(made.status()).isEqualTo(201);
        String secret = made.text("secret");
        assertThat(secret).startsWith("whsec_");
        String address = made.header("Location").orElseThrow();
        assertThat(address).isEqualTo(ALL + "/" + made.text("id"));

        Answer again = make("https://shop.example/hooks", "told-once");
        assertThat(again.header("Idempotency-Replayed")).contains("true");
        assertThat(again.text("id")).isEqualTo(made.text("id"));
        for (Answer other : List.of(again, node.get(address), node.get(ALL), node.post(address + "/enable", ""))) {
            assertThat(other.status()).isLessThan(300);
            assertThat(other.body()).doesNotContain(secret).doesNotContain("whsec_");
        }
        assertThat(make("https://shop.example/other", "told-once").code()).isEqualTo("KEY_REUSED");

        Answer second = node.post(address + "/secrets", "");
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.text("version")).isEqualTo("2");
        assertThat(second.text("secret")).startsWith("whsec_").isNotEqualTo(secret);
        assertThat(node.method("DELETE", address + "/secrets/1").status()).isEqualTo(204);
        assertThat(node.method("DELETE", address + "/secrets/1").code()).isEqualTo("UNKNOWN_WEBHOOK");
        assertThat(node.method("DELETE", address + "/secrets/2").faults()).containsExactly("path /version conflicting");
    }

    @Test
    void a_webhook_is_disabled_with_a_reason_enabled_and_removed() {
        String address = ALL + "/" + make("https://a.example", "lives").text("id");
        assertThat(node.post(address + "/disable", "{}").faults()).containsExactly("body /reason missing");
        Answer disabled = node.post(address + "/disable", "{\"reason\":\"moving house\"}");
        assertThat(disabled.text("status")).isEqualTo("DISABLED");
        assertThat(disabled.at("/disabled/reason")).isEqualTo("anonymous: moving house");
        assertThat(node.post(address + "/enable", "").text("status")).isEqualTo("ENABLED");
        assertThat(node.method("DELETE", address).status()).isEqualTo(204);
        assertThat(node.get(address).code()).isEqualTo("UNKNOWN_WEBHOOK");
        assertThat(node.method("DELETE", address).code()).isEqualTo("UNKNOWN_WEBHOOK");
    }

    @Test
    void deliveries_are_listed_page_by_page_shown_with_their_log_and_sent_again() {
        String address = ALL + "/" + make("https://b.example", "sends").text("id") + "/deliveries";
        JsonNode page = node.get(address + "?limit=2").json();
        assertThat(page.path("deliveries"))
                .extracting(one -> one.path("id").asText())
                .containsExactly("3", "2");
        JsonNode rest = node.get(page.path("next").asText()).json();
        assertThat(rest.path("deliveries"))
                .extracting(one -> one.path("id").asText())
                .containsExactly("1");
        assertThat(rest.has("next")).isFalse();
        String cursor = page.path("next_cursor").asText();
        String other = ALL + "/" + make("https://b.example/other", "other").text("id") + "/deliveries";
        for (String foreign : List.of(other + "?cursor=" + cursor, address + "?cursor=2", address + "?cursor=x-2")) {
            assertThat(node.get(foreign).faults()).as(foreign).containsExactly("query /cursor bad_syntax");
        }
        assertThat(node.get(address + "?status=GIVEN_UP").json().path("deliveries"))
                .hasSize(1);

        JsonNode one = node.get(address + "/2").json();
        assertThat(one.at("/body/id").asText()).isEqualTo("reservation|r#2");
        assertThat(one.at("/place").asText()).isEqualTo("700-2-1");
        assertThat(one.path("log")).hasSize(1);
        assertThat(node.post(address + "/2/replay", "").status()).isEqualTo(202);
        assertThat(node.post(address + "/9/replay", "").code()).isEqualTo("UNKNOWN_WEBHOOK");
        assertThat(node.get(address + "/9").code()).isEqualTo("UNKNOWN_WEBHOOK");
        assertThat(node.get(address + "/nine").faults()).containsExactly("path /delivery bad_syntax");
        String nobodys = ALL + "/" + "0".repeat(32);
        assertThat(node.get(nobodys + "/deliveries/nine").faults()).containsExactly("path /delivery bad_syntax");
        assertThat(node.post(nobodys + "/deliveries/nine/replay", "").faults())
                .containsExactly("path /delivery bad_syntax");
        assertThat(node.method("DELETE", nobodys + "/secrets/one").faults())
                .containsExactly("path /version bad_syntax");
        assertThat(node.get(ALL + "/none/deliveries/nine").faults())
                .containsExactly("path /webhook_id bad_syntax", "path /delivery bad_syntax");
    }

    @Test
    void what_is_of_the_journal_is_sent_again_from_a_place_on() {
        String address = ALL + "/" + make("https://c.example", "replays").text("id") + "/replay";
        Answer begun = node.post(address, "{\"from\":\"0-0\"}");
        assertThat(begun.status()).isEqualTo(202);
        assertThat(begun.text("queued")).isEqualTo("2");
        assertThat(begun.text("more")).isEqualTo("true");
        assertThat(node.post(address, "{\"from\":\"9999-1\"}").faults()).containsExactly("body /from out_of_range");
        assertThat(node.post(address, "{}").faults()).containsExactly("body /from missing");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                              | body /url missing
        {"url":"ftp://x.example"}                       | body /url bad_syntax
        {"url":"https://user:pass@x.example"}           | body /url bad_syntax
        {"url":"https://x.example/#there"}              | body /url bad_syntax
        {"url":"https:///nowhere"}                      | body /url bad_syntax
        {"url":"https://x.example","secret":"short"}    | body /secret bad_syntax
        {"url":"https://x.example","types":["a b"]}     | body /types/0 bad_syntax
        {"url":"https://x.example","types":["Inventory"]} | body /types/0 bad_syntax
        {"url":"https://x.example","types":["StockRepaired",7]} | body /types/1 wrong_type
        {"url":"https://x.example","types":[]}          | body /types out_of_range
        {"url":"https://x.example","pool":"nonsense"}   | body /pool bad_syntax
        {"url":"http://x.example"}                      | body /url conflicting
        {"url":"https://127.0.0.1/"}                    | body /url conflicting
        {"url":"https://10.0.0.1:8443/"}                | body /url conflicting
        {"url":"https://[::1]/"}                        | body /url conflicting
        {"url":"https://[::ffff:169.254.169.254]/"}     | body /url conflicting
        {"url":"https://2130706433/"}                   | body /url conflicting
        """)
    void what_may_not_be_called_is_refused(String body, String fault) {
        Answer answer = node.post(ALL, body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.faults()).containsExactly(fault);
    }

    @Test
    void a_type_that_is_never_announced_is_refused_with_those_that_are_and_all_of_them_may_be_named() {
        assertThat(node.post(ALL, "{\"url\":\"https://x.example\",\"types\":[\"InventoryAnomalyFound\"]}")
                        .text("detail"))
                .contains("InventoryReserved, ")
                .contains("StockPoolPaused");
        String all = AnnouncedTypes.ALL.stream().map(type -> "\"" + type + "\"").collect(Collectors.joining(","));
        Answer made = node.post(ALL, "{\"url\":\"https://x.example\",\"types\":[" + all + "]}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.json().path("types")).hasSameSizeAs(AnnouncedTypes.ALL);
        node.method("DELETE", ALL + "/" + made.text("id"));
    }

    @Test
    void there_are_never_more_than_may_be() {
        Answer last = make("https://d.example", "first");
        for (int i = 0; i < 25 && last.status() == 201; i++) {
            last = make("https://d.example/" + i, "many-" + i);
        }
        assertThat(last.code()).isEqualTo("TOO_MANY_WEBHOOKS");
        for (JsonNode one : node.get(ALL).json().path("webhooks")) {
            if (one.path("url").asText().startsWith("https://d.example")) {
                node.method("DELETE", ALL + "/" + one.path("id").asText());
            }
        }
    }
}
