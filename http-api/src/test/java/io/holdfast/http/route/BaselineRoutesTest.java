package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.route.TestNode.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BaselineRoutesTest {

    private static final String SOUP = "/v1/baselines/m1/soup";

    private final TestNode node = TestNode.start();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void a_baseline_is_set_read_changed_and_withdrawn() {
        Answer set = node.put(SOUP, """
            {"zone": "Europe/Berlin", "every_day": 100, "weekdays": {"SATURDAY": 150, "SUNDAY": 0},
             "days": {"2026-12-24": 20}}
            """);
        assertThat(set.status()).isEqualTo(201);
        assertThat(set.header("Location")).contains(SOUP);

        Answer read = node.get(SOUP);
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.json()).isEqualTo(set.json());
        assertThat(read.json().at("/zone").asText()).isEqualTo("Europe/Berlin");
        assertThat(read.json().at("/every_day").asLong()).isEqualTo(100);
        assertThat(read.json().at("/weekdays/SATURDAY").asLong()).isEqualTo(150);
        assertThat(read.json().at("/weekdays/SUNDAY").asLong(-1)).isZero();
        assertThat(read.json().at("/days/2026-12-24").asLong()).isEqualTo(20);
        assertThat(read.json().at("/version").asLong()).isEqualTo(1);
        assertThat(read.json().at("/updated_by").asText()).isEqualTo("anonymous");

        Answer changed = node.put(SOUP, "{\"every_day\": 90, \"expected_version\": 1}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().at("/version").asLong()).isEqualTo(2);
        assertThat(changed.json().has("weekdays")).as("it is replaced whole").isFalse();

        assertThat(node.method("DELETE", SOUP).status()).isEqualTo(204);
        assertThat(node.get(SOUP).code()).isEqualTo("BASELINE_UNKNOWN");
        assertThat(node.method("DELETE", SOUP).status()).isEqualTo(404);
    }

    @Test
    void it_says_what_it_comes_to_today() {
        node.put(SOUP, "{\"every_day\": 100}");
        var today = node.get(SOUP).json().at("/today");
        assertThat(today.at("/total").asLong()).isEqualTo(100);
        assertThat(today.at("/pool").asText())
                .isEqualTo("m1:soup:" + today.at("/business_day").asText());
        assertThat(today.at("/pool_url").asText())
                .isEqualTo("/v1/pools/" + today.at("/pool").asText());
        assertThat(today.at("/begins").asText()).isLessThan(today.at("/ends").asText());
    }

    @Test
    void a_change_of_an_older_version_changes_nothing() {
        node.put(SOUP, "{\"every_day\": 100}");
        Answer refused = node.put(SOUP, "{\"every_day\": 90, \"expected_version\": 0}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("BASELINE_CHANGED");
        assertThat(refused.json().at("/version_now").asLong()).isEqualTo(1);
        assertThat(node.get(SOUP).json().at("/every_day").asLong()).isEqualTo(100);
    }

    @Test
    void a_change_may_be_based_on_a_tag() {
        assertThat(node.put(SOUP, "{\"every_day\": 100}", "If-Match", "*").code())
                .as("nothing is there")
                .isEqualTo("PRECONDITION_FAILED");
        Answer first = node.put(SOUP, "{\"every_day\": 100}");
        assertThat(first.header("ETag")).contains("\"1\"");
        assertThat(node.get(SOUP).header("ETag")).contains("\"1\"");
        Answer second = node.put(SOUP, "{\"every_day\": 90}", "If-Match", "\"1\"");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.header("ETag")).contains("\"2\"");
        for (String other : List.of("\"1\"", "\"x\"", "W/\"2\"")) {
            Answer late = node.put(SOUP, "{\"every_day\": 80}", "If-Match", other);
            assertThat(late.status()).as(other).isEqualTo(412);
            assertThat(late.code()).isEqualTo("PRECONDITION_FAILED");
            assertThat(late.json().at("/version_now").asLong()).isEqualTo(2);
        }
        assertThat(node.put(SOUP, "{\"every_day\": 70}", "If-Match", "*").status())
                .isEqualTo(200);
        assertThat(node.put(SOUP, "{\"every_day\": 60, \"expected_version\": 3}", "If-Match", "\"3\"")
                        .faults())
                .containsExactly("header /If-Match conflicting");
        assertThat(node.put(SOUP, "{\"every_day\": 60}", "If-Match", "3").faults())
                .containsExactly("header /If-Match bad_syntax");
    }

    @Test
    void a_baseline_is_withdrawn_as_it_was_read_or_not_at_all() {
        assertThat(node.method("DELETE", SOUP, "If-Match", "*").code())
                .as("nothing is there")
                .isEqualTo("BASELINE_UNKNOWN");
        node.put(SOUP, "{\"every_day\": 100}");
        node.put(SOUP, "{\"every_day\": 90}");
        for (String other : List.of("\"1\"", "\"3\"", "\"x\"", "W/\"2\"")) {
            Answer late = node.method("DELETE", SOUP, "If-Match", other);
            assertThat(late.status()).as(other).isEqualTo(412);
            assertThat(late.code()).isEqualTo("PRECONDITION_FAILED");
            assertThat(late.json().at("/version_now").asLong()).isEqualTo(2);
        }
        assertThat(node.method("DELETE", SOUP, "If-Match", "2").faults())
                .containsExactly("header /If-Match bad_syntax");
        assertThat(node.method("DELETE", SOUP, "If-Match", "\"2\"").status()).isEqualTo(204);
        assertThat(node.get(SOUP).status()).isEqualTo(404);
        node.put(SOUP, "{\"every_day\": 90}");
        assertThat(node.method("DELETE", SOUP, "If-Match", "*").status()).isEqualTo(204);
    }

    @Test
    void another_time_zone_than_the_merchants_is_refused() {
        Answer refused = node.put(SOUP, "{\"zone\": \"Asia/Tokyo\", \"every_day\": 90}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("OTHER_ZONE");
        assertThat(refused.text("zone_now")).isEqualTo("Europe/Berlin");
    }

    @Test
    void the_first_hold_of_a_day_that_is_set_out_has_its_pool_created() {
        node.put("/v1/baselines/m1/noodles", "{\"every_day\": 2}");
        String order = "\"order_id\": \"o\", \"quantity\": 2, \"merchant\": \"m1\", \"dish\": \"noodles\"";
        assertThat(node.post("/v1/reservations", "{" + order + ", \"order_item_id\": \"i1\"}")
                        .text("status"))
                .isEqualTo("RESERVED");
        assertThat(node.get("/v1/pools/" + TestNode.POOL)
                        .json()
                        .at("/baseline/total")
                        .asLong())
                .isEqualTo(2);
        assertThat(node.post("/v1/reservations", "{" + order + ", \"order_item_id\": \"i2\"}")
                        .code())
                .isEqualTo("SOLD_OUT");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                              | body /every_day missing
        {"every_day": -1}                               | body /every_day out_of_range
        {"every_day": 1.5}                              | body /every_day wrong_type
        {"every_day": "5"}                              | body /every_day wrong_type
        {"every_day": null}                             | body /every_day wrong_type
        {"every_day": 9007199254740992}                 | body /every_day out_of_range
        {"every_day": 1, "zone": "Atlantis"}            | body /zone bad_syntax
        {"every_day": 1, "zone": "+25:00"}              | body /zone bad_syntax
        {"every_day": 1, "zone": 5}                     | body /zone wrong_type
        {"weekdays": {}}                                | body /weekdays out_of_range
        {"weekdays": []}                                | body /weekdays wrong_type
        {"weekdays": {"monday": 1}}                     | body /weekdays/monday bad_syntax
        {"weekdays": {"MONDAY": -1}}                    | body /weekdays/MONDAY out_of_range
        {"days": {"2026-02-30": 1}}                     | body /days/2026-02-30 bad_syntax
        {"days": {"2026-2-3": 1}}                       | body /days/2026-2-3 bad_syntax
        {"days": {"+12026-02-03": 1}}                   | body /days/+12026-02-03 bad_syntax
        {"days": {"2026-12-24": true}}                  | body /days/2026-12-24 wrong_type
        {"every_day": 1, "expected_version": -1}        | body /expected_version out_of_range
        {"every_day": 1, "tuesdays": 1}                 | body /tuesdays unknown
        """)
    void what_is_not_a_baseline_is_refused_with_its_fault(String body, String fault) {
        Answer refused = node.put(SOUP, body);
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.faults()).containsExactly(fault);
    }

    @Test
    void ids_that_are_none_are_refused_both_at_once() {
        assertThat(node.put("/v1/baselines/m%201/so%3Aup", "{\"every_day\": 1}").faults())
                .containsExactlyInAnyOrderElementsOf(List.of("path /merchant bad_syntax", "path /dish bad_syntax"));
        assertThat(node.get("/v1/baselines/m1/so%7Bup").faults()).containsExactly("path /dish bad_syntax");
    }

    @Test
    void a_query_or_another_method_is_refused() {
        assertThat(node.get(SOUP + "?zone=UTC").status()).isEqualTo(400);
        assertThat(node.post(SOUP, "{}").status()).isEqualTo(405);
        assertThat(node.get("/v1/baselines/m1").status()).isEqualTo(404);
    }
}
