package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.http.route.TestNode.Answer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AsOfTest {

    private static final String POOL = "/v1/pools/" + TestNode.POOL;

    private static TestNode node;
    private static String reservation;
    /** Time of each event, as a moment that can be asked for: rounded up to microseconds. */
    private static final List<Instant> times = new ArrayList<>();

    @BeforeAll
    static void start() {
        node = TestNode.withPool(10);
        Answer held = node.post(
                "/v1/reservations",
                "{\"pool\":\"" + TestNode.POOL + "\",\"order_id\":\"o-1\",\"order_item_id\":\"i-1\",\"quantity\":2}");
        reservation = "/v1/reservations/" + held.text("reservation_id");
        assertThat(node.post(reservation + "/confirm", "{\"order_id\":\"o-1\"}").status())
                .isEqualTo(200);
        for (JsonNode entry : node.get(reservation + "/journal").json().path("entries")) {
            Instant at = Instant.parse(entry.path("at").asText());
            Instant micros = at.truncatedTo(ChronoUnit.MICROS);
            times.add(micros.equals(at) ? at : micros.plus(1, ChronoUnit.MICROS));
        }
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void at_every_event_a_reservation_stands_as_its_journal_says_it_stood() {
        JsonNode journal = node.get(reservation + "/journal").json().path("entries");
        for (int i = 0; i < times.size(); i++) {
            // Events of one decision have one time; the last of them counts.
            int last = times.lastIndexOf(times.get(i));
            Answer then = node.get(reservation + "?at=" + times.get(i));
            assertThat(then.status()).isEqualTo(200);
            assertThat(then.json().path("sequence_number").asInt()).isEqualTo(last + 1);
            assertThat(Instant.parse(then.at("/as_of"))).isEqualTo(times.get(i));
            assertThat(journal.get(last).at("/state_after/status").asText(then.text("status")))
                    .isEqualTo(then.text("status"));
        }
        assertThat(node.get(reservation + "?at=2199-12-31T00:00:00Z").text("status"))
                .isEqualTo("CONFIRMED");
        assertThat(node.get(reservation + "?at=2199-12-31T00:00:00Z").json().path("units"))
                .isEqualTo(node.get(reservation).json().path("units"));
    }

    @Test
    void before_its_first_event_it_was_not_there() {
        assertThat(node.get(reservation + "?at=2001-01-01T00:00:00Z").code()).isEqualTo("UNKNOWN_RESERVATION");
        assertThat(node.get(POOL + "?at=2001-01-01T00:00:00Z").code()).isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void a_pool_is_shown_by_its_journal_and_without_what_redis_says_now() {
        Answer then = node.get(POOL + "?at=2199-12-31T00:00:00Z");
        assertThat(then.text("status")).isEqualTo("OPEN");
        assertThat(then.json().has("redis")).isFalse();
        assertThat(then.at("/journal/books/total")).isEqualTo("10");
    }

    @Test
    void the_difference_of_two_moments_names_what_changed() {
        String first = "from=2001-01-01T00:00:00Z&to=" + times.getFirst();
        JsonNode begun = node.get(reservation + "/diff?" + first).json();
        assertThat(begun.at("/from/there").asBoolean()).isFalse();
        assertThat(begun.at("/to/there").asBoolean()).isTrue();
        JsonNode all = node.get(reservation + "/diff?from=" + times.getFirst() + "&to=2199-12-31T00:00:00Z")
                .json();
        assertThat(all.path("changes"))
                .extracting(c -> c.path("pointer").asText())
                .contains("/status");
        assertThat(node.get(reservation + "/diff?from=2198-01-01T00:00:00Z&to=2199-12-31T00:00:00Z")
                        .json()
                        .path("changes"))
                .isEmpty();
        assertThat(node.get(POOL + "/diff?from=2001-01-01T00:00:00Z&to=2199-12-31T00:00:00Z")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ?at=yesterday                                             | query /at bad_syntax
        ?at=2026-11-29                                            | query /at bad_syntax
        ?when=2026-11-29T00:00:00Z                                | query /when unknown
        /diff?from=2026-11-29T00:00:00Z                           | query /to missing
        /diff?from=2026-11-29T00:00:00Z&to=2026-11-28T00:00:00Z   | query /to conflicting
        /diff?from=x&to=2026-11-28T00:00:00Z                      | query /from bad_syntax
        """)
    void what_is_malformed_is_named(String query, String fault) {
        for (String address : List.of(reservation, POOL)) {
            Answer answer = node.get(address + query);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.faults()).containsExactly(fault);
        }
    }

    @Test
    void of_what_was_never_heard_of_nothing_is_told() {
        String at = "at=2199-12-31T00:00:00Z";
        String span = "from=2001-01-01T00:00:00Z&to=2199-12-31T00:00:00Z";
        String nobody = "/v1/reservations/00000000000000000000000000000000";
        assertThat(node.get(nobody + "?" + at).code()).isEqualTo("UNKNOWN_RESERVATION");
        assertThat(node.get(nobody + "/diff?" + span).code()).isEqualTo("UNKNOWN_RESERVATION");
        assertThat(node.get("/v1/pools/m1:none:2026-11-29?" + at).code()).isEqualTo("POOL_UNKNOWN");
        assertThat(node.get("/v1/pools/m1:none:2026-11-29/diff?" + span).code()).isEqualTo("POOL_UNKNOWN");
    }
}
